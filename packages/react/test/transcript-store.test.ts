import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Conversation, transcript } from "../src/index.js";
import { atOnce, begin, call, end, event, result, say, settled, think } from "./told-events.js";

const told = fc.array(
  fc.oneof(
    fc.constantFrom(say("a"), say("b"), think("c"), event("StepBegin", { n: 1 }), begin("p"), end()),
    fc.constantFrom(
      call("1", "A", "{"),
      call("2", "B", "{}"),
      event("ToolCallPart", { arguments_part: "}" }),
    ),
    fc.constantFrom(result("1", "x"), result("2", "y"), event("CompactionBegin"), settled("q", "question")),
  ),
  { maxLength: 60 },
);

/** What is shown of a conversation, but for times: a page knows those of the turns that it saw. */
const untimed = ({ entries, isRunning, isComing, isCut }: Conversation) => ({
  ...{ isRunning, isComing, isCut },
  entries: entries.map((entry) => (entry.kind === "end" ? { kind: "end", files: entry.files } : entry)),
});

describe("the transcript store", () => {
  test("a store shows history and what follows as one, wherever a page joins", () => {
    fc.assert(
      fc.property(told, fc.nat(60), (all, at) => {
        const whole = atOnce();
        for (const one of all) whole.handlers.event(one);
        const joined = atOnce();
        for (const one of all.slice(0, at)) joined.handlers.history.event?.(one);
        joined.handlers.history.end?.(true);
        for (const one of all.slice(at)) joined.handlers.event(one);
        expect(untimed(joined.current())).toEqual(untimed(whole.current()));
      }),
    );
  });

  test("a history of any length is told when it begins and once all of it has come, so that it is drawn twice", () => {
    const store = atOnce();
    const told: Conversation[] = [];
    store.subscribe(() => told.push(store.current()));
    const { history } = store.handlers;
    history.event?.(begin("go"));
    for (let piece = 0; piece < 1_000; piece++) history.event?.(say("a"));
    history.end?.(true);
    expect(told.map(({ isComing }) => isComing)).toEqual([true, false]);
    expect(told[1]?.entries).toMatchObject([{ kind: "prompt" }, { kind: "text", text: "a".repeat(1_000) }]);
  });

  test("a store keeps what did not change as the same objects, with keys that differ", () => {
    fc.assert(
      fc.property(told, (all) => {
        const store = atOnce();
        for (const one of all) {
          const before = store.current().entries;
          store.handlers.event(one);
          const { entries } = store.current();
          const changed = entries.filter((entry, at) => at < before.length && entry !== before[at]);
          expect(changed.length).toBeLessThanOrEqual(2);
          expect(entries.slice(0, -1).some(({ isOpen }) => isOpen)).toBe(false);
          expect(new Set(entries.map(({ key }) => key)).size).toBe(entries.length);
        }
      }),
    );
  });

  test("a store leaves out the oldest of too many parts or characters, and says so", () => {
    fc.assert(
      fc.property(told, (all) => {
        const store = atOnce({ bounds: { entries: 5, characters: 200 } });
        const free = atOnce();
        for (const one of all) {
          store.handlers.event(one);
          free.handlers.event(one);
        }
        const { entries, isCut } = store.current();
        expect(entries.length).toBeLessThanOrEqual(5);
        if (free.current().entries.length > 5) expect(isCut).toBe(true);
      }),
    );
    const store = atOnce({ bounds: { characters: 1_000 } });
    for (let count = 0; count < 10; count += 1) {
      store.handlers.event(say("x".repeat(300)));
      store.handlers.event(event("StepBegin", { n: 1 }));
    }
    expect(store.current().entries.length).toBeLessThanOrEqual(3);
    expect(store.current().isCut).toBe(true);
  });

  test("a store cuts a text that grows without end", () => {
    const store = atOnce();
    for (let count = 0; count < 40; count += 1) store.handlers.event(say("x".repeat(10_000)));
    const [entry] = store.current().entries;
    expect(entry).toMatchObject({ kind: "text", text: `${"x".repeat(262_144)}…` });
  });

  test("a store notifies its listeners once a frame, and shows them nothing between", () => {
    const frames: (() => void)[] = [];
    const store = transcript({ onFrame: (redraw) => void frames.push(redraw) });
    let calls = 0;
    store.subscribe(() => {
      calls += 1;
    });
    for (const text of ["a", "b", "c"]) store.handlers.event(say(text));
    expect(frames).toHaveLength(1);
    expect(store.current().entries).toEqual([]);
    frames[0]?.();
    expect(calls).toBe(1);
    expect(store.current().entries).toMatchObject([{ text: "abc" }]);
  });

  test("a store is empty after a reset, and a history that begins again is not added to the old one", () => {
    const store = atOnce();
    const { history } = store.handlers;
    history.event?.(begin("cut off"));
    store.reset();
    expect(store.current()).toMatchObject({ entries: [], isRunning: false });
    history.event?.(begin("a"));
    history.end?.(false);
    expect(store.current()).toMatchObject({ isCut: true, isComing: false });
    history.event?.(begin("b"));
    history.end?.(true);
    expect(store.current().entries).toMatchObject([{ said: ["b"] }]);
  });

  test("a store calls the handlers that it was given too", () => {
    const heard: string[] = [];
    const store = atOnce({
      handlers: {
        event: ({ type }) => void heard.push(type),
        history: { end: () => void heard.push("end") },
      },
    });
    store.handlers.history.end?.(true);
    store.handlers.event(say("a"));
    expect(heard).toEqual(["end", "ContentPart"]);
    expect(store.handlers.question).toBeUndefined();
  });
});
