// @ts-check
// A client that puts an agent's questions on the terminal, an answer a line. Usage: node first-client.mjs COMMAND [ARGUMENT…]
// #region first-client
import { connectProcess, textLines } from "@askwire/client/stdio";

const [command = "", ...args] = process.argv.slice(2);
const lines = textLines(process.stdin);
const session = await connectProcess(command, args, {
  handlers: {
    async question({ questions }) {
      const answers = new Map();
      for (const { question, options } of questions) {
        console.log([question, ...options.map(({ label }) => label)].join("\n  "));
        const { value, done } = await lines.next();
        if (done) throw new Error("nobody answers: the input has ended");
        answers.set(question, value);
      }
      return { answers: Object.fromEntries(answers) };
    },
  },
});
for await (const { type, payload } of session.prompt("Set up the project"))
  if (type === "ContentPart" && payload.type === "text") console.log(payload.text);
await session.close().then(() => process.stdin.destroy());
// #endregion first-client
