/** The line of a link, and the column: `:2`, `:2:5`, `#L2`, `#L2C5`, or the first of several lines. */
const place = /(?:#L(\d{1,7})(?:C(\d{1,7}))?(?:-L?\d{1,7}(?:C\d{1,7})?)?|:(\d{1,7})(?::(\d{1,7}))?)$/;

/**
 * The file that a link of an agent names, as `path`, `path:line` or `path:line:column`. Undefined for a link with a
 * scheme, such as `command:`, to another machine, or inside of the text. A path may lead anywhere: who opens it checks
 * that.
 */
export function fileLink(href: string): string | undefined {
  const decoded = decodedPath(href);
  if (decoded === undefined || /^[\\/]{2}|^[#?]|^$|\p{Cc}/u.test(decoded)) return undefined;
  const [end, hash, hashColumn, line = hash, column = hashColumn] = place.exec(decoded) ?? [""];
  const path = decoded.slice(0, decoded.length - end.length);
  // A letter before a colon is a drive; a word without a dot or a folder, before a number, is a scheme or a machine.
  const isFile = !/^[a-z][a-z\d+.-]+:/i.test(path) && (!end.startsWith(":") || /[./\\]/.test(path));
  if (path === "" || !isFile) return undefined;
  return [path, line, column].filter((part) => part !== undefined).join(":");
}

/** The path without escapes. Undefined where these are no text. */
function decodedPath(href: string): string | undefined {
  try {
    return decodeURIComponent(href);
  } catch {
    return undefined;
  }
}
