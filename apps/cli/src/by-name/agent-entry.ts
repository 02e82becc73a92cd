import { describeIssues } from "@askwire/protocol";
import * as z from "zod/mini";
import { usageFailure } from "../input/failure.js";
import { parseConfiguration } from "../input/parse-configuration.js";

/** A program with its arguments. */
export type Command = readonly [string, ...string[]];

/** The protocols that an agent's program may speak. */
export const protocols = ["acp", "wire"] as const;

/** The content of an agent's entry: all that decides what runs. */
export interface AgentEntry {
  readonly command: Command;
  /** Undefined where the agent's first answer decides. */
  readonly protocol: (typeof protocols)[number] | undefined;
  /** Variables of ours that the agent gets although they are withheld from others, such as a provider's key. */
  readonly inherit: readonly string[];
  /** Variables with values of the entry's own. */
  readonly env: Readonly<Record<string, string>>;
}

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/i;
const VARIABLE = /^[a-z_][a-z0-9_]{0,127}$/i;
/** The variable that no agent inherits: a program could answer in the person's place with our token. */
export const TOKEN_VARIABLE = "ASKWIRE_TOKEN";

export const isText = (value: unknown): value is string => typeof value === "string" && !value.includes("\0");

const isCommand = (value: unknown): value is Command =>
  Array.isArray(value) && value.every(isText) && value[0] !== undefined && value[0].trim() !== "";

export const isInherited = (value: unknown): value is readonly string[] =>
  Array.isArray(value) &&
  value.every((name) => isText(name) && VARIABLE.test(name) && name.toUpperCase() !== TOKEN_VARIABLE);

export const isEnvironment = (value: unknown): value is Record<string, string> =>
  typeof value === "object" &&
  value !== null &&
  Object.entries(value).every(([name, text]) => VARIABLE.test(name) && isText(text));

const keys = {
  command: z.custom<Command>(isCommand, 'the program and its arguments, such as ["node", "agent.mjs"]'),
  protocol: z.optional(z.enum(protocols)),
  inherit: z.optional(
    z.custom<readonly string[]>(
      isInherited,
      `names of variables, such as ["OPENAI_API_KEY"], without ${TOKEN_VARIABLE}`,
    ),
  ),
  env: z.optional(
    z.custom<Record<string, string>>(isEnvironment, 'variables with texts, such as { LANG = "C" }'),
  ),
};
const Entry = z.strictObject(keys, {
  error: (issue) =>
    issue.code === "unrecognized_keys"
      ? `expected ${Object.keys(keys).join(", ")}, found ${issue.keys.join(", ")}`
      : undefined,
});

/** The part of a configuration that is about agents. Other keys are not looked at. */
const Configuration = z.object({ agents: z.optional(z.record(z.string(), Entry)) });

/**
 * Reads the agents of a configuration, TOML or JSON.
 *
 * @param source the name for messages: the file.
 * @throws Failure of one line that names the source, the key and what was expected.
 */
export async function readEntries(content: string, source: string): Promise<ReadonlyMap<string, AgentEntry>> {
  const parsed = Configuration.safeParse(await parseConfiguration(content, source));
  if (!parsed.success) throw usageFailure(`${source}: ${describeIssues(parsed.error.issues)}`);
  const entries = Object.entries(parsed.data.agents ?? {});
  const misnamed = entries.find(([name]) => !NAME.test(name))?.[0];
  if (misnamed !== undefined) {
    const found = JSON.stringify(misnamed);
    throw usageFailure(
      `${source}: agents: expected names of letters, digits, ".", "_" and "-", found ${found}`,
    );
  }
  return new Map(
    entries.map(([name, { command, protocol, inherit = [], env = {} }]) => [
      name,
      { command, protocol, inherit, env },
    ]),
  );
}
