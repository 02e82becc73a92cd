import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type ColourWorker, codeColours } from "../src/code/code-colours.js";
import { codeSpans } from "../src/code/code-spans.js";
import { serveColours, type WorkerScope } from "../src/code/serve-colours.js";
import { spansOfLines } from "../src/looks/coloured-lines.js";

describe("the parts of code", () => {
  test("parts of code have a kind each, and together they are the code", () => {
    const code = 'const name: string = "x"; // why\nreturn call(12);\n';
    const spans = codeSpans(code, "tsx") ?? [];
    expect(spans.map(([text]) => text).join("")).toBe(code);
    const kindOf = (part: string) => spans.find(([text]) => text.includes(part))?.[1];
    expect(["const", '"x"', "// why", "call", "12"].map(kindOf)).toEqual([
      ...["word", "text", "note", "name", "num"],
    ]);
  });

  test.each([
    ["TypeScript", "name"],
    ["sh", "name"],
    ["python {.numbered}", "name"],
    ["", undefined],
    ["klingon", undefined],
    ["__proto__", undefined],
  ])("the language %j has colours or none", (language, kind) => {
    const spans = codeSpans("call(1)", language);
    expect(spans === undefined ? undefined : "name").toBe(kind);
    if (spans !== undefined) expect(spans.map(([text]) => text).join("")).toBe("call(1)");
  });
});

test("parts of code over several lines keep their kind on each of them", () => {
  expect(spansOfLines([["a "], ["/* b\n\nc */", "note"], ["\nd"]])).toEqual([
    [["a "], ["/* b", "note"]],
    [],
    [["c */", "note"]],
    [["d"]],
  ]);
});

describe("the client of the worker", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** A worker whose messages take a turn of the loop, and that hangs over code which has the word. */
  function workers(isBroken = false) {
    const started: ColourWorker[] = [];
    const ended = new Set<ColourWorker>();
    const start = () => {
      const worker: ColourWorker = {
        onmessage: null,
        onerror: null,
        postMessage: (data: { code: string }) => {
          if (!data.code.includes("hang")) setTimeout(() => scope.onmessage?.({ data } as MessageEvent));
        },
        terminate: () => void ended.add(worker),
      };
      const scope: WorkerScope = {
        onmessage: null,
        postMessage: (data) =>
          void setTimeout(() => worker.onmessage?.call(worker as Worker, { data } as MessageEvent)),
      };
      if (!isBroken) setTimeout(() => serveColours(scope), 5_000);
      started.push(worker);
      return worker;
    };
    return { start, started, ended };
  }

  test("code gets its colours from one worker, whose start is not part of its time", async () => {
    const { start, started } = workers();
    const highlight = codeColours(start);
    const found = Promise.all([highlight("let a", "js"), highlight("let b", "js")]);
    await vi.runAllTimersAsync();
    expect(await found).toEqual([
      [["let", "word"], [" a"]],
      [["let", "word"], [" b"]],
    ]);
    expect(started.length).toBe(1);
  });

  test("code that takes over 200 ms stays plain, its worker is ended, and the next code gets another", async () => {
    const { start, started, ended } = workers();
    const highlight = codeColours(start);
    const found = Promise.all([highlight("hang", "js"), highlight("let b", "js")]);
    await vi.advanceTimersByTimeAsync(5_150);
    expect(ended.size).toBe(0);
    await vi.advanceTimersByTimeAsync(100);
    expect([...ended]).toEqual([started[0]]);
    await vi.runAllTimersAsync();
    expect(await found).toEqual([undefined, [["let", "word"], [" b"]]]);
    expect(started.length).toBe(2);
  });

  test("code over 20,000 characters, and of no language, starts no worker", async () => {
    const { start, started } = workers();
    const highlight = codeColours(start);
    const long = "a".repeat(20_001);
    expect(await Promise.all([highlight(long, "js"), highlight("a", "")])).toEqual([undefined, undefined]);
    expect(started).toEqual([]);
  });

  test("all code stays plain where no worker starts, and none is tried again", async () => {
    const { start, started, ended } = workers(true);
    const highlight = codeColours(start);
    const found = highlight("let a", "js");
    await vi.runAllTimersAsync();
    expect(await found).toBe(undefined);
    expect(await highlight("let b", "js")).toBe(undefined);
    expect([started.length, ended.size]).toEqual([1, 1]);
    const refused = codeColours(() => {
      throw new Error("no workers here");
    });
    expect(await refused("let a", "js")).toBe(undefined);
  });
});
