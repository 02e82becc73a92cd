import { onTestFinished } from "vitest";
import { modelAgent, scriptedModel } from "../../agent/src/index.js";
import { askUserQuestion } from "../../dialects/src/index.js";
import { type Clock, createServer } from "../../server/src/index.js";
import { approvedTool, asks, callLine, keptLog } from "../../server/test/scenario.js";

/** A model that asks, wants an approval, calls a tool of the client and says goodbye. */
export function conversationServer(clock?: Clock) {
  const scripts = [asks(), callLine("Shell", {}, "tc-2"), callLine("Weather", {}, "tc-3"), "text: Bye."];
  const tools = [askUserQuestion, approvedTool("Shell")];
  const agent = ({ history }: { history: never }) =>
    modelAgent({ model: scriptedModel(scripts), history, tools });
  const server = createServer({ agent: agent as never, log: keptLog(), ...(clock && { clock }) });
  onTestFinished(() => server.close());
  return server;
}

/** A user of a client: their handlers, and a record of what they did and of the problems that they were told. */
export function user() {
  const did: string[] = [];
  const problems: string[] = [];
  return {
    did,
    problems,
    options: {
      handlers: {
        async question() {
          did.push("question");
          return { items: [{ question_id: "q1", selected: ["q1_o2"] }] };
        },
        async approval() {
          did.push("approval");
          return "approve" as const;
        },
      },
      tools: [
        {
          name: "Weather",
          description: "",
          parameters: { type: "object" },
          async run() {
            did.push("tool");
            return "sunny";
          },
        },
      ],
      onProblem: (problem: string) => void problems.push(problem),
    },
  };
}
