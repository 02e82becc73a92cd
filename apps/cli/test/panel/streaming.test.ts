import { expect, test } from "vitest";
import { key, press } from "./at-panel.js";
import { database, inTurn, port } from "./in-turn.js";

const OPEN = /Esc decline/;

/** The rows of the panel that has one question about a database, with what is typed in it. */
const panelWith = (typed: string) =>
  new RegExp(
    `Which database\\?\\n+ *1\\. SQLite\\n *2\\. PostgreSQL.*\\n❯ 3\\. Other: ${typed}\\n+.*Esc clear`,
  );

const count = (screen: string, text: string) => screen.split(text).length - 1;

test("words and calls of the agent continue above an open panel, which keeps what was typed in it", async () => {
  const { terminal, says, asks, event, received } = await inTurn({ rows: 30 });
  says("I look first.\n");
  asks(database);
  await terminal.waitForRows(OPEN);
  await press(terminal, [["My own", panelWith("My own")]]);
  says("Words ");
  says("in pieces.\n");
  await terminal.waitFor("Words in pieces.\n");
  const call = { type: "function", id: "other", function: { name: "ReadFile", arguments: null } };
  event("ToolCall", call);
  event("ToolCallPart", { arguments_part: '{"path": "notes' });
  event("ToolCallPart", { arguments_part: '.md"}' });
  const display = [{ type: "brief", text: "Read 3 lines" }];
  event("ToolResult", {
    tool_call_id: "other",
    return_value: { is_error: false, output: "", message: "", display },
  });
  const screen = await terminal.waitFor("Read 3 lines");
  expect(screen).toMatch(/I look first\.\nWords in pieces\.\n• ReadFile notes\.md · Read 3 lines\n/);
  await terminal.waitForRows(panelWith("My own"));
  for (const text of ["Which database?", "1. SQLite", "My own", "Esc clear"])
    expect(count(terminal.screen(), text)).toBe(1);
  await press(terminal, [[" words", panelWith("My own words")], key.enter]);
  expect(await received("r")).toMatchObject({ result: { answers: { "Which database?": "My own words" } } });
  await terminal.waitFor("  → My own words");
  expect(count(terminal.screen(), "SQLite")).toBe(0);
});

test("half a line of the agent waits for its end or a pause, and never stands beside the panel", async () => {
  const { terminal, says, asks, received } = await inTurn();
  asks(database);
  await terminal.waitForRows(OPEN);
  says("One line.\nHalf ");
  says("a line.\nAnd a half");
  // After a pause the half line is a line, above the panel: on a busy machine there may be one between the two messages.
  await terminal.waitForRows(/One line\.\nHalf\sa line\.\nAnd a half\n[\s\S]*Which database\?/);
  terminal.type(key.down + key.enter);
  await received("r");
  await terminal.waitFor("  → PostgreSQL · as a service");
  says("\nOn.\n");
  expect(await terminal.waitFor("On.")).toMatch(/And a half\n● Which database\?\n {2}→ PostgreSQL.*\n+On\./);
});

test("many lines at once scroll away above the panel, and all of them can be scrolled back to", async () => {
  const { terminal, says, asks } = await inTurn({ rows: 16 });
  asks(database);
  await terminal.waitForRows(OPEN);
  const lines = Array.from({ length: 120 }, (_, at) => `Line ${at + 1}.`);
  for (let at = 0; at < lines.length; at += 8) says(`${lines.slice(at, at + 8).join("\n")}\n`);
  await terminal.waitForRows(/Line 120\.\n[\s\S]*Which database/);
  await terminal.waitForRows(OPEN);
  expect(terminal.screen()).toContain(lines.join("\n"));
  expect(count(terminal.screen(), "Which database?")).toBe(1);
});

test("a thought, a plan, todos and commands are shown above the panel", async () => {
  const { terminal, asks, event } = await inTurn({ rows: 30 });
  asks(port);
  await terminal.waitForRows(OPEN);
  event("ContentPart", { type: "think", think: "It may be taken.\n" });
  event("PlanDisplay", { content: "First look.\nThen act.", file_path: "plan.md" });
  const todo = [
    { title: "Look", status: "done" },
    { title: "Act", status: "in_progress" },
    { title: "Rest", status: "pending" },
  ];
  const results = [
    { type: "todo", items: todo },
    { type: "shell", language: "bash", command: "echo one\necho two" },
  ];
  for (const [at, block] of results.entries())
    event("ToolResult", {
      tool_call_id: `other-${at}`,
      return_value: { is_error: false, output: "", message: "", display: [block] },
    });
  const screen = await terminal.waitFor("echo two");
  expect(screen).toContain("It may be taken.\nPlan (plan.md)\nFirst look.\nThen act.\n");
  expect(screen).toContain("  [x] Look\n  [>] Act\n  [ ] Rest\n  $ echo one\n  echo two\n");
  await terminal.waitForRows(/Which port\?[\s\S]*Esc decline/);
});

test("the agent's words on standard error stand above the panel too, and above a prompt", async () => {
  const { terminal, says, asks, logs, received, ends } = await inTurn();
  says("Half a line");
  logs("before");
  await terminal.waitForRows(/Half a line\nbefore\n»$/);
  asks(database);
  await terminal.waitForRows(OPEN);
  await press(terminal, [["My own", panelWith("My own")]]);
  logs("one");
  logs("another");
  await terminal.waitForRows(/before\none\nanother\n[\s\S]*Which database\?/);
  await press(terminal, [[" words", panelWith("My own words")]]);
  expect(count(terminal.screen(), "Which database?")).toBe(1);
  terminal.type(key.enter);
  await received("r");
  ends();
  await terminal.waitForRows(/another\n● Which database\?\n {2}→ My own words\n>$/);
  terminal.type("next");
  await terminal.waitForRows(/^> next$/m);
  logs("after");
  await terminal.waitForRows(/after\n> next$/);
});
