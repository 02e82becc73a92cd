import { describe, expect, test, vi } from "vitest";
import * as z from "zod/mini";
import { deferred } from "../../../scripts/deferred.js";
import { DisplayBlock, events, requests, type Validate, validate } from "../src/index.js";
import { validateCompiled } from "../src/node/index.js";
import { compilingValidator } from "../src/validation.js";

/** Values that fit and values that do not, for schemas with every kind of part. */
const cases: [name: string, schema: Parameters<Validate>[0], values: unknown[]][] = [
  ["StatusUpdate", events.StatusUpdate, [{}, { plan_mode: true, extra: 1 }, { token_usage: {} }, null]],
  ["TurnBegin", events.TurnBegin, [{ user_input: "x" }, { user_input: [{ type: "hologram" }] }, {}]],
  ["SubagentEvent", events.SubagentEvent, [{ task_tool_call_id: "t", event: { type: "X", payload: 1 } }, {}]],
  ["DisplayBlock", DisplayBlock, [{ type: "chart", a: 1 }, { type: "shell" }, { type: "brief", text: "x" }]],
  [
    "QuestionRequest",
    requests.QuestionRequest.payload,
    [
      { id: "q", tool_call_id: "t", questions: [{ question: "?", options: [{ label: "A" }] }] },
      { id: 5 },
      [],
    ],
  ],
];

describe("a schema that is used often", () => {
  test.each(cases)(
    "a compiled schema of %s reads and refuses the same, in the same words",
    async (_, schema, values) => {
      for (let round = 0; round < 40; round++) {
        for (const value of values)
          expect(validateCompiled(schema, value)).toStrictEqual(validate(schema, value));
        // The compiler is loaded at the first use of one.
        await import("../src/node/compile.js");
      }
    },
  );

  test("a schema is interpreted until the compiler is there, which is asked for once", async () => {
    const { promise: given, resolve: give } = deferred<() => z.ZodMiniType>();
    const load = vi.fn(() => given);
    const validateOften = compilingValidator(load as never);
    const schema = z.string();
    for (let round = 0; round < 40; round++) expect(validateOften(schema, 1)).toMatchObject({ ok: false });
    give(() => z.number());
    await given;
    expect(validateOften(schema, 1)).toEqual({ ok: true, value: 1 });
    expect(load).toHaveBeenCalledTimes(1);
  });

  test("a schema stays interpreted where the compiler cannot be loaded", async () => {
    const failed = Promise.reject(new Error("no such file"));
    const validateOften = compilingValidator(() => failed);
    const schema = z.string();
    for (let round = 0; round < 40; round++) validateOften(schema, 1);
    await failed.catch(() => {});
    expect(validateOften(schema, "a")).toEqual({ ok: true, value: "a" });
  });
});

describe("a problem is one line with its place", () => {
  const schema = z.object({
    list: z.array(z.object({ n: z.int().check(z.minimum(1), z.maximum(9)) })),
    kind: z.enum(["a", "b"]),
    either: z.union([z.string(), z.number()]),
    shape: z.optional(z.union([z.object({ a: z.string(), b: z.string() }), z.object({ b: z.number() })])),
    exact: z.string().check(z.refine((text) => text === "x", 'the text "x"')),
    few: z.optional(z.array(z.string().check(z.maxLength(2))).check(z.minLength(1), z.maxLength(2))),
  });
  const good = { list: [{ n: 1 }], kind: "a", either: 1, exact: "x" };

  test.each<[object | string, string]>([
    [{ ...good, list: [{ n: 1 }, { n: 0 }] }, "list[1].n: expected at least 1"],
    [{ ...good, list: [{ n: 10 }] }, "list[0].n: expected at most 9"],
    [{ ...good, list: [{ n: 1.5 }] }, "list[0].n: expected int"],
    [{ ...good, kind: "c" }, 'kind: expected "a" or "b"'],
    [{ ...good, either: true }, "either: fits none of the allowed shapes"],
    [{ ...good, shape: { a: "x" } }, "shape.b: expected string"],
    [{ ...good, shape: {} }, "shape.b: expected number"],
    [{ ...good, exact: "y" }, 'exact: expected the text "x"'],
    [{ ...good, few: [] }, "few: expected at least 1 entry"],
    [{ ...good, few: ["a", "b", "c"] }, "few: expected at most 2 entries"],
    [{ ...good, few: ["abc"] }, "few[0]: expected at most 2 characters"],
    [{ ...good, few: "a text, which has no entries" }, "few: expected array"],
    ["text", "expected object"],
  ])("a problem is one line with its place, for %j: %s", (value, problem) => {
    expect(validate(schema, value)).toEqual({ ok: false, problem });
  });

  test("a problem names three places at most, then a count", () => {
    expect(validate(schema, {})).toEqual({
      ok: false,
      problem: expect.stringMatching(/^list: expected array; kind: .*; either: .*; and 1 more$/),
    });
  });
});
