import type { CoreQuestion } from "@askwire/protocol";
import { expect, test } from "vitest";
import { restOfApproval, restOfQuestion } from "../src/cards/rest-of-card.js";

const question = (more: Partial<CoreQuestion> = {}): CoreQuestion => ({
  ...{ id: "q1", question: "Which database?", header: "DB", body: "", multi_select: false, own_text: true },
  ...{ other_label: "", other_description: "", options: [] },
  ...more,
});
const approval = (description: string, display: object[]) =>
  ({ id: "a", sender: "Shell", action: "run", description, display }) as never;

test("a question that a pick shows in full has no rest", () => {
  const options = [{ id: "a", label: "SQLite", description: "One file" }];
  expect(restOfQuestion(question({ options }))).toBe("");
});

test("the rest of a question is its body, the previews, and what is too long or has several lines", () => {
  const long = "The file of the database stays in the folder, ".repeat(3);
  const options = [
    { id: "a", label: "SQLite", description: long },
    { id: "b", label: "PostgreSQL", description: "A server", preview: "port: 5432" },
  ];
  const asked = question({
    question: "Which database?\nIt stays.",
    body: "See [it](https://x.test).",
    options,
  });
  expect(restOfQuestion(asked)).toBe(
    `Which database?\nIt stays.\n\nSee [it](https://x.test).\n\nSQLite:\n\n${long}\n\nPostgreSQL:\n\nport: 5432`,
  );
});

test("the rest of an approval is the command, the list and what the diff editor does not show", () => {
  const change = { type: "diff", path: "/a", old_text: "a", new_text: "b", old_start: 1, new_start: 1 };
  const display = [
    { type: "shell", language: "sh", command: "make\nmake install" },
    { type: "brief", text: "It needs root." },
    { type: "todo", items: [{ title: "Build", status: "done" }] },
    { ...change, is_summary: false },
    { ...change, path: "/b", is_summary: true },
    { type: "other", data: { n: 1 } },
  ];
  expect(restOfApproval(approval("Runs make", display))).toBe(
    'make\nmake install\n\nIt needs root.\n\n- Build (done)\n\n/b\na\nb\n\n{\n  "n": 1\n}',
  );
  expect(restOfApproval(approval("Runs make", []))).toBe("");
});
