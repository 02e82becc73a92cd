import { resolve } from "node:path";
import { modelAgent, planModeTools } from "@askwire/agent";
import type { AgentFactory, Attendance, Model } from "@askwire/server";
import { workTools } from "../tools/index.js";
import type { ToolSetsOf } from "./mcp-tool-sets.js";
import { systemPrompt as prompt } from "./prose.js";
import { slashCommands } from "./slash-commands.js";

export interface WorkAgentOptions {
  /** The model. Undefined if there is none; each prompt is then told so. */
  readonly model: Model | undefined;
  /** The folder that the agent works in. */
  readonly workDir: string;
  /** Attempts at a step. Default: that of `modelAgent`. */
  readonly maxAttemptsPerStep?: number | undefined;
  /** The attendance that `/afk off` restores. Default: `attended`. */
  readonly attended?: Attendance | undefined;
  /** Chooses the tools for the folder by their names. Default: all. */
  readonly brings?: (tool: string) => boolean;
  /** Makes the tools of servers of MCP for a session. Default: none. */
  readonly toolSets?: ToolSetsOf;
  /** The instructions. Default: the command's own. */
  readonly prompt?: string | undefined;
}

/** Makes the command's own agent: a model that works in a folder. The server has its question tools. */
export function workAgent(options: WorkAgentOptions): AgentFactory {
  const { model, workDir, maxAttemptsPerStep, attended, brings = () => true, toolSets } = options;
  const folder = resolve(workDir);
  return (session) =>
    modelAgent({
      model,
      tools: [...planModeTools, ...workTools({ workDir: folder })].filter(({ name }) => brings(name)),
      toolSets: toolSets?.(session) ?? [],
      system: options.prompt ?? systemPrompt(folder, new Date()),
      history: session.history,
      commands: (conversation) => slashCommands({ session, conversation, attended }),
      ...(maxAttemptsPerStep === undefined ? {} : { maxAttemptsPerStep }),
    });
}

function systemPrompt(workDir: string, today: Date): string {
  const date = [today.getFullYear(), today.getMonth() + 1, today.getDate()]
    .map((number) => String(number).padStart(2, "0"))
    .join("-");
  const facts = new Map([
    ["work_dir", workDir],
    ["date", date],
  ]);
  return prompt.replace(/\{(\w+)\}/g, (place, name) => facts.get(name) ?? place);
}
