// Asks questions that stay open, in sessions of a store in PostgreSQL, and tells the parent once each is before its
// client, and so in the engine. The order comes as an argument.
import { connect } from "@askwire/client";
import { postgresStore } from "@askwire/postgres";
import { linkedPair } from "@askwire/protocol/testing";
import { createServer, QuestionRequest, wireSend } from "@askwire/server";
import { heldQuestion } from "../payload.mjs";

/** @type {{ engine: { connectionString: string, schema: string }, sessions: number, each: number }} */
const { engine, sessions, each } = JSON.parse(process.argv[2] ?? "{}");

const { question, header, options } = heldQuestion;
const asked = () =>
  new QuestionRequest({ tool_call_id: "c1", questions: [{ question, header, options: [...options] }] });
const server = createServer({
  agent: {
    async run() {
      const requests = Array.from({ length: each }, asked);
      for (const request of requests) wireSend(request);
      await Promise.all(requests.map((request) => request.wait()));
    },
  },
  maxSessions: 1000,
  maxOpenRequests: 1000,
  store: await postgresStore(engine),
});

let shown = 0;
/** @type {(value?: unknown) => void} */
let allShown = () => {};
const isShown = new Promise((resolve) => {
  allShown = resolve;
});
for (let n = 0; n < sessions; n += 1) {
  const { left, right } = linkedPair(() => {});
  server.connect(left);
  const client = await connect(right, {
    profile: "base",
    handlers: {
      question() {
        shown += 1;
        if (shown === sessions * each) allShown();
        return new Promise(() => {});
      },
    },
  });
  client.prompt("go").result.catch(() => {});
}
await isShown;
process.send?.("shown");
