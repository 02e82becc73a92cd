import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { apart, messagesProvider } from "./messages-provider.mjs";
import { provider } from "./provider.mjs";
import { room } from "./room.mjs";

/** Runs an example, and gives what it printed. @param {string} name @param {string[]} args */
async function printed(name, ...args) {
  const file = fileURLToPath(new URL(`../${name}.mjs`, import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...args], { timeout: 60_000 });
  return stdout.trim().split("\n").at(-1);
}

/** A person who approves, and who chooses the second option of each question. */
function agreeing() {
  /** @type {unknown[]} */
  const shown = [];
  /** @type {import("@askwire/client").ClientHandlers} */
  const handlers = {
    approval: ({ description }) => {
      shown.push(description);
      return "approve";
    },
    question: ({ questions }) => {
      shown.push(questions[0]?.question);
      const rest = questions
        .slice(1)
        .map((_, nth) => ({ question_id: `q${nth + 2}`, selected: [], skipped: true }));
      return { items: [{ question_id: "q1", selected: ["q1_o2"] }, ...rest] };
    },
  };
  return { shown, handlers };
}

const options = [{ label: "staging" }, { label: "production" }];
const questions = [{ question: "Where should it go?", options }];
const asks = [{ id: "a1", name: "ask_user", input: { questions } }];
const deploys = [{ id: "d1", name: "deploy", input: { build: 42 } }];

for (const [name, asked, ...steps] of /** @type {const} */ ([
  ["ai-sdk", ["Where should it go?", "Call the tool deploy"], asks, deploys],
  ["two-calls", ["Call the tool deploy"], deploys],
  ["openai-agents", ["Where should it go?", "Call the tool deploy"], asks, deploys],
  ["mastra", ["Call the tool deploy", "Where should build 42 go?"], deploys],
])) {
  test(`the example ${name} asks its person, and its model goes on with what they said`, async (t) => {
    const { shown, handlers } = agreeing();
    const { address } = await room(t, handlers);
    const model = await provider(t, ...steps, "All done.");
    assert.equal(await printed(name, address, model.url), "All done.");
    assert.deepEqual(shown, asked);
    const told = JSON.stringify(model.sent.at(-1).messages);
    assert.match(told, name === "mastra" ? /Build 42 is on production/ : /Build 42 is live/);
  });
}

test("the example form has its person fill in the schema", async (t) => {
  const items = [
    { question_id: "q1", selected: [], own_text: "42" },
    { question_id: "q2", selected: ["q2_o2"] },
  ];
  const { address } = await room(t, { question: () => ({ items }) });
  assert.equal(await printed("form", address), "{ build: 42, target: 'production' }");
});

test("the example claude asks its person, and its model goes on with what they said", async (t) => {
  const { shown, handlers } = agreeing();
  const { address } = await room(t, handlers);
  const folder = await mkdtemp(join(tmpdir(), "askwire-claude-"));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const file_path = join(folder, "notes.txt");
  const described = options.map(({ label }) => ({ label, description: label }));
  const question = { question: "Where should it go?", header: "Where", options: described };
  const model = await messagesProvider(
    t,
    [{ id: "toolu_1", name: "AskUserQuestion", input: { questions: [question] } }],
    [{ id: "toolu_2", name: "Write", input: { file_path, content: "production\n" } }],
    "All done.",
  );
  const file = fileURLToPath(new URL("../claude.mjs", import.meta.url));
  const env = apart(model.url, folder);
  const { stdout } = await promisify(execFile)(process.execPath, [file, address], { env, cwd: folder });
  assert.equal(stdout.trim(), "All done.");
  assert.deepEqual(shown, ["Where should it go?", `Write ${file_path}`]);
  assert.equal(await readFile(file_path, "utf8"), "production\n");
});

test("the example langgraph asks its person, and its graph goes on with what they said", async (t) => {
  const { shown, handlers } = agreeing();
  const { address } = await room(t, handlers);
  assert.equal(await printed("langgraph", address), "Build 42 is on production.");
  assert.deepEqual(shown, ["Where should it go?", "Deploy build 42 to production"]);
});

test("the example ag-ui has its person answer the interrupts of an agent", async (t) => {
  const { shown, handlers } = agreeing();
  const { address } = await room(t, handlers);
  const responseSchema = { type: "string", enum: ["staging", "production"] };
  const interrupts = [{ id: "i1", reason: "input_required", message: "Where should it go?", responseSchema }];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { threadId, runId, resume } = JSON.parse(text);
    const outcome = resume === undefined ? { type: "interrupt", interrupts } : { type: "success" };
    const messageId = "m1";
    const said = resume && [
      { type: "TEXT_MESSAGE_START", messageId, role: "assistant" },
      { type: "TEXT_MESSAGE_CONTENT", messageId, delta: `It is on ${resume[0].payload}.` },
      { type: "TEXT_MESSAGE_END", messageId },
    ];
    response.setHeader("content-type", "text/event-stream");
    const events = [{ type: "RUN_STARTED" }, ...(said ?? []), { type: "RUN_FINISHED", outcome }];
    for (const event of events) response.write(`data: ${JSON.stringify({ threadId, runId, ...event })}\n\n`);
    response.end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  t.after(() => server.close());
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  assert.equal(await printed("ag-ui", address, `http://127.0.0.1:${port}`), "It is on production.");
  assert.deepEqual(shown, ["Where should it go?"]);
});
