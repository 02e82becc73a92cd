// @ts-check
// An agent for the tests inside the editor: notes that it was started, asks, writes a file, or says what it was sent.
import { appendFile, writeFile } from "node:fs/promises";
import { ApprovalRequest, createServer, QuestionRequest, serveStdio, wireSend } from "@askwire/server";

await appendFile("started.txt", `${process.pid}\n`);

/** @type {Record<string, () => Promise<string>>} */
const tasks = {
  async ask() {
    const questions = [
      { question: "Which database?", header: "DB", options: [{ label: "SQLite" }, { label: "None" }] },
    ];
    const request = new QuestionRequest({ tool_call_id: "ask", questions });
    wireSend(request);
    return JSON.stringify(await request.wait());
  },
  async write() {
    const display = [
      /** @type {const} */ ({
        type: "diff",
        path: "cart.json",
        old_text: '"apples"\n',
        new_text: '"pears"\n',
      }),
    ];
    const action = { sender: "WriteFile", action: "edit file", description: "Writes cart.json", display };
    const request = new ApprovalRequest({ tool_call_id: "write", ...action });
    wireSend(request);
    const { response } = await request.wait();
    if (response !== "reject") await writeFile("cart.json", '"pears"\n');
    return response;
  },
};

const server = createServer({
  agent: {
    async run(turn) {
      const task = tasks[String(turn.input)];
      turn.say(`Result: ${task === undefined ? JSON.stringify(turn.input) : await task()}`);
    },
  },
});
await serveStdio(server);
