// @ts-check
// An agent that asks with previews, a default and a deadline. Usage: node theme-agent.mjs [MILLISECONDS]
import { createServer, serveStdio } from "@askwire/server";

const ms = Number(process.argv[2] ?? 60_000);

// #region theme-agent
/** @param {import("@askwire/server").Turn} turn */
async function askForTheme(turn) {
  const { answer, outcome } = await turn.ask(
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
    { deadline: { ms, on_expiry: "default" } },
  );
  if (answer === undefined && outcome.status === "expired") return { theme: "night", by: "nobody", lost: [] };
  return { theme: answer, by: outcome.by, lost: (outcome.degraded ?? []).map(({ feature }) => feature) };
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
