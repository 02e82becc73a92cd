import { dirname, resolve } from "node:path";
import { describeIssues } from "@askwire/protocol";
import { parseDocument } from "yaml";
import * as z from "zod/mini";
import { usageFailure } from "../input/failure.js";
import { readOptionFile } from "../input/read-file.js";
import { kimiTools } from "./kimi-tools.js";
import { promptFile } from "./prompt-file.js";

/** The option that names the file. */
const OPTION = "--agent-file";

const texts = z.optional(z.nullable(z.array(z.string())));

/** The keys of Kimi CLI's agent files that have an effect here. */
const known = {
  extend: z.optional(z.nullable(z.string())),
  /** Read, but shown nowhere. */
  name: z.optional(z.string()),
  system_prompt_path: z.optional(z.string()),
  tools: texts,
  exclude_tools: texts,
};

const AgentFile = z.object({
  version: z._default(z.literal([1, "1"]), 1),
  agent: z._default(z.catchall(z.object(known), z.unknown()), {}),
});

/** An agent file with all that it extends. */
export interface AgentFile {
  /** The names of the tools that the model is offered and may call. */
  readonly tools: ReadonlySet<string>;
  /** The instructions. Undefined for the command's own. */
  readonly prompt: string | undefined;
  /** Tools of Kimi CLI that the file names and that this command lacks, as written there. */
  readonly missing: readonly string[];
}

/** The settings of a single file, with those that it extends. Undefined for none. */
interface Said {
  readonly tools: readonly string[] | undefined;
  readonly excluded: readonly string[] | undefined;
  readonly prompt: string | undefined;
}

/**
 * Reads the file of `--agent-file`, in Kimi CLI's format: `extend`, `tools`, `exclude_tools` and `system_prompt_path`.
 *
 * @throws Failure of one line that names the file, the key and what was expected, also for any other key.
 */
export function readAgentFile(file: string, workDir: string): AgentFile {
  const { tools, excluded = [], prompt } = read(resolve(file), workDir, []);
  if (tools === undefined)
    throw usageFailure(`${OPTION} ${file}: agent.tools: expected a list of tools, or "extend: default"`);
  const left = tools.filter((path) => !excluded.includes(path));
  return {
    tools: new Set(left.flatMap((path) => kimiTools.get(path) ?? [])),
    prompt,
    missing: [...new Set(left.filter((path) => kimiTools.get(path) === undefined))],
  };
}

function read(file: string, workDir: string, extending: readonly string[]): Said {
  const source = `${OPTION} ${file}`;
  if (extending.includes(file))
    throw usageFailure(`${source}: agent.extend: expected a file that does not extend this one`);
  const { extend, system_prompt_path: path, ...agent } = parse(source, readOptionFile(OPTION, file));
  const base =
    extend == null
      ? nothing
      : extend === "default"
        ? everything
        : read(resolve(dirname(file), extend), workDir, [...extending, file]);
  const prompt = path === undefined ? base.prompt : promptFile(source, resolve(dirname(file), path), workDir);
  if (prompt === undefined && base === nothing)
    throw usageFailure(`${source}: agent.system_prompt_path: expected a file, or "extend: default"`);
  return {
    tools: list(agent.tools) ?? base.tools,
    excluded: list(agent.exclude_tools) ?? base.excluded,
    prompt,
  };
}

const nothing: Said = { tools: undefined, excluded: undefined, prompt: undefined };

/** Kimi CLI's own agent: all of its tools that exist here, with the command's own instructions. */
const everything: Said = {
  tools: [...kimiTools].flatMap(([path, name]) => (name === undefined ? [] : [path])),
  excluded: undefined,
  prompt: undefined,
};

/** A list of null is empty; a missing list is that of the extended file. */
const list = (given: readonly string[] | null | undefined) => (given === null ? [] : given);

function parse(source: string, text: string): z.output<typeof AgentFile>["agent"] {
  const document = parseDocument(text);
  const [problem] = document.errors;
  if (problem !== undefined)
    throw usageFailure(`${source}: line ${problem.linePos?.[0].line ?? 1}: expected YAML (${problem.code})`);
  const parsed = AgentFile.safeParse(document.toJS());
  if (!parsed.success) throw usageFailure(`${source}: ${describeIssues(parsed.error.issues)}`);
  const { agent } = parsed.data;
  for (const [key, value] of Object.entries(agent)) {
    if (Object.hasOwn(known, key) || value === null) continue;
    throw usageFailure(
      `${source}: agent.${key}: expected only ${Object.keys(known).join(", ")}; leave it out`,
    );
  }
  for (const key of ["tools", "exclude_tools"] as const)
    for (const path of agent[key] ?? [])
      if (!kimiTools.has(path))
        throw usageFailure(
          `${source}: agent.${key}: ${JSON.stringify(path)} is not a tool of Kimi CLI, such as "kimi_cli.tools.shell:Shell"`,
        );
  return agent;
}
