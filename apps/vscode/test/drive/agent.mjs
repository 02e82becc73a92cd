// @ts-check
// An agent for the drive: its prompt says whether it asks a choice, several, a number, or approval to write a file.
import { createServer, serveStdio } from "@askwire/server";
import { ask, write } from "../requests.mjs";

/** @type {Record<string, () => Promise<string>>} */
const tasks = {
  choice: () =>
    ask([
      { question: "Which database?", header: "DB", options: [{ label: "SQLite" }, { label: "PostgreSQL" }] },
    ]),
  number: () =>
    ask([
      {
        ...{ question: "Which port?", header: "Port", options: [] },
        field: { type: "integer", bounds: { min: 1024, max: 65535 } },
      },
    ]),
  write: () => write("cart.txt", "apples\n", "pears\n"),
  twice: async () =>
    (await Promise.all([write("one.txt", "", "one\n"), write("two.txt", "", "two\n")])).join(),
  "write outside": () => write("/nobody/hosts", "apples\n", "pears\n"),
};

const server = createServer({
  agent: {
    async run(turn) {
      const task = tasks[String(turn.input)];
      turn.say(`Result: ${task === undefined ? process.ppid : await task()}`);
    },
  },
});
await serveStdio(server);
