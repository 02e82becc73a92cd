// @ts-check
// A client that stays with its session while connections come and go. Usage: node kept-open.mjs ADDRESS PROMPT
import { createInterface } from "node:readline/promises";
import { RequestSettled } from "@askwire/client";
// #region kept-open
import { connectWebSocket } from "@askwire/client/websocket";

const [address = "", prompt = ""] = process.argv.slice(2);
const terminal = createInterface({ input: process.stdin, output: process.stderr });

const session = await connectWebSocket(address, {
  shows: { deadline: true },
  onConnection(change) {
    if (change.state === "lost") console.log(`lost, again in ${change.retryInMs} ms`);
    if (change.state === "connected") console.log(change.reset ? "connected anew" : "connected");
  },
  handlers: {
    async question({ questions: [question] }, { signal, issues, touch }) {
      for (const { message } of issues) console.log(`Not taken: ${message}`);
      touch(); // From now on the deadline stands still.
      try {
        const text = await terminal.question(`${question?.question} `, { signal });
        return { answers: { [question?.question ?? ""]: text } };
      } catch (error) {
        const { reason } = signal;
        if (reason instanceof RequestSettled) console.log(`Settled: ${reason.outcome?.client?.name}`);
        throw error;
      }
    },
  },
});
for await (const { type, payload } of session.prompt(prompt))
  if (type === "ContentPart" && payload.type === "text") console.log(payload.text);
await session.close();
// #endregion kept-open
terminal.close();
