// A table of a TOML file, whose other characters stay as they are.
import { parse, TomlError } from "smol-toml";
import { usageFailure } from "../../input/failure.js";
import type { SettingsEntry } from "./host-settings.js";
import { refuseOther } from "./own-entry.js";

/**
 * Puts the table of the entry into the text of a file, in the place of an older one of ours.
 *
 * @throws Failure for text that is no TOML, for another server of the name, and for one in a form that has no table.
 */
export function withTable(text: string, file: string, entry: SettingsEntry): string {
  if (!("value" in entry)) throw new TypeError("withTable: expected an entry with a value");
  const there = tableAt(text, file, entry.path);
  if (JSON.stringify(there) === JSON.stringify(entry.value)) return text;
  const rest = withoutTable(text, file, entry);
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const header = `[${entry.path.join(".")}]`;
  const table = [header, ...membersOf(entry.value)].join(eol);
  const before = rest === "" ? "" : rest.endsWith("\n") ? `${rest}${eol}` : `${rest}${eol}${eol}`;
  return `${before}${table}${eol}`;
}

/** Takes the table out again. */
export function withoutTable(text: string, file: string, entry: SettingsEntry): string {
  const there = tableAt(text, file, entry.path);
  if (there === undefined) return text;
  refuseOther(there, file);
  const rest = withoutLines(text, entry.path);
  if (tableAt(rest, file, entry.path) !== undefined || hasLost(text, rest, file, entry.path))
    throw usageFailure(
      `${file}: ${entry.path.join(".")} is not written as a table of its own; nothing was changed: change it by hand`,
    );
  return rest;
}

/** True if something else than the table is gone. */
function hasLost(
  before: string,
  after: string,
  file: string,
  [first = "", second = ""]: readonly string[],
): boolean {
  const other = (text: string) => {
    const { [first]: servers, ...others } = parsed(text, file);
    const { [second]: _, ...rest } = Object(servers) as Record<string, unknown>;
    return JSON.stringify([others, rest]);
  };
  return other(before) !== other(after);
}

function tableAt(text: string, file: string, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (Object(value) as Record<string, unknown>)[key],
    parsed(text, file),
  );
}

function parsed(text: string, file: string): Record<string, unknown> {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw usageFailure(`${file}: line ${error.line}: expected TOML; nothing was changed: mend it first`);
  }
}

/** Removes the lines of a table and of those within it; comments and blank lines after them belong to what follows. */
function withoutLines(text: string, path: readonly string[]): string {
  const lines = text.split(/(?<=\n)/);
  const headerOf = (line: string) => /^\s*\[\[?([^\]]*)\]/.exec(line)?.[1]?.replace(/[\s"']/g, "");
  const name = path.join(".");
  const isOwn = (header: string | undefined) => header === name || header?.startsWith(`${name}.`) === true;
  const isAside = (line: string) => /^\s*(?:#.*)?\s*$/.test(line);
  const kept: string[] = [];
  let aside: string[] | undefined;
  for (const line of lines) {
    const header = headerOf(line);
    if (header !== undefined) {
      if (!isOwn(header)) kept.push(...(aside ?? []));
      else if (aside === undefined && kept.at(-1)?.trim() === "") kept.pop();
      aside = isOwn(header) ? [] : undefined;
      if (aside !== undefined) continue;
    }
    if (aside === undefined) kept.push(line);
    else aside = isAside(line) ? [...aside, line] : [];
  }
  return [...kept, ...(aside ?? [])].join("");
}

/** The members as lines. Variables stand in a line too: a table within this one would take what is written below. */
const membersOf = (value: unknown): string[] =>
  Object.entries(Object(value)).map(([key, member]) => `${key} = ${inALine(member)}`);

function inALine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inALine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)} = ${inALine(member)}`);
  return `{ ${members.join(", ")} }`;
}
