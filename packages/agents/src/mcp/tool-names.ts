import { createHash } from "node:crypto";

/** The most characters of a name. Providers of models refuse longer ones. */
const MOST_NAME = 64;
const HASH = 8;

/** A tool of a server, by the names that the configuration and the server use. */
export interface ToolPlace {
  readonly server: string;
  readonly tool: string;
}

/**
 * Gives each tool the name `mcp__server__tool`. Characters that providers refuse become "_". A name that is too long, or
 * that another tool has already, ends in a hash of both names, so that each tool keeps its name.
 */
export function toolNames(places: readonly ToolPlace[]): string[] {
  const plain = places.map(({ server, tool }) => `mcp__${server}__${tool}`.replace(/[^\w-]/g, "_"));
  const used = new Set<string>();
  return places.map(({ server, tool }, index) => {
    const name = plain[index] as string;
    const isFirst = !used.has(name) && name.length <= MOST_NAME;
    const hash = createHash("sha256")
      .update(JSON.stringify([server, tool]))
      .digest("hex")
      .slice(0, HASH);
    const given = isFirst ? name : `${name.slice(0, MOST_NAME - HASH - 1)}_${hash}`;
    used.add(given);
    return given;
  });
}
