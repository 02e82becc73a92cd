import { talkWords } from "@askwire/client/words";
import { describe, expect, test } from "vitest";
import { callOutcome } from "../src/transcript/call-outcome.js";
import type { CallResult, Entry } from "../src/transcript/entries.js";
import { shownEntries } from "../src/transcript/shown-entries.js";
import { atOnce, begin, call, end, result, say } from "./told-events.js";

const words = talkWords.en;
const diff = (old_text: string, new_text: string, is_summary = false) => ({
  ...{ type: "diff" as const, path: "a.ts", old_text, new_text },
  ...{ old_start: 1, new_start: 1, is_summary },
});
const brief = (text: string) => ({ type: "brief" as const, text });
const outcome = (name: string, of: Partial<CallResult>) =>
  callOutcome({ name, inner: [] }, "npm test", { isError: false, output: [], display: [], ...of }, words);

describe("the outcome of a call in its row", () => {
  test("a call that changed files counts the lines that came and went, over all of them", () => {
    const display = [diff("a\nb\n", "a\nc\nd\n"), diff("x\n", "")];
    expect(outcome("EditFile", { display })).toEqual({
      text: "",
      lines: { added: 2, removed: 2 },
      rest: display,
    });
    expect(outcome("EditFile", { display: [diff("900 lines", "901 lines", true)] }).lines).toBe(undefined);
  });

  test("a call that read, ran or searched counts the lines of its output, and others do not", () => {
    expect(outcome("Shell", { output: ["one\ntwo\n"] }).text).toBe("2 lines");
    expect(outcome("ReadFile", { output: ["one"] }).text).toBe("1 line");
    expect(outcome("Grep", { output: [""] }).text).toBe("");
    expect(outcome("WriteFile", { output: ["Written.\n"] }).text).toBe("");
    expect(outcome("Deploy", { output: ["a\nb"] }).text).toBe("");
  });

  test("a tool's own short line is the outcome, and is not shown again; a long one is left for below", () => {
    expect(outcome("Shell", { isError: true, display: [brief("Exit code 1")] })).toEqual({
      ...{ text: "Exit code 1", rest: [] },
    });
    const long = brief("x".repeat(41));
    expect(outcome("Shell", { isError: true, display: [long] })).toEqual({ text: "failed", rest: [long] });
  });

  test("a short line or a command that only names the call again is not shown", () => {
    const shell = { type: "shell" as const, language: "sh", command: "npm test" };
    const display = [brief("Run npm test"), brief("Shell"), shell];
    expect(outcome("Shell", { output: ["ok"], display })).toEqual({ text: "1 line", rest: [] });
    expect(outcome("Shell", { isError: true, display })).toEqual({ text: "failed", rest: [] });
  });

  test("a call of a sub-agent counts its calls", () => {
    const inner = [{ kind: "call" }, { kind: "text" }, { kind: "call" }] as unknown as readonly Entry[];
    const done = { isError: false, output: ["Found."], display: [] };
    expect(callOutcome({ name: "Task", inner }, "", done, words).text).toBe("2 calls");
  });
});

const list = (...statuses: string[]) => ({
  display: [{ type: "todo", items: statuses.map((status, at) => ({ title: `t${at}`, status })) }],
});

/** The entries as they are drawn, after these events. */
function drawn(...told: ReturnType<typeof call>[]) {
  const store = atOnce();
  for (const one of told) store.handlers.event(one);
  const { entries, lastTodo } = shownEntries(store.current().entries);
  const kinds = entries.map((entry) =>
    entry.kind === "call"
      ? (entry.result?.display ?? []).map((block) => JSON.stringify(block)).join()
      : entry.kind,
  );
  return { kinds, lastAt: entries.findIndex(({ key }) => key === lastTodo) };
}

const todo = (...statuses: string[]) => JSON.stringify(list(...statuses).display[0]);

describe("the to-do list of a conversation", () => {
  test("a to-do list stays where the turn set it first, and is then as it was set last", () => {
    const { kinds, lastAt } = drawn(
      begin("go"),
      call("1", "SetTodoList", "{}"),
      result("1", "", list("in_progress", "pending")),
      say("I begin."),
      call("2", "SetTodoList", "{}"),
      result("2", "", list("done", "in_progress")),
      call("3", "SetTodoList", "{}"),
    );
    expect(kinds).toEqual(["prompt", todo("done", "in_progress"), "text"]);
    expect(lastAt).toBe(1);
  });

  test("a turn that sets a to-do list anew has one of its own, and the one before stays as it was", () => {
    const { kinds, lastAt } = drawn(
      begin("go"),
      call("1", "SetTodoList", "{}"),
      result("1", "", list("done")),
      end(),
      begin("more", "t2"),
      call("2", "SetTodoList", "{}"),
      result("2", "", list("pending")),
    );
    expect(kinds).toEqual(["prompt", todo("done"), "end", "prompt", todo("pending")]);
    expect(lastAt).toBe(4);
  });

  test("a call that failed, or that shows more than a list, keeps its row", () => {
    const shows = { display: [...list("done").display, brief("And more")] };
    const { kinds } = drawn(
      call("1", "SetTodoList", "{}"),
      result("1", "", list("pending")),
      call("2", "SetTodoList", "{}"),
      result("2", "no", { is_error: true }),
      call("3", "SetTodoList", "{}"),
      result("3", "", shows),
    );
    expect(kinds).toEqual([todo("pending"), "", `${todo("done")},${JSON.stringify(brief("And more"))}`]);
  });
});
