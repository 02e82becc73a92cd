import { describeIssues } from "@askwire/protocol";
import * as z from "zod/mini";
import { usageFailure } from "../input/failure.js";
import { parseConfiguration } from "../input/parse-configuration.js";
import { isEnvironment, isInherited, isText, TOKEN_VARIABLE } from "./agent-entry.js";

/** The content of a server's entry under `mcpServers`: all that decides what runs, and what is reached. */
export interface ServerEntry {
  /** The program and its arguments; undefined for a server at an address. */
  readonly command: readonly [string, ...string[]] | undefined;
  readonly url: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Variables of ours that the server gets although they are withheld from others. */
  readonly inherit: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The time without a word in which a call has to end, in milliseconds. */
  readonly timeout: number | undefined;
  /** The time of its start that a prompt waits for, in milliseconds. */
  readonly startup: number | undefined;
}

/** A server of a project's file, which a person has to approve. */
export interface ProjectServer {
  /** The name in lists and of the approval, which begins with `mcpServers/`. */
  readonly name: string;
  readonly from: "project";
  readonly file: string;
  /** The project's folder by its real path, absolute. */
  readonly folder: string;
  readonly server: ServerEntry;
}

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/i;

const isWord = (value: unknown): value is string => isText(value) && value.trim() !== "";
const isAddress = (value: unknown): value is string =>
  isText(value) && URL.canParse(value) && ["http:", "https:"].includes(new URL(value).protocol);

/** The keys that hosts of MCP share, so that an entry can be copied from one to another. */
const keys = {
  type: z.optional(z.enum(["stdio", "http"])),
  command: z.optional(z.custom<string>(isWord, 'a program, such as "npx"')),
  args: z.optional(z.array(z.custom<string>(isText, "a text"))),
  env: z.optional(
    z.custom<Record<string, string>>(isEnvironment, 'variables with texts, such as { LANG = "C" }'),
  ),
  inherit: z.optional(
    z.custom<readonly string[]>(
      isInherited,
      `names of variables, such as ["GITHUB_TOKEN"], without ${TOKEN_VARIABLE}`,
    ),
  ),
  url: z.optional(z.custom<string>(isAddress, "an address that begins with https: or http:")),
  headers: z.optional(z.record(z.string(), z.custom<string>(isText, "a text"))),
  timeout: z.optional(z.int().check(z.minimum(1_000), z.maximum(DAY_MS))),
  startup: z.optional(z.int().check(z.minimum(1_000), z.maximum(HOUR_MS))),
};
const Entry = z.strictObject(keys, {
  error: (issue) =>
    issue.code === "unrecognized_keys"
      ? `expected ${Object.keys(keys).join(", ")}, found ${issue.keys.join(", ")}`
      : undefined,
});

/** The part of a configuration that is about servers of MCP. Other keys are not looked at. */
const Configuration = z.object({ mcpServers: z.optional(z.record(z.string(), Entry)) });

/**
 * Reads the servers of a configuration, TOML or JSON.
 *
 * @param source the name for messages: the file.
 * @throws Failure of one line that names the source, the key and what was expected.
 */
export async function readServers(
  content: string,
  source: string,
): Promise<ReadonlyMap<string, ServerEntry>> {
  const parsed = Configuration.safeParse(await parseConfiguration(content, source));
  if (!parsed.success) throw usageFailure(`${source}: ${describeIssues(parsed.error.issues)}`);
  const servers = new Map<string, ServerEntry>();
  for (const [name, entry] of Object.entries(parsed.data.mcpServers ?? {})) {
    const { command, args = [], url, headers = {}, inherit = [], env = {}, timeout, startup } = entry;
    const place = `${source}: mcpServers.${name}`;
    if (!NAME.test(name))
      throw usageFailure(`${place}: expected a name of letters, digits, ".", "_" and "-"`);
    if ((command === undefined) === (url === undefined))
      throw usageFailure(`${place}: expected either command or url`);
    if (url !== undefined && (args.length > 0 || inherit.length > 0 || Object.keys(env).length > 0))
      throw usageFailure(`${place}: args, env and inherit are for a command: leave them out with url`);
    servers.set(name, {
      command: command === undefined ? undefined : [command, ...args],
      url,
      headers,
      inherit,
      env,
      timeout,
      startup,
    });
  }
  return servers;
}
