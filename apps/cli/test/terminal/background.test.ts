import { expect, test } from "vitest";
import { folderWith } from "../askwire.js";
import { openAskwire } from "../terminal.js";

const colour = { question: "Which colour?", options: [{ label: "Red" }, { label: "Blue" }] };
const call = {
  id: "tc-1",
  name: "AskUserQuestion",
  arguments: JSON.stringify({ questions: [colour], background: true }),
};
const script = [
  `tool_call: ${JSON.stringify(call)}`,
  "text: Meanwhile I read the plan.",
  "text: Then it is blue.",
];

test("a model asks in the background and continues: its words and the question are both there, and the answer is its next step (P-XBG-1 to P-XBG-3)", async () => {
  const cwd = await folderWith({ "s.json": JSON.stringify(script) });
  const terminal = openAskwire(["chat", "--plain", "--script", "s.json"], { cwd, rows: 30 });
  await terminal.waitFor(/^>$/m);
  terminal.type("paint\r");
  await terminal.waitFor("(/decline to decline) >");
  await terminal.waitFor("Meanwhile I read the plan.");
  terminal.type("2\r");
  const screen = await terminal.waitFor("Then it is blue.");
  expect(screen).toContain("Asked in the background");
  await terminal.waitFor(/blue\.\n>$/m);
});

test("a question that a model asks in the background is answered in a panel while the model continues", async () => {
  const cwd = await folderWith({ "s.json": JSON.stringify(script) });
  const terminal = openAskwire(["chat", "--script", "s.json"], { cwd, rows: 30 });
  await terminal.waitForRows(/^[>»]/m);
  terminal.type("paint\r");
  await terminal.waitForRows("Enter");
  await terminal.waitForRows("Meanwhile I read the plan.");
  terminal.type("\u001b[B\r");
  await terminal.waitFor("Then it is blue.");
});
