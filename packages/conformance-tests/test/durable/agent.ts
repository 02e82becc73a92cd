import {
  type AgentSession,
  currentToolCall,
  defineTool,
  type Message,
  type Model,
  type ModelPart,
  requireApproval,
  type Tool,
} from "@askwire/server";
import * as z from "zod/mini";
import { modelAgent } from "../../../agent/src/index.js";
import { askUserQuestion } from "../../../dialects/src/index.js";

/** The texts of the two questions, in order. */
export const questions = ["Which database?", "Which port?"] as const;
/** The labels of the answers, by question. */
export const answers: Readonly<Record<string, string>> = {
  "Which database?": "Postgres",
  "Which port?": "5432",
};
const labels = { "Which database?": ["SQLite", "Postgres"], "Which port?": ["5432", "6543"] };

/** The deeds of an agent, which its process may end at. */
export interface Deeds {
  /** The model is given a conversation. */
  asksModel(messages: readonly Message[]): void;
  /** The tool begins to run a call. */
  runs(callId: string): void;
  /** The tool was given its approval. */
  goesOn(callId: string): void;
  /** The tool writes a file. */
  writes(effect: string): void;
}

const call = (id: string, name: string, args: object): ModelPart => ({
  type: "tool_call",
  call: { type: "function", id, function: { name, arguments: JSON.stringify(args) }, extras: null },
});

const asks = (id: string, question: keyof typeof labels): ModelPart =>
  call(id, "AskUserQuestion", {
    questions: [{ question, header: "Set-up", options: labels[question].map((label) => ({ label })) }],
  });

const says = (text: string): ModelPart => ({ type: "content", part: { type: "text", text } });

const writes = call("tc-3", "Write", { path: "app.conf" });

/** The steps of the model: two questions, an approval, a last word. */
export const oneByOne: readonly (readonly ModelPart[])[] = [
  [says("Two questions. "), asks("tc-1", questions[0])],
  [asks("tc-2", questions[1])],
  [writes],
  [says("Written.")],
];

/** All of these calls in one step, then a last word. */
export const atOnce: readonly (readonly ModelPart[])[] = [
  [says("All at once. "), asks("tc-1", questions[0]), asks("tc-2", questions[1]), writes],
  [says("Written.")],
];

/** A model that speaks by the number of its earlier answers, so that it goes on where another process stopped. */
function steppingModel(steps: typeof oneByOne, deeds: Deeds): Model {
  return {
    name: "stepping",
    async *stream({ messages }) {
      deeds.asksModel(messages);
      const step = messages.filter(({ role }) => role === "assistant").length;
      for (const part of steps[step] ?? [says("There is nothing more to do.")]) yield part;
      yield {
        type: "usage",
        usage: { input_other: 1, output: 1, input_cache_read: 0, input_cache_creation: 0 },
      };
    },
  };
}

/** The tool that writes a file once that is approved. */
function writeTool(deeds: Deeds): Tool {
  return defineTool({
    name: "Write",
    description: "writes a file",
    parameters: z.object({ path: z.string() }),
    restart: "asks-first",
    async run({ path }) {
      const { id } = currentToolCall();
      deeds.runs(id);
      await requireApproval({ action: "edit file", description: path });
      deeds.goesOn(id);
      deeds.writes(`${id}: ${path}`);
      return `wrote ${path}`;
    },
  });
}

export const scriptedAgent =
  (steps: typeof oneByOne, deeds: Deeds) =>
  ({ history }: AgentSession) =>
    modelAgent({ model: steppingModel(steps, deeds), history, tools: [askUserQuestion, writeTool(deeds)] });
