import { join } from "node:path";
import { expect, test } from "vitest";
import { readableLog } from "../../src/agents/readable-log.js";

/** Passes an agent's log on in these pieces, and gives the text that a person is shown. */
function shownOf(...pieces: string[]): string[] {
  const shown: string[] = [];
  const log = readableLog((text) => void shown.push(text));
  for (const piece of pieces) log(piece);
  return shown;
}

const place = `file://${join(process.cwd(), "agent.mjs")}:2:42`;
const stack = `Error: no database\n    at Object.run (${place})\n    at runPrompt (/elsewhere/main.js:1:1)`;
const record = JSON.stringify({
  level: 50,
  name: "askwire",
  err: { type: "Error", message: "no database", stack },
  msg: "the agent failed",
});
const words = "the agent failed: Error: no database (agent.mjs:2:42)\n";

test("a crash of an agent is shown as its message and its place, in however many pieces it comes", () => {
  expect(shownOf(`${record}\n`)).toEqual([words]);
  expect(shownOf(record.slice(0, 40), record.slice(40), "\n")).toEqual([words]);
  expect(shownOf(`one\n${record}\ntwo\n`)).toEqual([`one\n${words}two\n`]);
});

test("a crash inside of Node is shown with the place in a file that led to it", () => {
  const inside = stack.replace("Object.run (", "read (node:internal/fs/read:12:3)\n    at Object.run (");
  const crash = { ...JSON.parse(record), err: { type: "Error", message: "no database", stack: inside } };
  expect(shownOf(`${JSON.stringify(crash)}\n`)).toEqual([words]);
});

test("a log that is no record of an error is shown as it comes", () => {
  expect(shownOf("Loading", " …\n")).toEqual(["Loading", " …\n"]);
  expect(shownOf('{"level":30,"msg":"hello"}\n')).toEqual(['{"level":30,"msg":"hello"}\n']);
  expect(shownOf('{"level": no record\n')).toEqual(['{"level": no record\n']);
  const long = `{"level":${"x".repeat(70_000)}`;
  expect(shownOf(long)).toEqual([long]);
});
