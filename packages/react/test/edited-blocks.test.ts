import type { ApprovalView } from "@askwire/client";
import { expect, test } from "vitest";
import { shownParts } from "../src/cards/edited-blocks.js";

const change = (old_text: string, new_text: string, old_start = 1, new_start = 1) => ({
  ...{ type: "diff" as const, path: "a.txt", old_text, new_text, old_start, new_start, is_summary: false },
});
const approval = (display: readonly unknown[], edit: object) =>
  ({ description: "Edits", display, edit: { max_length: 1_000, ...edit } }) as unknown as ApprovalView;

test("a command that the person changed stands in place of the agent's, between what was around it", () => {
  const note = { type: "brief" as const, text: "careful" };
  const view = approval([note, { type: "shell", language: "sh", command: "ls" }, note], { content: "ls" });
  expect(shownParts(view, "ls -a")).toEqual({
    before: [note],
    edit: [{ type: "shell", language: "sh", command: "ls -a" }],
    after: [note],
  });
});

test("a file that the agent shows in parts is compared with itself before any of them", () => {
  const lines = Array.from({ length: 20 }, (_, line) => `l${line + 1}`);
  const content = `${lines.with(1, "two").with(17, "18a\n18b").join("\n")}\n`;
  const view = approval([change("l1\nl2\nl3", "l1\ntwo\nl3"), change("l18", "18a\n18b", 18, 18)], {
    ...{ content, path: "a.txt" },
  });
  const mine = content.replace("two", "2").replace("18b\n", "");
  const { edit } = shownParts(view, mine);
  expect(edit).toEqual([
    change("l1\nl2\nl3\nl4\nl5\n", "l1\n2\nl3\nl4\nl5\n"),
    change("l15\nl16\nl17\nl18\nl19\nl20\n", "l15\nl16\nl17\n18a\nl19\nl20\n", 15, 15),
  ]);
});

test("a change that only counts lines is shown as the difference from the agent's text", () => {
  const summary = { ...change("(9 lines)", "(1 line)"), is_summary: true };
  const { edit } = shownParts(approval([summary], { content: "x\n", path: "a.txt" }), "y\n");
  expect(edit).toEqual([change("x\n", "y\n")]);
});

test("a text that the description says has its difference after all else", () => {
  const note = { type: "brief" as const, text: "careful" };
  const view = { ...approval([note], { content: "ls" }), description: "Runs ls" };
  expect(shownParts(view, "ls -a")).toEqual({
    before: [note],
    edit: [{ ...change("ls\n", "ls -a\n"), path: "" }],
    after: [],
  });
});
