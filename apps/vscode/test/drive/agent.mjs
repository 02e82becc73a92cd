// @ts-check
// An agent for the drive: its prompt says whether it asks a choice, several, a number, or approval to write a file.
import { writeFile } from "node:fs/promises";
import { ApprovalRequest, createServer, QuestionRequest, serveStdio, wireSend } from "@askwire/server";

/** @param {any} questions */
async function ask(questions) {
  const request = new QuestionRequest({ tool_call_id: "ask", questions });
  wireSend(request);
  return JSON.stringify(await request.wait());
}

/** @param {string} path */
async function write(path) {
  const display = [/** @type {const} */ ({ type: "diff", path, old_text: "apples\n", new_text: "pears\n" })];
  const action = { sender: "WriteFile", action: "edit file", description: `Writes ${path}`, display };
  const request = new ApprovalRequest({ tool_call_id: "write", ...action });
  wireSend(request);
  const { response } = await request.wait();
  if (response !== "reject") await writeFile(path, "pears\n");
  return response;
}

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
  write: () => write("cart.txt"),
  "write outside": () => write("/nobody/hosts"),
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
