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
 * Gives a tool the name `mcp__server__tool`, with "_" for characters that providers refuse. A name from which both names
 * cannot be read, or that is too long, ends in a hash of both. So what is approved for a name is for that tool, whichever
 * other servers run.
 */
export function mcpToolName({ server, tool }: ToolPlace): string {
  const name = `mcp__${server}__${tool}`;
  const isPlain = /^[\w-]+$/.test(name) && !/__|_$/.test(server) && !/_[0-9a-f]{8}$/.test(tool);
  if (isPlain && name.length <= MOST_NAME) return name;
  const hash = createHash("sha256")
    .update(JSON.stringify([server, tool]))
    .digest("hex")
    .slice(0, HASH);
  return `${name.replace(/[^\w-]/g, "_").slice(0, MOST_NAME - HASH - 1)}_${hash}`;
}
