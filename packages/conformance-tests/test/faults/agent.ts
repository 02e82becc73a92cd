import { type AgentSession, defineTool, type ModelRequest, requireApproval } from "@askwire/server";
import * as z from "zod/mini";
import { modelAgent, scriptedModel } from "../../../agent/src/index.js";
import { askUserQuestion } from "../../../dialects/src/index.js";

const callLine = (id: string, name: string, args: unknown) =>
  `tool_call: ${JSON.stringify({ id, name, arguments: JSON.stringify(args) })}`;

const questions = [
  { question: "Which database?", options: [{ label: "SQLite" }, { label: "Postgres" }] },
  { question: "Which features?", options: [{ label: "Search" }, { label: "Import" }], multi_select: true },
];

const asks = callLine("tc-1", "AskUserQuestion", { questions });
const looksUp = callLine("tc-2", "Lookup", { key: "size" });
const writes = callLine("tc-3", "Write", {});

/**
 * Two turns. The first asks a question, calls the client's tool under a hook, and wants an approval. The second only
 * talks.
 */
export const oneByOne = [`text: A choice.\n${asks}`, looksUp, writes, "text: Written.", "text: And more."];

/** These calls, all in one step. */
export const atOnce = [
  `text: A choice.\n${asks}\n${looksUp}\n${writes}`,
  "text: Written.",
  "text: And more.",
];

/** An agent that replays scripts, and notes its tool's acts and its model's input. */
export function watchedAgent(scripts: readonly string[], done: string[], asked: ModelRequest[]) {
  const write = defineTool({
    name: "Write",
    description: "writes",
    parameters: z.object({}),
    async run() {
      await requireApproval({ action: "edit file", description: "a.txt" });
      done.push("written");
      return "written";
    },
  });
  const model = scriptedModel(scripts);
  return ({ history }: AgentSession) =>
    modelAgent({
      model: {
        ...model,
        stream(request) {
          asked.push({ ...request, messages: [...request.messages] });
          return model.stream(request);
        },
      },
      history,
      tools: [askUserQuestion, write],
    });
}
