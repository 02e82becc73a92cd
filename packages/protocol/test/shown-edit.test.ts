import { expect, test } from "vitest";
import { says, withEditShown } from "../src/internal.js";

const edit = { content: "rm -rf build", language: "bash" };
const added = { type: "shell", language: "bash", command: "rm -rf build" };

test("a text that may be changed is one more block where nothing else shows it (P-XAO-3)", () => {
  expect(withEditShown({ description: "Clean up", display: [], edit })).toEqual([added]);
  const other = [{ type: "brief" as const, text: "Removes what was built." }];
  expect(withEditShown({ description: "Clean up", display: other, edit })).toEqual([...other, added]);
  const part = "Run rm -rf build/old?";
  expect(withEditShown({ description: part, display: [], edit })).toEqual([added]);
  const change = { type: "diff" as const, path: "/home/a.txt", old_text: "", new_text: "b" };
  const file = { content: "a\nb", path: "a.txt" };
  expect(withEditShown({ description: "", display: [change], edit: file })).toEqual([change]);
  expect(withEditShown({ description: "", display: [change], edit })).toEqual([change, added]);
  for (const path of ["", "/home/xa.txt"]) {
    const other = { ...change, path };
    expect(withEditShown({ description: "", display: [other], edit: file }), path).toHaveLength(2);
  }
});

test.each([
  ["its description", "Run `rm -rf build`", []],
  ["a command", "", [{ type: "shell", language: "bash", command: "rm -rf build" }]],
  ["a text", "", [{ type: "brief", text: "$ rm -rf build" }]],
  ["a difference", "", [{ type: "diff", path: "a", old_text: "", new_text: "rm -rf build\n" }]],
])("a text that may be changed is no further block where %s shows it", (_by, description, display) => {
  expect(withEditShown({ description, display: display as never, edit })).toEqual(display);
});

test("a word of a sentence is not the command of the same letters", () => {
  expect([says("Show the details", "ls"), says("Run ls", "ls"), says("Run ls -l", "ls")]).toEqual([
    false,
    true,
    true,
  ]);
});
