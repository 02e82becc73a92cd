// @ts-check
// A custom loop that outlives its process: kill it while it asks, start it again with the same session, and the
// person finds the same question. `turn.once` keeps what was thought, `callTool` what was done and what is asked.
import { ask, createServer, defineTool, keepIn, serveStdio, shareFolder } from "@askwire/server";

const [sessionId = "11111111-1111-4111-8111-111111111111"] = process.argv.slice(2);

/** Stands for a model of your choice: it names the next call, or says that all is done. @param {unknown[]} messages */
const model = async (messages) =>
  ["Berlin", "Lagos"].map((city) => ({ id: `call-${city}`, city }))[messages.length - 1] ?? "done";

const askWhen = defineTool({
  name: "AskWhen",
  description: "Asks when to go to a city.",
  parameters: { type: "object" },
  restart: "again", // it only asks: the next process may run it again, and finds its question
  async run({ city }) {
    const asked = await ask(`When to ${city}?`, ["May", "June"]);
    return asked.answer === undefined ? asked.toolError : asked.answer;
  },
});

// #region resumes
/** @type {import("@askwire/server").Agent} */
const agent = {
  resumes: true,
  async run(turn) {
    const messages = [turn.input];
    for (;;) {
      const next = await turn.once(`reply ${messages.length}`, () => model(messages), { again: true });
      if (next === "done") break;
      const { output } = await turn.callTool(askWhen, { city: next.city }, { key: next.id });
      messages.push(`${next.city} in ${output}`);
    }
    turn.say(messages.slice(1).join(", "));
  },
};
// #endregion resumes

const keep = keepIn({ share: shareFolder(process.env, { kimi: false }), workDir: process.cwd() });
await serveStdio(createServer({ agent, keep }), { sessionId });
