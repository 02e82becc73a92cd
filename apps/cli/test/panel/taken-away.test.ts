import { connectWebSocket } from "@askwire/client/websocket";
import { describe, expect, onTestFinished, test } from "vitest";
import { asksLine, colour, folderWith } from "../askwire.js";
import { key, press, start } from "./at-panel.js";
import { database, inTurn, port } from "./in-turn.js";
import { chatAt, serve } from "./served.js";

const OPEN = /Esc decline/;
const asksForColour = [asksLine([colour]), "text: Thanks.", "text: Again."];

/** A session with two terminals, in which the first has prompted and both show the question. */
async function twoAsked(script: readonly string[], shown: RegExp) {
  const { address } = await serve(script);
  const one = await chatAt(address);
  const two = await chatAt(address);
  one.type("hello\r");
  await Promise.all([one.waitForRows(shown), two.waitForRows(shown)]);
  return { address, one, two };
}

describe("a question in two terminals", () => {
  test("a question answered in one terminal closes in the other, which says so in one line and has its prompt again", async () => {
    const { one, two } = await twoAsked(asksForColour, /Which colour\?[\s\S]*Esc decline/);
    await press(one, [["mauv", "mauv"]]);
    two.type(key.down + key.enter);
    await one.waitForRows(/\(no longer open: somebody in askwire-chat answered it\)[\s\S]*Thanks\.\n>$/);
    await two.waitForRows(/● Which colour\?\n {2}→ Blue · like the sea\n[\s\S]*Thanks\.\n>$/);
    expect(one.screen().split("no longer open")).toHaveLength(2);
    expect(two.screen()).not.toContain("no longer open");
    for (const { rows } of [one, two]) expect(rows().join("\n")).not.toContain("❯");
    expect(one.screen()).not.toMatch(/mauv/);
    one.type("more\r");
    await one.waitForRows(/> more\n[\s\S]*Again\.\n>$/);
  });

  test("a question declined in one terminal closes in the other", async () => {
    const { one, two } = await twoAsked(asksForColour, /Which colour\?[\s\S]*Esc decline/);
    two.type(key.escape);
    await one.waitForRows(/\(no longer open: somebody in askwire-chat declined it\)[\s\S]*Thanks\.\n>$/);
    await two.waitForRows(/○ Which colour\?\n {2}→ declined\n[\s\S]*Thanks\.\n>$/);
  });

  test("a question closes in both terminals when somebody cancels the turn, and its outcome is reported once", async () => {
    const { address, one, two } = await twoAsked(asksForColour, /Which colour\?[\s\S]*Esc decline/);
    const third = await connectWebSocket(address);
    onTestFinished(() => third.close());
    await third.cancel();
    for (const terminal of [one, two]) {
      await terminal.waitForRows(/\(no longer open: the turn was cancelled\)[\s\S]*\n>$/);
      expect(terminal.screen().split("no longer open")).toHaveLength(2);
    }
    expect(one.screen()).toContain("(cancelled)");
    one.type("more\r");
    await one.waitForRows(/Thanks\.\n>$/);
  });

  test("a question is also shown in a terminal that joins later, and the first answer counts for both, even at the same time", async () => {
    const shell = { id: "tc-2", name: "Shell", arguments: JSON.stringify({ command: "true" }) };
    const { address } = await serve([`tool_call: ${JSON.stringify(shell)}`, "text: Thanks."]);
    const one = await chatAt(address);
    one.type("hello\r");
    await one.waitForRows(/Approve \(y\)/);
    const two = start(["chat", "--connect", address]);
    await two.waitForRows(/true[\s\S]*Approve \(y\)/);
    await press(two, [["n", /❯ \d\. Reject/]]);
    one.type(key.enter);
    two.type(key.enter);
    const told = /\((your answer did not count|no longer open): somebody in askwire-chat answered it\)/;
    // The later of the two says so.
    await Promise.any([one.waitForRows(told), two.waitForRows(told)]);
    await Promise.all([one.waitForRows(/\n>$/), two.waitForRows(/\n>$/)]);
    expect([one, two].filter((terminal) => told.test(terminal.screen()))).toHaveLength(1);
  });

  test("a question in one terminal leaves the approval in the other alone: each shows what is open", async () => {
    const shell = { id: "tc-2", name: "Shell", arguments: JSON.stringify({ command: "true" }) };
    const both = `${asksLine([colour])}\ntool_call: ${JSON.stringify(shell)}`;
    const { one, two } = await twoAsked([both, "text: Thanks."], /1 more waiting[\s\S]*Approve \(y\)/);
    two.type(key.enter);
    await one.waitForRows(
      /\(no longer open: somebody in askwire-chat answered it\)[\s\S]*Which colour\?[\s\S]*Esc decline/,
    );
    await two.waitForRows(/→ approved\n[\s\S]*Which colour\?[\s\S]*Esc decline/);
    one.type(key.enter);
    await two.waitForRows(/\(no longer open: somebody in askwire-chat answered it\)[\s\S]*Thanks\.\n>$/);
    await one.waitForRows(/ {2}→ Red\n[\s\S]*Thanks\.\n>$/);
  });
});

describe("a question that the agent gives up", () => {
  test("a question that its agent's turn ends closes with one line, and one that waited unseen disappears without a word", async () => {
    const { terminal, asks, says, ends } = await inTurn();
    asks(database, "one");
    asks(port, "two");
    await terminal.waitForRows(OPEN);
    await press(terminal, [["My own", /Other: My own/]]);
    says("Never mind.\n");
    ends();
    await terminal.waitForRows(/Never mind\.\n[\s\S]*\n>$/);
    expect(terminal.screen()).toMatch(/^Never mind\.\n\(no longer open: the turn ended\)[^\n]*\n>$/m);
    expect(terminal.screen()).not.toContain("Which port?");
    terminal.type("go on");
    await terminal.waitForRows(/^> go on$/m);
  });

  test("an approval that its agent's turn ends closes with one line, and the question behind it is not shown", async () => {
    const { terminal, asks, approves, ends } = await inTurn();
    approves("rm -r build");
    asks(database);
    await terminal.waitForRows(/1 more waiting[\s\S]*Approve \(y\)/);
    ends();
    await terminal.waitForRows(/\(no longer open: the turn ended\)[^\n]*\n>$/);
    expect(terminal.screen()).not.toMatch(/Which database|Approve/);
  });

  test("a question that the agent replaces says so, and the new one is shown", async () => {
    const asking = (id: string, question: string) => {
      const args = JSON.stringify({ question, follow_up: ["Yes", "No"] });
      return `tool_call: ${JSON.stringify({ id, name: "ask_followup_question", arguments: args })}`;
    };
    const script = JSON.stringify([`${asking("1", "First?")}\n${asking("2", "Second?")}`, "text: On."]);
    const cwd = await folderWith({ "s.json": script });
    const args = ["chat", "--prompt", "go", "--dialect", "kilo", "--script", "s.json"];
    const terminal = start(args, { cwd });
    await terminal.waitForRows(/Second\?[\s\S]*Esc decline/);
    terminal.type(key.enter);
    await terminal.waitForRows(/● Second\?\n {2}→ Yes\n[\s\S]*On\.\n>$/);
    expect(terminal.screen()).toContain("  ↳ Question superseded\n");
    expect(terminal.screen()).not.toContain("● First?");
  });
});
