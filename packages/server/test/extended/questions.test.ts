import { describe, expect, test } from "vitest";
import { modelAgent, scriptedModel } from "../../../agent/src/index.js";
import { askUserQuestion } from "../../../dialects/src/index.js";
import { payload } from "../raw-client.js";
import { asks, callLine, colour, delegating, scenario, toolResult } from "../scenario.js";
import { asking, items, meetAsked, meetExtended, order, question, twoAsked } from "./extended-client.js";

describe("a question as an extended client is sent it (P-XQS-1)", () => {
  test("a question has an id for each question and option, and nothing that is not set or has its default", async () => {
    const { asked } = await twoAsked(() => [
      question({ questions: [colour, { ...order[1], id: undefined } as never] }),
    ]);
    expect(payload(asked)).toEqual({
      id: asked.id,
      tool_call_id: "tc-1",
      questions: [
        {
          id: "q1",
          question: "Which colour?",
          options: [
            { id: "q1_o1", label: "Red" },
            { id: "q1_o2", label: "Blue", description: "like the sea" },
          ],
        },
        {
          id: "q2",
          question: "Which extras?",
          multi_select: true,
          own_text: false,
          options: [
            { id: "bell", label: "Bell" },
            { id: "light", label: "Light, bright" },
          ],
        },
      ],
    });
  });

  test("a question has no deadline for a client that shows none, and has one for another", async () => {
    const made = () => [question({ deadline: { ms: 5_000, on_expiry: "cancel" as const } })];
    const { one, session, asked, ...set } = await twoAsked(made);
    const { client } = await meetExtended(set, { session }, { shows: { previews: true } });
    expect(payload(await client.seen("QuestionRequest"))).not.toHaveProperty("deadline");
    expect(payload(asked)).toHaveProperty("deadline");
    await one.answer(asked, { items });
  });

  test("a question of a sub-agent says which one, and an extended client's answer reaches it", async () => {
    const agent = modelAgent({ model: scriptedModel([asks(), "text: done"]), tools: [askUserQuestion] });
    const task = delegating({ agent, type: "coder", input: "do it", id: "agent-1" });
    const set = scenario([callLine("Task", {}, "tc-9"), "text: b"], {
      tools: [task],
      subagentQuestions: true,
    });
    const { client, prompt, asked } = await meetAsked("QuestionRequest", set);
    expect(payload(asked).agent).toEqual({ id: "agent-1", type: "coder", parent_tool_call_id: "tc-9" });
    const chosen = [{ question_id: "q1", selected: ["q1_o2"] }];
    expect((await client.answer(asked, { items: chosen })).error).toBeUndefined();
    expect((await prompt).result).toEqual({ status: "finished" });
  });

  const same = { question: "Which?", options: [{ label: "A" }, { label: "B" }] };
  const ids = ["a", "b"].map((id) => ({ id, label: "Same" }));

  test.each<[string, object[], object[]]>([
    [
      "texts (P-XQS-2, P-CAP-2)",
      [same, same],
      ["q1", "q2"].map((id) => ({ question_id: id, selected: [`${id}_o1`] })),
    ],
    [
      "labels that have ids (P-QST-5, P-CAP-2)",
      [{ question: "Which?", options: ids }],
      [{ question_id: "q1", selected: ["b"] }],
    ],
  ])(
    "a question goes to the extended client, and not to the base one beside it, with two equal %s",
    async (_what, questions, items) => {
      const set = asking(() => [question({ questions: questions as never })]);
      const session = set.server.createSession();
      const { client: base } = await set.meet({ session });
      const { client, prompt, asked } = await meetAsked("QuestionRequest", set, { session });
      expect((await client.answer(asked, { items })).error).toBeUndefined();
      await prompt;
      await base.settled();
      expect(base.story()).not.toContain("ask QuestionRequest");
    },
  );
});

describe("a picture that is wanted (P-XQS-4)", () => {
  const wanted = () => [
    question({ questions: [{ question: "What does it look like?", body: "The new page.", picture: true }] }),
  ];
  const inWords =
    "The new page.\n\nA picture is wanted. Where none can be sent, describe it or say where it is.";

  test("a picture that is wanted is a member for a client that sends pictures, and words for others", async () => {
    const { one, session, asked, ...set } = await twoAsked(wanted);
    const { client } = await meetExtended(set, { session }, { shows: { notes: true } });
    const { client: base } = await set.meet({ session });
    expect(payload(asked).questions).toEqual([
      expect.objectContaining({ picture: true, body: "The new page." }),
    ]);
    const texts = [
      payload(await client.seen("QuestionRequest")),
      payload(await base.seen("QuestionRequest")),
    ];
    for (const { questions } of texts) {
      expect(questions).toEqual([expect.objectContaining({ body: inWords })]);
      expect(questions).not.toEqual([expect.objectContaining({ picture: true })]);
    }
    await one.answer(asked, { items: [{ question_id: "q1", selected: [], own_text: "Blue" }] });
  });
});

describe("features that were lost (P-XQS-3)", () => {
  const several = { question: "Which?", multi_select: true, options: [{ label: "A, B" }, { label: "C" }] };

  test("features that were lost are reported to the model's tool in its extras, when a base client answers", async () => {
    const set = scenario([asks([several]), "text: b"]);
    const { client } = await set.meet();
    const { asked } = await client.begin("QuestionRequest");
    client.reply(asked, { request_id: asked.id, answers: { "Which?": "A, B, C" } });
    const extras = { degraded: [{ question_id: "q1", feature: "multi_label" }] };
    expect(await toolResult(client)).toMatchObject({ message: "User has answered.", extras });
    await client.seen("TurnEnd");
  });

  test("features are not lost when an extended client answers, also beside a base one", async () => {
    const set = scenario([asks([several]), "text: b"]);
    const session = set.server.createSession();
    const { client: base } = await set.meet({ session });
    const { client } = await meetExtended(set, { session });
    void base.call("prompt", { user_input: "go" });
    const asked = await client.asked("QuestionRequest");
    await client.answer(asked, { items: [{ question_id: "q1", selected: ["q1_o1"] }] });
    expect(await toolResult(base)).toMatchObject({ extras: null });
    await base.seen("TurnEnd");
  });
});

describe("ids of a question (P-QST-2, P-XQS-1)", () => {
  const option = (id?: string) => ({ label: id ?? "A", ...(id !== undefined && { id }) });
  const asks2 = (one: object, two: object) => [
    { question: "One?", options: [], ...one },
    { question: "Two?", options: [], ...two },
  ];

  test.each<[string, object[]]>([
    ["two questions with one id", asks2({ id: "a" }, { id: "a" })],
    ["a question that is called as another is by its position", asks2({ id: "q2" }, {})],
    ["two options with one id", asks2({ options: [option("x"), option("x")] }, {})],
    [
      "an option that is called as another is by its position",
      asks2({ options: [option("q1_o2"), option()] }, {}),
    ],
  ])(
    "%s are an error of the asker, or differ as they are sent: an answer by id must say which",
    (_, questions) => {
      let made: ReturnType<typeof question>;
      try {
        made = question({ questions: questions as never });
      } catch (error) {
        return expect(error).toBeInstanceOf(TypeError);
      }
      const ids = made.questions.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const { options } of made.questions) {
        expect(new Set(options.map(({ id }) => id)).size).toBe(options.length);
      }
    },
  );

  test.each<[string, object]>([
    ["names no option", { default: ["green"] }],
    ["names two of a single choice", { default: ["red", "blue"] }],
    ["names nothing", { default: [] }],
  ])("a default that %s is an error of the asker, or does not count (P-XDL-2)", (_, more) => {
    const deadline = { ms: 1_000, on_expiry: "default" as const };
    let made: ReturnType<typeof question>;
    try {
      made = question({ questions: [{ ...order[0], ...more } as never], deadline });
    } catch (error) {
      return expect(error).toBeInstanceOf(TypeError);
    }
    expect(made.defaultAnswer).toBeUndefined();
  });
});

describe("the question tool of the Kimi dialect (P-KIM-3)", () => {
  test.each<object>([
    { id: 5 },
    { default: "Red" },
    { placeholder: ["a"] },
    { own_text: "no" },
    {
      options: [
        { label: "Red", preview: 1 },
        { label: "Blue", recommended: "yes" },
      ],
    },
    {
      options: [
        { label: "Red", id: 1 },
        { label: "Blue", id: "q1_o1" },
      ],
    },
  ])(
    "the question tool ignores what it does not know, also where the extended profile has it: %j",
    async (more) => {
      const set = scenario([asks([{ ...colour, ...more }]), "text: b"]);
      const { client, prompt, asked } = await meetAsked("QuestionRequest", set);
      const [item] = payload(asked).questions as { id: string; options: { id: string; label: string }[] }[];
      expect([item?.id, item?.options.map(({ id }) => id)]).toEqual(["q1", ["q1_o1", "q1_o2"]]);
      for (const key of ["placeholder", "default", "own_text"]) expect(item).not.toHaveProperty(key);
      await client.answer(asked, { items: [{ question_id: "q1", selected: ["q1_o1"] }] });
      expect(await toolResult(client)).toMatchObject({ output: '{"answers": {"Which colour?": "Red"}}' });
      await prompt;
    },
  );
});
