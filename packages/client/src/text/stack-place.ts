/** A line of a stack of Node, with a place that is a file, as a path or as an address of one. */
const PLACE = /^\s+at (?:.* \()?(?:file:\/\/(\/[^()]+:\d+:\d+)|((?:\/|[A-Za-z]:\\)[^()]+:\d+:\d+))\)?$/m;

/** The first place in a stack of Node that is in a file, as `path:line:column`: Node's own modules are passed over. */
export function placeInStack(stack: string): string | undefined {
  const [, address, path] = PLACE.exec(stack) ?? [];
  return address === undefined ? path : decoded(address).replace(/^\/(?=[A-Za-z]:)/, "");
}

function decoded(address: string): string {
  try {
    return decodeURI(address);
  } catch {
    return address;
  }
}
