import type { ApprovalView, RequestContext } from "@askwire/client";
import type { WireEvent } from "@askwire/protocol";
import { expect, test } from "vitest";
import { transcript } from "../src/transcript/store.js";
import { failedLast, wordsAtEnds } from "../src/transcript/turn-texts.js";

const event = (type: string, payload: object) => ({ type, payload }) as WireEvent;
const begin = (user_input: unknown = "go") => event("TurnBegin", { user_input, turn_id: "t1" });
const end = (fields: object = { status: "finished" }) => event("TurnEnd", { turn_id: "t1", ...fields });
const text = (said: string) => event("ContentPart", { type: "text", text: said });
const settled = (id: string) =>
  event("InteractionSettled", { request_id: id, kind: "approval", response: { response: "approve" } });
const asks = (id: string, tool_call_id = "c1") =>
  ({ id, tool_call_id, sender: "Shell", action: "run", description: "ls" }) as unknown as ApprovalView;
const changes = (path: string, is_error = false) =>
  event("ToolResult", {
    tool_call_id: "c1",
    return_value: {
      ...{ is_error, output: "", message: "", extras: null },
      display: [
        { type: "diff", path, old_text: "", new_text: "x", old_start: 1, new_start: 1, is_summary: false },
      ],
    },
  });

/** A conversation whose clock is moved by hand, and that shows approvals which nobody answers. */
function told() {
  const clock = { now: 1_000_000 };
  const store = transcript({
    now: () => clock.now,
    onFrame: (redraw) => redraw(),
    handlers: { approval: () => new Promise<never>(() => {}) },
  });
  const approve = (view: ApprovalView) =>
    void store.handlers.approval?.(view, {} as unknown as RequestContext);
  return { clock, store, approve, last: () => store.current().entries.at(-1) };
}

test("the end of a turn tells its time, the part of it that the person took, and each changed file once", () => {
  const { clock, store, approve, last } = told();
  store.handlers.event(begin());
  clock.now += 10_000;
  approve(asks("a"));
  clock.now += 5_000;
  approve(asks("b"));
  clock.now += 5_000;
  store.handlers.event(settled("a"));
  clock.now += 2_000;
  store.handlers.event(settled("b"));
  store.handlers.event(settled("b"));
  for (const path of ["a.ts", "b.ts", "a.ts"]) store.handlers.event(changes(path));
  store.handlers.event(changes("refused.ts", true));
  clock.now += 3_000;
  store.handlers.event(end());
  expect(last()).toMatchObject({ kind: "end", at: 1_025_000, took: 25_000, waited: 12_000, files: 2 });
});

test("a request of a program is no time that the agent waits", () => {
  const { clock, store, approve, last } = told();
  store.handlers.event(begin());
  approve(asks("a", ""));
  clock.now += 10_000;
  store.handlers.event(settled("a"));
  store.handlers.event(end());
  expect(last()).toMatchObject({ kind: "end", took: 10_000, waited: 0 });
});

test("a turn from before the page has no times, and one that goes on after it no beginning", () => {
  const { clock, store, last } = told();
  store.handlers.history.event?.(begin());
  store.handlers.history.event?.(changes("a.ts"));
  store.handlers.history.event?.(end());
  store.handlers.history.event?.(begin());
  store.handlers.history.end?.(true);
  expect(store.current().entries).toContainEqual({ kind: "end", key: expect.any(Number), files: 1 });
  clock.now += 10_000;
  store.handlers.event(end());
  expect(last()).toEqual({ kind: "end", key: expect.any(Number), files: 0, at: 1_010_000 });
});

test("a turn from before the page has the times that the server recorded, also where it goes on after them", () => {
  const { clock, store, last } = told();
  const at = (ms: number) => new Date(ms).toISOString();
  const begun = event("TurnBegin", { user_input: "go", turn_id: "t1", at: at(900_000) });
  store.handlers.history.event?.(begun);
  store.handlers.history.event?.(end({ status: "finished", at: at(930_000) }));
  store.handlers.history.event?.(begun);
  store.handlers.history.end?.(true);
  const ended = expect.objectContaining({ kind: "end", at: 930_000, took: 30_000 });
  expect(store.current().entries).toContainEqual(ended);
  clock.now += 10_000;
  store.handlers.event(end());
  expect(last()).toMatchObject({ kind: "end", at: 1_010_000, took: 110_000 });
});

test("a turn whose end has no status, as in the base profile, gets no line at its end", () => {
  const { store, last } = told();
  store.handlers.event(begin());
  store.handlers.event(text("Thanks."));
  store.handlers.event(end({}));
  expect(last()).toMatchObject({ kind: "text" });
});

test("the words to copy at an end are the last of its own turn", () => {
  const { store } = told();
  for (const one of [begin(), text("First."), event("StepBegin", { n: 2 }), text("**Last.**"), end()])
    store.handlers.event(one);
  for (const one of [begin(), end()]) store.handlers.event(one);
  expect([...wordsAtEnds(store.current().entries).values()]).toEqual(["**Last.**", ""]);
});

test("a failed turn is tried again by its words where these are whole, and nothing came after it", () => {
  const failed = end({ status: "failed", error: { code: -32_000, message: "no model" } });
  const promptOf = (...events: WireEvent[]) => {
    const { store } = told();
    for (const one of events) store.handlers.event(one);
    return failedLast(store.current().entries)?.prompt;
  };
  const picture = { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } };
  expect(promptOf(begin("Mend it"), failed)).toBe("Mend it");
  expect(promptOf(begin([{ type: "text", text: "Mend it" }, picture]), failed)).toBe(undefined);
  expect(promptOf(begin("x".repeat(300_000)), failed)).toBe(undefined);
  expect(promptOf(begin("Mend it"), failed, begin("Or this"))).toBe(undefined);
  expect(promptOf(begin("Mend it"), end())).toBe(undefined);
});
