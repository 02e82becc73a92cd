import { join } from "node:path";
import { defineTool, keepIn, sessionFolder, ToolError } from "@askwire/server";
import { JOURNAL_FILE } from "@askwire/server/internal";
import * as z from "zod/mini";
import { modelAgent, scriptedModel } from "../../agent/src/index.js";
import { detailedLog, temporaryFolder } from "../../server/test/journal-folder.js";
import { callLine, scenario } from "../../server/test/scenario.js";
import { readTrajectory } from "../src/read-trajectory.js";
import type { Trajectory } from "../src/trajectory.js";

export const id = "11111111-1111-4111-8111-111111111111";

/** A session whose journal is kept, with the file of it. */
export function keptSession(
  scripts: readonly string[],
  options: Parameters<typeof scenario>[1] = {},
  share = temporaryFolder(),
): ReturnType<typeof scenario> & { readonly share: string; readonly file: string } {
  const place = { share, workDir: "/work" };
  const made = scenario(scripts, {
    keep: keepIn({ ...place, log: detailedLog() }),
    tools: [parameters, runCode],
    ...options,
  });
  return { ...made, share, file: join(sessionFolder({ ...place, id }), JOURNAL_FILE) };
}

/** Runs a session with these prompts, each awaited, and returns its trajectory. */
export async function trajectoryOf(
  scripts: readonly string[],
  prompts: readonly string[] = ["go"],
  options: Parameters<typeof scenario>[1] = {},
): Promise<Trajectory> {
  const { meet, server, file } = keptSession(scripts, options);
  const { client } = await meet({ sessionId: id });
  for (const user_input of prompts) await client.call("prompt", { user_input });
  await server.close();
  return trajectoryIn(file);
}

/** The trajectory of a journal, which has one. */
export async function trajectoryIn(file: string): Promise<Trajectory> {
  const read = await readTrajectory(file, id);
  if (typeof read === "string") throw new Error(`no trajectory: ${read}`);
  return read;
}

/** Roles and texts of messages, for a look at their order. */
export const said = ({ messages }: Trajectory) => messages.map(({ role, content }) => `${role}: ${content}`);

/** Tells the parameters of an action. */
const parameters = defineTool({
  name: "param_query",
  description: "Tells the parameters of an action.",
  parameters: z.object({ tool_id: z.string(), action: z.string() }),
  run: ({ tool_id, action }) =>
    /^run.code$/i.test(action)
      ? JSON.stringify({ status: "success", tool_id, action, parameters: { code: { type: "string" } } })
      : new ToolError({ message: "", output: `{"status":"error","action":"${action}"}`, brief: "Unknown" }),
});

const runCode = defineTool({
  name: "run_code",
  description: "Runs code.",
  parameters: z.object({ code: z.string() }),
  run: ({ code }) => `ran ${code}`,
});

export const written = {
  query: "<tool_param><tool_id>box</tool_id><action>run_code</action></tool_param>",
  call: '<box><run_code>{"code": "1"}</run_code></box>\n<execute_tools />',
};

/** A line in which the model makes a call, in its text if `extras` has the written text. */
function line(name: string, args: unknown, callId: string, extras: object | null): string {
  return `tool_call: ${JSON.stringify({ id: callId, name, arguments: JSON.stringify(args), extras })}`;
}

export const query = (extras: object = {}, callId = "q-1") =>
  line("param_query", { tool_id: "box", action: "run_code" }, callId, { written: written.query, ...extras });
export const fill = (extras: object = {}, args: object = { code: "1" }, callId = "c-1") =>
  line("run_code", args, callId, { written: written.call, ...extras });
export const nativeQuery = callLine("param_query", { tool_id: "box", action: "Run-Code" }, "q-1");
export const nativeCall = callLine("run_code", { code: "1" }, "c-1");

/** A tool that hands its work to a sub-agent with a scripted model of its own. */
export const delegate = (scripts: readonly string[]) =>
  defineTool({
    name: "Agent",
    description: "Delegates.",
    parameters: z.object({}),
    async run(_params, { subagent }) {
      const agent = modelAgent({ model: scriptedModel(scripts), tools: [runCode] });
      const { text } = await subagent({ agent, type: "coder", input: "do it" });
      return text;
    },
  });
