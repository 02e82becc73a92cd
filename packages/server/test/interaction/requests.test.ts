import type { Outcome } from "@askwire/protocol";
import { describe, expect, test } from "vitest";
import {
  QuestionExpired,
  QuestionNotSupported,
  QuestionRequest,
  QuestionUnavailable,
  QuestionWithdrawn,
} from "../../src/index.js";
import { outcomeNow } from "../../src/requests/interaction.js";
import { approval, chose, dismissal, question } from "./asked.js";

const by = "system" as const;

describe("a question", () => {
  test("a question has a fresh random UUID and its questions in order, with ids by position", () => {
    const [one, other] = [question(), question()];
    expect(one.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(one.id).not.toBe(other.id);
    expect(one.questions).toMatchObject([
      {
        id: "q1",
        header: "",
        multi_select: false,
        own_text: true,
        options: [{ id: "q1_o1" }, { id: "q1_o2" }],
      },
    ]);
  });

  test("a question of the wrong shape is refused with the place", () => {
    const wrong = { question: 7, options: [] } as never;
    expect(() => new QuestionRequest({ tool_call_id: "tc", questions: [wrong] })).toThrow(
      new TypeError("questions: [0].question: expected string"),
    );
  });

  const options = [{ label: "Yes" }, { label: "Yes" }];
  test.each<[string, object, string]>([
    ["a text that is empty", { question: "", options: [] }, "question: expected a text that is not blank"],
    ["a text that is blank", { question: " \n", options: [] }, "question: expected a text that is not blank"],
    [
      "two equal labels",
      { question: "Which?", options },
      "options[1].label: expected another label than an earlier option has, as clients of the base profile answer by label; or give both options ids",
    ],
  ])(
    "a question of %s is refused where it is made, with the place and the next step (P-QST-3, P-QST-5)",
    (_, wrong, why) => {
      expect(() => new QuestionRequest({ tool_call_id: "tc", questions: [wrong as never] })).toThrow(
        new TypeError(`questions: [0].${why}`),
      );
    },
  );

  test("a question gives the answers to whoever waits, before or after, and knows its outcome", async () => {
    const request = question();
    request.sent = true;
    const early = request.wait();
    expect([request.resolved, request.outcome]).toEqual([false, undefined]);
    expect(request.resolve({ "Which?": "A" })).toBe(true);
    expect(await early).toEqual({ "Which?": "A" });
    expect(await request.waitForAnswer()).toEqual({
      answers: { "Which?": "A" },
      items: [{ question_id: "q1", selected: ["q1_o1"] }],
    });
    expect(request.outcome).toMatchObject({ status: "answered", by: "human" });
  });

  test("a question settles once: later words change nothing and say so", async () => {
    const request = question();
    request.resolve({ "Which?": "A" });
    const { outcome } = request;
    expect(request.resolve({ "Which?": "B" })).toBe(false);
    expect(request.reject(new Error("late"))).toBe(false);
    expect(request.settle(dismissal())).toBe(false);
    expect(await request.wait()).toEqual({ "Which?": "A" });
    expect(request.outcome).toBe(outcome);
  });

  test("a question that was given up stays given up", async () => {
    const request = question();
    const error = new Error("not needed any more");
    expect(request.reject(error)).toBe(true);
    expect(request.resolve({ "Which?": "A" })).toBe(false);
    await expect(request.wait()).rejects.toBe(error);
    expect(request.outcome).toMatchObject({ status: "withdrawn", reason: "agent" });
  });

  test("a question that was declined has no answers and is no error", async () => {
    const request = question();
    request.settle(dismissal());
    expect(await request.waitForAnswer()).toEqual({ answers: {}, items: [] });
    const emptied = question();
    emptied.resolve({});
    expect(emptied.outcome).toMatchObject({ status: "declined", reason: "dismissed" });
  });

  test("an answer named like a member of every object is an answer like others", async () => {
    const request = question();
    request.settle(chose("toString"));
    const answers = await request.wait();
    expect(answers.constructor).not.toBe("A");
    const map = question();
    map.resolve({ "Which?": "A" });
    expect("constructor" in (await map.wait())).toBe(false);
  });

  test.each<[Outcome, new (message: string, outcome: Outcome) => Error, string]>([
    [outcomeNow("unavailable", { reason: "unsupported", by }), QuestionNotSupported, "QuestionNotSupported"],
    [outcomeNow("unavailable", { reason: "client_lost", by }), QuestionUnavailable, "QuestionUnavailable"],
    [outcomeNow("unavailable", { reason: "limit", by }), QuestionUnavailable, "QuestionUnavailable"],
    [outcomeNow("unavailable", { reason: "unattended", by }), QuestionUnavailable, "QuestionUnavailable"],
    [outcomeNow("unavailable", { reason: "protocol_error", by }), QuestionUnavailable, "QuestionUnavailable"],
    [outcomeNow("expired", { reason: "deadline", by: "timer" }), QuestionExpired, "QuestionExpired"],
    [outcomeNow("withdrawn", { reason: "interrupted", by: "human" }), QuestionWithdrawn, "AbortError"],
    [outcomeNow("withdrawn", { reason: "shutdown", by }), QuestionWithdrawn, "AbortError"],
  ])(
    "a question without an answer fails with its own error: $status/$reason",
    async (outcome, kind, name) => {
      const request = question();
      request.settle({ outcome });
      const error = await request.wait().catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(kind);
      expect(error).toMatchObject({ name, outcome });
      expect((error as Error).constructor).toBe(kind);
      expect((error as Error).message).toContain(outcome.reason);
    },
  );
});

describe("an approval", () => {
  test("an approval gives the answer and the person's words", async () => {
    const request = approval();
    request.resolve("reject", "not today");
    expect(request.resolve("approve")).toBe(false);
    expect(await request.wait()).toEqual({ response: "reject", feedback: "not today" });
  });

  test.each<[string, Outcome]>([
    ["closed this approval", outcomeNow("declined", { reason: "dismissed", by: "human" })],
    ["(client_lost)", outcomeNow("unavailable", { reason: "client_lost", by })],
    ["(unsupported: no)", outcomeNow("unavailable", { reason: "unsupported", by, note: "no" })],
    ["(deadline)", outcomeNow("expired", { reason: "deadline", by: "timer" })],
  ])(
    "an approval that was not answered is rejected, and tells the model why: %s (P-OUT-6)",
    async (why, outcome) => {
      const request = approval();
      request.settle({ outcome });
      const { response, feedback } = await request.wait();
      expect([response, feedback]).toEqual(["reject", expect.stringContaining(why)]);
      expect(feedback).toContain("Do not get the same effect in another way");
    },
  );

  test("an approval in a scope that ended throws, so that the tool ends too", async () => {
    const request = approval();
    request.reject("never mind");
    await expect(request.wait()).rejects.toBeInstanceOf(QuestionWithdrawn);
  });
});
