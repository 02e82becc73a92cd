import { expect, test } from "vitest";
import { commandText, typedCommand } from "../src/agent/typed-command.js";

test.each([
  ["gemini --acp", ["gemini", "--acp"]],
  ["  a   b\tc ", ["a", "b", "c"]],
  ['"/opt/my agent/run" --name "a b"', ["/opt/my agent/run", "--name", "a b"]],
  ["run 'it \"is\"'", ["run", 'it "is"']],
  ["--key=\"a b\"'c d'", ["--key=a bc d"]],
  ['run ""', ["run", ""]],
  ["C:\\agents\\run.exe -x", ["C:\\agents\\run.exe", "-x"]],
  ['["run", "a b"]', ["run", "a b"]],
  ["[unlisted] x", ["[unlisted]", "x"]],
  [" ", []],
  ['run "never closed', undefined],
])("the program %j is typed as these words: %j", (text, words) => {
  expect(typedCommand(text)).toEqual(words);
});

test.each([[["gemini", "--acp"]], [["/opt/my agent/run", ""]], [["run", `'"`]], [["C:\\run.exe"]], [[]]])(
  "the program %j is typed again as it was",
  (words) => {
    expect(typedCommand(commandText(words))).toEqual(words);
  },
);
