import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { query } from "@anthropic-ai/claude-agent-sdk";
import { claudeHandlers } from "@askwire/adapters/claude";
import { apart, messagesProvider } from "./messages-provider.mjs";
import { room, until, waiting } from "./room.mjs";

/** Runs Claude's own agent in a folder of its own, with what its model says. */
async function agent(
  /** @type {import("node:test").TestContext} */ t,
  /** @type {import("@askwire/client").ClientHandlers} */ handlers,
  /** @type {(folder: string) => import("./messages-provider.mjs").Step[]} */ steps,
  /** @type {Partial<import("@anthropic-ai/claude-agent-sdk").Options>} */ options = {},
) {
  const folder = await mkdtemp(join(tmpdir(), "askwire-claude-"));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const model = await messagesProvider(t, ...steps(folder));
  const { program, open } = await room(t, handlers);
  const run = query({
    prompt: "Go on",
    options: {
      ...claudeHandlers(await program(), { folder }),
      ...{ cwd: folder, env: apart(model.url, folder), permissionMode: "default", settingSources: [] },
      ...options,
    },
  });
  return { folder, model, open, run };
}

/** Reads a run to its end. @returns the text of its result. */
async function resultOf(/** @type {AsyncIterable<any>} */ run) {
  let result;
  for await (const message of run) if (message.type === "result") result = message.result ?? message.subtype;
  return result;
}

const questions = [
  {
    question: "Which database?",
    header: "Database",
    options: [
      { label: "SQLite", description: "one file" },
      { label: "PostgreSQL", description: "a server" },
    ],
    multiSelect: false,
  },
  {
    question: "Which systems?",
    header: "Systems",
    options: [
      { label: "linux", description: "servers" },
      { label: "mac, arm", description: "laptops" },
    ],
    multiSelect: true,
  },
];

test("a question of Claude's agent is answered, with a note and labels that have commas, and its model reads so", async (t) => {
  const { model, run } = await agent(
    t,
    {
      question: () => ({
        items: [
          { question_id: "q1", selected: ["q1_o2"], note: "from next month" },
          { question_id: "q2", selected: ["q2_o1", "q2_o2"] },
        ],
      }),
    },
    () => [[{ id: "toolu_1", name: "AskUserQuestion", input: { questions } }], "All done."],
  );
  assert.equal(await resultOf(run), "All done.");
  const [read] = model.read(1);
  assert.match(read, /"Which database\?"="PostgreSQL"/);
  assert.match(read, /from next month/);
  assert.match(read, /linux, \\?"mac, arm\\?"/);
});

test("a file of Claude's agent is shown as its difference, written as the person changed it, and rejected in words", async (t) => {
  /** @type {any[]} */
  const shown = [];
  const { folder, model, run } = await agent(
    t,
    {
      approval: ({ display, description }) => {
        shown.push(display[0], description);
        return shown.length === 2
          ? { option: "once", edited: "two\n" }
          : { response: "reject", feedback: "use another name" };
      },
    },
    (folder) => [
      [{ id: "toolu_1", name: "Write", input: { file_path: join(folder, "a.txt"), content: "one\n" } }],
      [{ id: "toolu_2", name: "Write", input: { file_path: join(folder, "b.txt"), content: "one\n" } }],
      "All done.",
    ],
  );
  assert.equal(await resultOf(run), "All done.");
  assert.equal(shown[0].new_text, "one\n");
  assert.equal(await readFile(join(folder, "a.txt"), "utf8"), "two\n");
  await assert.rejects(readFile(join(folder, "b.txt")));
  assert.match(JSON.stringify(model.read(2)), /use another name/);
});

test("a command of Claude's agent that a person always allows is asked once, and says where that is kept", async (t) => {
  /** @type {string[]} */
  const labels = [];
  const command = { command: "touch a.txt" };
  const { run } = await agent(
    t,
    {
      approval: ({ options = [] }) => {
        labels.push(options.map(({ label }) => label).join(" | "));
        return { option: "always" };
      },
    },
    () => [
      [{ id: "toolu_1", name: "Bash", input: command }],
      [{ id: "toolu_2", name: "Bash", input: command }],
      "All done.",
    ],
  );
  assert.equal(await resultOf(run), "All done.");
  assert.equal(labels.length, 1);
  assert.match(labels[0] ?? "", /from now on .* in this (project|session)/);
});

test("a question of Claude's agent is taken back from people when it is interrupted", async (t) => {
  const { open, run } = await agent(t, waiting, () => [
    [{ id: "toolu_1", name: "AskUserQuestion", input: { questions } }],
  ]);
  const ended = resultOf(run).catch((/** @type {unknown} */ error) => error);
  await until(() => open() === 1);
  await run.interrupt();
  await until(() => open() === 0);
  await ended;
});

for (const [how, reply, told] of /** @type {[string, any, RegExp][]} */ ([
  ["filled in", { items: [{ question_id: "q1", selected: [], own_text: "T-7" }] }, /"accept".*"T-7"/],
  ["closed", { declined: "dismissed" }, /"decline"/],
]))
  test(`a form of a server of Claude's agent that is ${how} by a person reaches the server so`, async (t) => {
    const { model, run } = await agent(
      t,
      { question: () => reply },
      () => [[{ id: "toolu_1", name: "mcp__tickets__open", input: {} }], "All done."],
      {
        allowedTools: ["mcp__tickets__open"],
        mcpServers: {
          tickets: {
            command: process.execPath,
            args: [fileURLToPath(new URL("ticket-server.mjs", import.meta.url))],
            alwaysLoad: true,
          },
        },
      },
    );
    assert.equal(await resultOf(run), "All done.");
    assert.match(model.read(1)[0].replaceAll("\\", ""), told);
  });
