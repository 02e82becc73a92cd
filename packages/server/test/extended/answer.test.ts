import { describe, expect, test } from "vitest";
import { asks, scenario, toolResult } from "../scenario.js";
import {
  approval,
  items,
  meetAsked,
  meetExtended,
  order,
  question,
  states,
  twoAsked,
} from "./extended-client.js";

const onceAnswered = { "Which colour?": "Red", "Which extras?": "Bell, Light, bright" };

/** The outcome in the reply to an answer that counted. */
const outcomeOf = ({ result, error }: { result?: Record<string, unknown>; error?: unknown }) => {
  expect(error).toBeUndefined();
  return result?.outcome as Record<string, unknown>;
};

describe("an answer that counts", () => {
  test("an answer that counts is replied to with its outcome, after every client was told and before the turn continues (P-XAN-2, P-XST-1)", async () => {
    const { one, two, asked, prompt, opened } = await twoAsked();
    one.story();
    const reply = await two.answer(asked, { items });
    const outcome = outcomeOf(reply);
    expect(outcome).toEqual({
      status: "answered",
      by: "human",
      client: { name: "two", connection: expect.any(String) },
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    await prompt;
    expect(two.story().slice(-3)).toEqual(["InteractionSettled", "answer: ok", "TurnEnd"]);
    expect(one.story()).toEqual(["InteractionSettled", "TurnEnd", "prompt: finished"]);
    const settled = {
      request_id: asked.id,
      kind: "question",
      outcome,
      response: { answers: onceAnswered, items },
    };
    expect(one.events("InteractionSettled").map(({ payload }) => payload)).toEqual([settled]);
    expect(two.events("InteractionSettled").map(({ payload }) => payload)).toEqual([settled]);
    expect(await opened[0]?.wait()).toEqual(onceAnswered);
  });

  test("the reply to an answer has the number that its event has for the others, and the numbers continue after it (P-XAN-2)", async () => {
    const { one, two, asked, prompt } = await twoAsked(() => [approval()]);
    const before = two.received.length;
    const { result } = await two.answer(asked, { response: "approve" });
    await prompt;
    const [settled] = one.events("InteractionSettled");
    const { request_id: _own, ...said } = settled?.payload ?? {};
    expect(result).toEqual({ ...said, seq: settled?.seq, state: "running" });
    expect(states(one)).toEqual(states(two));
    const numbers = (client: typeof one) => client.events().map(({ seq }) => seq);
    expect(numbers(two)).toEqual(numbers(one));
    // The event itself did not come: what the raw client makes of the reply is right before it.
    const order = two.received
      .slice(before)
      .map(({ params, result }) => params?.type ?? Object.keys(result ?? {}).length);
    expect(order).toEqual(["InteractionSettled", 5, "ApprovalResponse", "TurnEnd"]);
  });

  test("an answer needs no receipt before it, and one that comes later has no effect (P-XAN-1)", async () => {
    const set = await twoAsked();
    const { client: three } = await meetExtended(set, { session: set.session });
    const asked = await three.seen("QuestionRequest");
    outcomeOf(await three.answer(asked, { items }));
    three.send({ jsonrpc: "2.0", method: "received", params: { request_id: asked.id } });
    expect((await set.prompt).result).toEqual({ status: "finished" });
    await three.settled();
    expect(set.warnings.filter((line) => !line.startsWith("ignored"))).toEqual([]);
  });

  test("an answer gives the tool the labels in the order of the options, own text last (P-XAN-7, P-ANS-6)", async () => {
    const questions = [
      { ...order[0], multi_select: true },
      { id: "name", question: "Which name?", options: [] },
    ] as never;
    const { one, asked, opened } = await twoAsked(() => [question({ questions })]);
    outcomeOf(
      await one.answer(asked, {
        items: [
          { question_id: "name", selected: [], own_text: "  Ann, and Bob " },
          { question_id: "colour", selected: ["blue", "red"], own_text: "green" },
        ],
      }),
    );
    expect(await opened[0]?.wait()).toEqual({
      "Which colour?": "Red, Blue, green",
      "Which name?": "  Ann, and Bob ",
    });
  });

  test("an answer may skip one question of several, and is then answered (P-XAN-2, P-OUT-4)", async () => {
    const { one, asked, opened } = await twoAsked();
    const some = [{ question_id: "colour", selected: [], skipped: true }, items[1]];
    expect(outcomeOf(await one.answer(asked, { items: some })).status).toBe("answered");
    expect(await opened[0]?.wait()).toEqual({ "Which extras?": "Bell, Light, bright" });
  });

  test("an answer may carry notes and images, which reach whoever asked (P-XAN-6)", async () => {
    const { one, two, asked } = await twoAsked();
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=", id: null } };
    const rich = [{ ...items[0], note: "like fire", attachments: [image] }, items[1]];
    outcomeOf(await one.answer(asked, { items: rich }));
    await two.seen("InteractionSettled");
    expect(two.events("InteractionSettled")[0]?.payload.response).toMatchObject({ items: rich });
  });

  test("an answer by id tells two questions with one text apart (P-XQS-2)", async () => {
    const same = { question: "Which?", options: [{ label: "A" }, { label: "B" }] };
    const { one, two, asked } = await twoAsked(() => [question({ questions: [same, same] })]);
    const said = [
      { question_id: "q1", selected: ["q1_o1"] },
      { question_id: "q2", selected: ["q2_o2"] },
    ];
    outcomeOf(await one.answer(asked, { items: said }));
    await two.seen("InteractionSettled");
    expect(two.events("InteractionSettled")[0]?.payload.response).toMatchObject({ items: said });
  });

  test("an answer with its map reaches the model as the tool of the Kimi dialect gives it (P-KIM-7)", async () => {
    const set = scenario([asks(), "text: done"]);
    const { client, asked } = await meetAsked("QuestionRequest", set);
    outcomeOf(await client.answer(asked, { items: [{ question_id: "q1", selected: ["q1_o1"] }] }));
    expect(await toolResult(client)).toMatchObject({
      output: '{"answers": {"Which colour?": "Red"}}',
      extras: null,
    });
    await client.seen("TurnEnd");
  });
});

describe("declining (P-XAN-2)", () => {
  test.each<[string, object, object]>([
    ["without a reason", {}, { reason: "dismissed" }],
    ["with dismissed", { reason: "dismissed" }, { reason: "dismissed" }],
    [
      "with discuss and a note",
      { reason: "discuss", note: "why not both?" },
      { reason: "discuss", note: "why not both?" },
    ],
  ])("declining %s ends the question with no answers", async (_, said, expected) => {
    const { one, two, asked, opened } = await twoAsked();
    const outcome = outcomeOf(await one.answer(asked, { outcome: { status: "declined", ...said } }));
    expect(outcome).toMatchObject({ status: "declined", by: "human", client: { name: "one" }, ...expected });
    expect(await opened[0]?.wait()).toEqual({});
    await two.seen("InteractionSettled");
    expect(two.events("InteractionSettled")[0]?.payload).toEqual({
      request_id: asked.id,
      kind: "question",
      outcome,
    });
  });
});

describe("an approval", () => {
  test.each<[string, object, object]>([
    ["approved", { response: "approve" }, { response: "approve", feedback: "" }],
    [
      "approved for the session",
      { response: "approve_for_session" },
      { response: "approve_for_session", feedback: "" },
    ],
    [
      "rejected with words",
      { response: "reject", feedback: "too risky" },
      { response: "reject", feedback: "too risky" },
    ],
  ])(
    "an approval is %s, and reported as the base profile and the extended one do (P-XAN-2, P-XST-1, P-APR-2)",
    async (_, said, response) => {
      const { one, two, asked, opened, session, meet } = await twoAsked(() => [approval()]);
      const { client: base } = await meet({ session }, {});
      const outcome = outcomeOf(await one.answer(asked, said));
      expect(outcome).toMatchObject({ status: "answered", by: "human", client: { name: "one" } });
      expect(await opened[0]?.wait()).toEqual(response);
      await two.seen("TurnEnd");
      const settled = two.events("InteractionSettled").map(({ payload }) => payload);
      expect(settled).toEqual([{ request_id: asked.id, kind: "approval", outcome, response }]);
      const expected = { request_id: asked.id, ...response };
      expect(two.events("ApprovalResponse").map(({ payload }) => payload)).toEqual([expected]);
      expect((await base.seen("ApprovalResponse")).params?.payload).toEqual(expected);
    },
  );

  test("an approval that a person declines counts as rejected (P-XAN-2, P-OUT-6)", async () => {
    const { one, asked, opened } = await twoAsked(() => [approval()]);
    expect(outcomeOf(await one.answer(asked, { outcome: { status: "declined" } })).status).toBe("declined");
    expect(await opened[0]?.wait()).toMatchObject({ response: "reject" });
  });

  test("an approval for the session settles an equal one that is open, and each is told once (P-APR-3, P-XST-1)", async () => {
    const { one, two, asked, prompt } = await twoAsked(() => [approval(), approval()]);
    outcomeOf(await two.answer(asked, { response: "approve_for_session" }));
    await prompt;
    const settled = one
      .events("InteractionSettled")
      .map(({ payload }) => payload as { outcome: { by: string } });
    expect(settled.map(({ outcome }) => outcome.by).sort()).toEqual(["human", "policy"]);
  });
});

describe("two at once", () => {
  test("the first of two answers at once counts, and the second is told its outcome (P-XAN-2, P-XAN-3, P-INT-2)", async () => {
    const { one, two, asked, prompt } = await twoAsked();
    const [first, second] = await Promise.all([one.answer(asked, { items }), two.answer(asked, { items })]);
    const outcome = outcomeOf(first);
    expect(second.error).toMatchObject({ code: -32010, data: { outcome } });
    await prompt;
    expect(two.events("InteractionSettled")).toHaveLength(1);
  });

  test("an answer counts where it comes before the end of the turn, which counts otherwise (P-XAN-3, P-TRN-6)", async () => {
    const { one, two, asked, prompt } = await twoAsked();
    const [cancelled, late] = await Promise.all([one.call("cancel"), two.answer(asked, { items })]);
    expect(cancelled.result).toEqual({});
    expect(late.error?.code).toBe(-32010);
    expect(late.error?.data).toMatchObject({ outcome: { status: "withdrawn", reason: "interrupted" } });
    expect((await prompt).result).toEqual({ status: "cancelled" });
    expect(two.events("InteractionSettled").map(({ payload }) => payload)).toMatchObject([
      { outcome: { status: "withdrawn" } },
    ]);
  });
});
