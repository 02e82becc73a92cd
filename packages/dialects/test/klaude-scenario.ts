import type { Message as ModelMessage, ModelRequest } from "@askwire/server";
import { callLine, scenario } from "../../server/test/scenario.js";
import { klaude } from "../src/index.js";

/** A single choice, whose first option has a preview. */
export const storage = {
  question: "Which storage?",
  header: "Storage",
  options: [
    { label: "SQLite", description: "one file", markdown: "| file |\n| --- |" },
    { label: "PostgreSQL", description: "" },
  ],
  multiSelect: false,
};

/** A choice of several. */
export const extras = {
  question: "Which extras?",
  header: "Extras",
  options: [
    { label: "Bell", description: "rings" },
    { label: "Light, bright", description: "shines" },
    { label: "Lock", description: "" },
  ],
  multiSelect: true,
};

export const say = "text: done";

/** A line of a script in which the model asks. */
export const klaudeAsks = (questions: unknown = [storage], id = "tc-1") =>
  callLine("AskUserQuestion", { questions }, id);

/** A server whose model asks as klaude-code's does. */
export function klaudeScenario(
  scripts: readonly string[] = [klaudeAsks(), say],
  options: Parameters<typeof scenario>[1] = {},
) {
  return scenario(scripts, { dialects: [klaude()], ...options });
}

/** The model's view of its calls' results, in its n-th request, from 1. */
export function resultsRead({ requests }: { readonly requests: readonly ModelRequest[] }, n = 2) {
  return (requests[n - 1]?.messages ?? []).flatMap((message: ModelMessage) =>
    message.role === "tool" ? [message.result] : [],
  );
}
