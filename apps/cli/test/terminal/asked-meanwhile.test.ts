import { expect, test } from "vitest";
import { folderWith } from "../askwire.js";
import { openAskwire } from "../terminal.js";
import { inTurn } from "./agent-turn.js";

const question = { question: "Which database?", options: [{ label: "SQLite" }, { label: "PostgreSQL" }] };
const PROMPT = "a number, or your own words (/decline to decline) > ";

test("words without a line end stand above an open question, with what is typed", async () => {
  const { terminal, asks, says } = await inTurn();
  asks(question);
  await terminal.waitFor(/decline\) >$/);
  terminal.type("Post");
  await terminal.waitFor(/> Post$/);
  says("The second costs");
  says(" more.");
  await terminal.waitFor(`The second costs more.\n${PROMPT}Post`);
  terminal.type("greSQL\r");
  await terminal.waitFor(`${PROMPT}PostgreSQL`);
  says("\nOn.\n");
  const screen = await terminal.waitFor("On.");
  expect(screen).toMatch(/\nThe second costs more\.\n.*> PostgreSQL\nOn\./);
  expect(screen).not.toContain("> Post\n");
});

test("text without a line end continues behind the question after its answer", async () => {
  const { terminal, asks, says } = await inTurn();
  asks(question);
  await terminal.waitFor(/decline\) >$/);
  says("One line.\nHalf");
  await terminal.waitFor(/One line\.\n(Half\n)?a number.*>$/);
  terminal.type("1\r");
  await terminal.waitFor(/^Half/m);
  says(" a line.\n");
  await terminal.waitFor(/Half\s+a line\./);
});

test("a call that waits for its turn leaves an open question its prompt, and has one line", async () => {
  const { terminal, asks, calls, part, event } = await inTurn();
  asks(question);
  await terminal.waitFor(/decline\) >$/);
  calls("ask_user", null, "tc-second");
  await terminal.waitFor(`• ask_user\n${PROMPT.trimEnd()}`);
  part('{"question": "Which port?"}');
  asks({ ...question, question: "Which port?" }, "second");
  terminal.type("1\r");
  await terminal.waitFor(/Which port\?(.|\n)*decline\) >$/);
  terminal.type("2\r");
  event("ContentPart", { type: "text", text: "On.\n" });
  const screen = await terminal.waitFor("On.");
  expect(screen.split("• ask_user")).toHaveLength(2);
  expect(screen.split("Which port?")).toHaveLength(2);
});

/** The command with a scripted model that asks twice at once. */
async function askedTwice() {
  const call = (id: string, text: string) => {
    const args = JSON.stringify({ question: text, follow_up: ["Yes", "No"] });
    return `tool_call: ${JSON.stringify({ id, name: "ask_followup_question", arguments: args })}`;
  };
  const script = JSON.stringify([`${call("1", "First?")}\n${call("2", "Second?")}`, "text: On."]);
  const cwd = await folderWith({ "script.json": script });
  const args = ["chat", "--plain", "--prompt", "go", "--dialect", "kilo", "--script", "script.json"];
  const terminal = openAskwire(args, { cwd });
  await terminal.waitFor(/Second\?(.|\n)*decline\) >$/);
  return terminal;
}

test("a question that is replaced by a newer one says so where it was shown", async () => {
  const screen = (await askedTwice()).screen();
  const isSaid = screen.includes("(no longer open: a newer question took its place)");
  expect(isSaid).toBe(screen.includes("? First?"));
  expect(screen.split("? Second?")).toHaveLength(2);
});

test("Ctrl-D at a question declines it and ends the conversation", async () => {
  const terminal = await askedTwice();
  terminal.type("\u0004");
  const { exitCode } = await terminal.ended;
  expect(exitCode).toBe(0);
  expect(terminal.screen()).toMatch(/decline\) > ?\n {2}↳ User dismissed\nOn\.$/);
});
