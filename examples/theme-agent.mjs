// @ts-check
// An agent that asks with previews, a default and a deadline. Usage: node theme-agent.mjs [MILLISECONDS]
import { createServer, QuestionExpired, QuestionRequest, serveStdio, wireSend } from "@askwire/server";

const ms = Number(process.argv[2] ?? 60_000);

// #region theme-agent
/** @param {import("@askwire/server").Turn} turn */
async function askForTheme(turn) {
  const request = new QuestionRequest({
    tool_call_id: turn.id,
    questions: [
      {
        question: "Which theme?",
        options: [
          { id: "day", label: "Day", preview: "```css\nbody { background: white }\n```" },
          {
            id: "night",
            label: "Night",
            preview: "```css\nbody { background: black }\n```",
            recommended: true,
          },
        ],
        own_text: false,
        default: ["night"],
      },
    ],
    deadline: { ms, on_expiry: "default" },
  });
  wireSend(request);
  try {
    const { items } = await request.waitForAnswer();
    const lost = (request.outcome?.degraded ?? []).map(({ feature }) => feature);
    return { theme: items[0]?.selected[0], by: request.outcome?.by, lost };
  } catch (error) {
    if (!(error instanceof QuestionExpired)) throw error;
    return { theme: "night", by: "nobody", lost: [] };
  }
}
// #endregion theme-agent

const server = createServer({
  agent: {
    async run(turn) {
      const { theme = "none", by, lost } = await askForTheme(turn);
      turn.say(`${theme}, by ${by}${lost.length === 0 ? "" : `; not shown: ${lost.join(", ")}`}.`);
    },
  },
});
await serveStdio(server);
