import { expect, test } from "vitest";
import { asksLine, colour, folderWith } from "../askwire.js";
import { key, start } from "./at-panel.js";

const writes = (id: string, path: string) => {
  const call = { id, name: "WriteFile", arguments: JSON.stringify({ path, content: "one\ntwo\n" }) };
  return `tool_call: ${JSON.stringify(call)}`;
};

/** A conversation with a model that says these things. */
async function conversation(...calls: string[]) {
  const cwd = await folderWith({ "s.json": JSON.stringify(calls) });
  const env = { ASKWIRE_HOME: await folderWith() };
  return start(["chat", "--prompt", "go", "--script", "s.json", "--no-bell"], { cwd, env });
}

/** Waits until this panel takes keys, then presses one. */
async function press(terminal: ReturnType<typeof start>, about: string, pressed: string) {
  await terminal.waitFor(new RegExp(`${about}[\\s\\S]*Esc decline`));
  terminal.type(pressed);
}

test("a turn leaves each call with its outcome, and says nothing twice", async () => {
  const terminal = await conversation(
    `text: Let me ask.\n${asksLine([colour], "t1")}`,
    `text: I write.\n${writes("t2", "a.txt")}`,
    "text: Done.",
  );
  await press(terminal, "Which colour", key.down + key.enter);
  await press(terminal, "Create the file", key.enter);
  const screen = await terminal.waitFor(/Done\.\n>/);
  expect(screen).toMatch(
    /^Let me ask\.\n● Which colour\?\n {2}→ Blue · like the sea\nI write\.\n● Create the file a\.txt → approved\n {2}1 \+[^\n]*\n {2}2 \+[^\n]*\n {2}↳ [^\n]*a\.txt \+2 -0\nDone\.\n>$/,
  );
});

test("declined questions and rejected approvals are reported only once", async () => {
  const terminal = await conversation(
    `text: Let me ask.\n${asksLine([colour], "t1")}`,
    `text: I write.\n${writes("t2", "a.txt")}`,
  );
  await press(terminal, "Which colour", key.ctrl("c"));
  await press(terminal, "Create the file", "n");
  await terminal.waitFor(/❯ \d\. Reject/);
  terminal.type(key.enter);
  const screen = await terminal.waitFor(/rejected\n[\s\S]*^>$/m);
  expect(screen).toMatch(
    /\n○ Which colour\?\n {2}→ declined\nI write\.\n○ Create the file a\.txt → rejected\n>$/,
  );
});
