import { describe, expect, expectTypeOf, test } from "vitest";
import * as z from "zod/mini";
import {
  type Agent,
  type AskHow,
  type AskQuestion,
  ask,
  defineTool,
  QuestionRequest,
  type QuestionResult,
  type Turn,
  wireSend,
} from "../src/index.js";
import { drivenClock } from "./driven-clock.js";
import { lastState, meetAsked } from "./extended/extended-client.js";
import { payload, type RawClient } from "./raw-client.js";
import { callLine, scenario } from "./scenario.js";
import { until } from "./until.js";

const proceed = {
  question: "Delete the volume?",
  options: [
    { id: "yes", label: "Yes, proceed", description: "It is gone for good" },
    { id: "no", label: "No, cancel" },
  ],
  own_text: false,
} as const satisfies AskQuestion;

type Options = Parameters<typeof scenario>[1];

/** A server whose agent asks, and ends with what came of it. */
function asking(asks: (turn: Turn) => Promise<QuestionResult<unknown>>, options: Options = {}) {
  const made: { asked?: QuestionResult<unknown>; error?: unknown } = {};
  const run: Agent["run"] = async (turn) => {
    try {
      made.asked = await asks(turn);
    } catch (error) {
      made.error = error;
    }
  };
  return { ...scenario([], { run, ...options }), made };
}

const proceeding = (how: AskHow = {}, options: Options = {}) =>
  asking((turn) => turn.ask(proceed, how), options);

const told = ({ received }: RawClient, type: string) =>
  received.flatMap(({ params }) => (params?.type === type ? [params.payload] : []));

const isRequest = ({ method }: { method?: string }) => method === "request";

/** The result of a question that a base client answers so, by question text. */
async function answered(
  asks: (turn: Turn) => Promise<QuestionResult<unknown>>,
  answers: Record<string, string>,
) {
  const { meet, made } = asking(asks);
  const { client } = await meet();
  const { prompt, asked } = await client.begin("QuestionRequest");
  client.reply(asked, { request_id: asked.id, answers });
  await prompt;
  if (made.error !== undefined) throw made.error;
  return made.asked;
}

describe("a closed question", () => {
  test("a closed question is asked by id, and ends with the id of the option (P-QST-4)", async () => {
    const set = asking((turn) => turn.ask({ ...proceed, header: "Shell", body: "`rm -r data`" }));
    const { client, prompt, asked } = await meetAsked("QuestionRequest", set);
    expect(payload(asked)).toMatchObject({
      tool_call_id: "",
      questions: [
        {
          question: "Delete the volume?",
          header: "Shell",
          body: "`rm -r data`",
          own_text: false,
          options: [
            { id: "yes", label: "Yes, proceed", description: "It is gone for good" },
            { id: "no", label: "No, cancel" },
          ],
        },
      ],
    });
    await client.answer(asked, { items: [{ question_id: "q1", selected: ["no"] }] });
    await prompt;
    expect(set.made.asked).toMatchObject({ answer: "no", outcome: { status: "answered", by: "human" } });
    expect(set.made.asked?.toolError).toBeUndefined();
  });

  test("a closed question is answered by the label on the base wire (P-ANS-2)", async () => {
    const asked = await answered((turn) => turn.ask(proceed), { [proceed.question]: "Yes, proceed" });
    expect(asked).toMatchObject({ answer: "yes" });
  });

  test.each(["don't proceed", "Yes", "yes, proceed", "Yes, proceed, but not now", "yes"])(
    "a closed question is not answered by own words, whatever they contain: %s (P-ANS-4)",
    async (words) => {
      expect(await answered((turn) => turn.ask(proceed), { [proceed.question]: words })).toMatchObject({
        answer: undefined,
        outcome: { status: "declined", reason: "discuss", note: words },
        toolError: { message: expect.stringContaining(words) },
      });
    },
  );

  test("a closed question has no answer where the person closes it, or a client answers something else", async () => {
    expect(await answered((turn) => turn.ask(proceed), { [proceed.question]: "" })).toMatchObject({
      answer: undefined,
      outcome: { status: "declined", reason: "dismissed" },
      toolError: { brief: "User dismissed" },
    });
    expect(await answered((turn) => turn.ask(proceed), { "Something else?": "yes" })).toMatchObject({
      answer: undefined,
      outcome: { status: "answered" },
      toolError: { brief: "No answer" },
    });
  });
});

describe("every kind of question", () => {
  const database = (turn: Turn) => turn.ask("Which database?", ["SQLite", "PostgreSQL"]);

  test.each<[string, (turn: Turn) => Promise<QuestionResult<unknown>>, Record<string, string>, unknown]>([
    ["labels as options", database, { "Which database?": "PostgreSQL" }, "PostgreSQL"],
    ["own words beside options", database, { "Which database?": "DuckDB" }, "DuckDB"],
    ["an open question", (turn) => turn.ask("Its name?"), { "Its name?": "shop" }, "shop"],
    [
      "several choices",
      (turn) =>
        turn.ask({ question: "Which?", options: ["a", { id: "x", label: "b" }, "c"], multi_select: true }),
      { "Which?": "a, b, more" },
      ["a", "x", "more"],
    ],
    [
      "a whole number",
      (turn) => turn.ask({ question: "Port?", field: { type: "integer" } }),
      { "Port?": "+08080" },
      8080,
    ],
    [
      "yes or no",
      (turn) => turn.ask({ question: "Open?", field: { type: "boolean" } }),
      { "Open?": "No" },
      false,
    ],
    [
      "a date",
      (turn) => turn.ask({ question: "When?", field: { type: "date" } }),
      { "When?": "2026/3/1" },
      "2026-03-01",
    ],
    [
      "several questions by keys",
      (turn) => turn.ask({ db: { question: "Which?", options: ["A", "B"] }, name: "Name?", port: "Port?" }),
      { "Which?": "B", "Name?": "shop" },
      { db: "B", name: "shop", port: undefined },
    ],
  ])("%s has an answer of its type", async (_, asks, answers, answer) => {
    expect(await answered(asks, answers)).toMatchObject({ answer, toolError: undefined });
  });

  test("the keys of several questions are their ids, and notes come with the items", async () => {
    const set = asking((turn) => turn.ask({ one: "One?", two: "Two?" }));
    const { client, prompt, asked } = await meetAsked("QuestionRequest", set);
    expect(payload(asked).questions).toMatchObject([{ id: "one" }, { id: "two" }]);
    const items = [
      { question_id: "one", selected: [], own_text: "1" },
      { question_id: "two", selected: [], skipped: true },
    ];
    await client.answer(asked, { items });
    await prompt;
    expect(set.made.asked).toMatchObject({ answer: { one: "1", two: undefined }, items });
  });

  test("the types of answers follow from the questions", () => {
    const typed = async (turn: Turn) => {
      const { answer: closed } = await turn.ask(proceed);
      expectTypeOf(closed).toEqualTypeOf<"yes" | "no" | undefined>();
      const { answer: words } = await turn.ask("Name?", { background: true });
      expectTypeOf(words).toEqualTypeOf<string | undefined>();
      const { answer: several } = await turn.ask({
        port: { question: "Port?", field: { type: "integer" } },
        open: { question: "Open?", field: { type: "boolean" } },
        tags: { question: "Tags?", options: ["a", "b"], multi_select: true, own_text: false },
        name: "Name?",
      });
      expectTypeOf(several).toEqualTypeOf<
        | undefined
        | {
            readonly port: number | undefined;
            readonly open: boolean | undefined;
            readonly tags: ("a" | "b")[] | undefined;
            readonly name: string | undefined;
          }
      >();
      // @ts-expect-error a misspelt member is seen where it is written.
      await turn.ask({ question: "Which?", optoins: ["A"] });
      // @ts-expect-error one of a text, which no record of questions has either.
      await turn.ask({ question: "Name?", placholder: "Ada" });
      // @ts-expect-error a misspelt member of one of several.
      await turn.ask({ tags: { question: "Tags?", options: ["a"], ownText: false } });
      // @ts-expect-error a bound beside the bounds.
      await turn.ask({ question: "Port?", field: { type: "integer", min: 1_024 } });
      const whole: AskQuestion = proceed;
      await turn.ask(whole);
      const asked = await ask("Which?", ["A", "B"]);
      if (asked.answer === undefined) return asked.toolError.message;
      expectTypeOf(asked.toolError).toEqualTypeOf<undefined>();
      return asked.answer;
    };
    expect(typed).toBeTypeOf("function");
  });
});

test("a question belongs to the tool call in which it is asked, by whichever way", async () => {
  const told: unknown[] = [];
  const asks: Record<string, (turn: Turn) => Promise<QuestionResult<unknown>>> = {
    ask: () => ask(proceed),
    "turn.ask": (turn) => turn.ask(proceed),
  };
  for (const [way, asked] of Object.entries(asks)) {
    let turn: Turn | undefined;
    const tool = defineTool({
      name: "Delete",
      description: "deletes",
      parameters: z.object({}),
      run: async () => String(told.push((await asked(turn as Turn)).answer)),
    });
    const set = scenario([], {
      run: async (running) => {
        turn = running;
        const call = { name: "Delete", arguments: "{}" };
        await running.callTool(tool, { type: "function", id: "call_9", function: call, extras: null });
      },
    });
    const { client } = await set.meet();
    const { prompt, asked: request } = await client.begin("QuestionRequest");
    expect(payload(request).tool_call_id, way).toBe("call_9");
    client.reply(request, { request_id: request.id, answers: { [proceed.question]: "No, cancel" } });
    await prompt;
  }
  expect(told).toEqual(["no", "no"]);
});

test("a turn asks from code that has lost its place, such as a callback of another library", async () => {
  const waiting: (() => void)[] = [];
  const timer = setInterval(() => waiting.splice(0).forEach((next) => void next()), 1);
  const set = asking((turn) => new Promise((resolve) => waiting.push(() => resolve(turn.ask("Name?")))));
  const { client } = await set.meet();
  const { prompt, asked } = await client.begin("QuestionRequest");
  clearInterval(timer);
  client.reply(asked, { request_id: asked.id, answers: { "Name?": "shop" } });
  await prompt;
  expect(set.made.asked).toMatchObject({ answer: "shop" });
});

describe("a question without an answer", () => {
  test("a question ends at once where nobody can be asked, with the outcome (P-ATT-1, P-ATT-3)", async () => {
    const plain = proceeding();
    await (await plain.meet({}, {})).client.call("prompt", { user_input: "go" });
    const away = proceeding({}, { attendance: "decline" });
    await (await away.meet()).client.call("prompt", { user_input: "go" });
    expect([plain.made.asked, away.made.asked]).toMatchObject([
      { answer: undefined, outcome: { reason: "unsupported" }, toolError: { brief: "Client unsupported" } },
      { answer: undefined, outcome: { reason: "unattended", by: "policy" } },
    ]);
  });

  test("a question expires without an answer at its deadline (P-XDL-1)", async () => {
    const clock = drivenClock();
    const set = proceeding({ deadline: { ms: 1_000, on_expiry: "cancel" } }, { clock });
    const { prompt } = await meetAsked("QuestionRequest", set);
    clock.advance(1_000);
    await prompt;
    expect(set.made.asked).toMatchObject({ answer: undefined, outcome: { status: "expired" } });
  });

  test("a question is taken back by its signal, and its card goes", async () => {
    const over = new AbortController();
    const set = proceeding({ signal: over.signal });
    const { client, prompt } = await meetAsked("QuestionRequest", set);
    const reason = new Error("no longer needed");
    over.abort(reason);
    await prompt;
    expect(set.made).toEqual({ error: reason });
    expect(client.events("InteractionSettled")[0]?.payload.outcome).toMatchObject({
      status: "withdrawn",
      reason: "agent",
    });
    expect(lastState(client)?.pending).toEqual([]);

    const late = proceeding({ signal: over.signal });
    const { client: other } = await late.meet();
    await other.call("prompt", { user_input: "go" });
    expect(late.made).toEqual({ error: reason });
    expect(other.received.filter(isRequest)).toEqual([]);
  });

  test("a question is withdrawn with its turn (P-OUT-5)", async () => {
    const set = proceeding();
    const { client } = await set.meet();
    const { prompt } = await client.begin("QuestionRequest");
    await client.call("cancel");
    await prompt;
    await until(() => set.made.error !== undefined);
    expect(set.made.error).toMatchObject({ name: "AbortError", outcome: { reason: "interrupted" } });
  });
});

describe("a question that cannot be asked", () => {
  const yes = { id: "yes", label: "Yes" };
  test.each<[string, unknown[], RegExp]>([
    ["no option to choose", [{ question: "Go?", own_text: false }], /^options: expected one at least/],
    ["equal labels", ["Go?", [yes, { id: "other", label: "Yes" }]], /^options: expected labels that differ/],
    ["equal ids", ["Go?", [yes, { id: "yes", label: "No" }]], /id that no other option/],
    ["a blank text", [" "], /not blank/],
    ["no questions", [{}], /^questions: /],
    ["a number for an option", ["Go?", [1]], /^ask: options: expected labels or options, found 1$/],
    ["null in its place", [null], /^ask: expected a question, or several by their keys$/],
    ["null in the place of one of several", [{ name: null }], /^ask: name: expected a question$/],
  ])("a question with %s is refused before anybody is asked (P-XQS-1)", async (_, given, problem) => {
    const { meet, made } = asking((turn) => turn.ask(...(given as [string])));
    const { client } = await meet();
    await client.call("prompt", { user_input: "go" });
    expect(made.error).toBeInstanceOf(TypeError);
    expect((made.error as Error).message).toMatch(problem);
    expect(client.received.filter(isRequest)).toEqual([]);
  });

  test("a second question with a key of the turn is refused, and one in another call is not (P-RES-6)", async () => {
    const tool = defineTool({
      name: "Name",
      description: "asks",
      parameters: z.object({}),
      run: async () => (await ask("Name?", { key: "name" })).answer ?? "none",
    });
    const set = asking(async (turn) => {
      await turn.callTool(tool, {});
      await turn.callTool(tool, {});
      await turn.ask("One?", { key: "name" });
      return turn.ask("Two?", { key: "name" });
    });
    const { client } = await set.meet();
    const prompt = client.call("prompt", { user_input: "go" });
    await answerAll(client, 3);
    await prompt;
    expect(set.made.error).toMatchObject({
      code: "INVALID_STATE",
      message: expect.stringContaining('"name"'),
    });
    expect(client.received.filter(isRequest)).toHaveLength(3);
  });

  async function answerAll(client: RawClient, count: number): Promise<void> {
    for (let nth = 1; nth <= count; nth += 1) {
      const { id } = await client.seen("QuestionRequest", nth);
      client.reply({ id } as never, { request_id: id, answers: { "Name?": "a", "One?": "b" } });
    }
  }
});

describe("an agent whose client shows no questions", () => {
  const questions = [
    {
      question: "Which database?",
      options: [{ label: "SQLite", description: "One file" }, { label: "Other" }],
    },
    { question: "Which port?", field: { type: "integer" as const } },
  ];

  test("an agent that lets the error through ends its turn with the questions in plain text (P-OUT-5)", async () => {
    const run: Agent["run"] = async () => {
      const request = new QuestionRequest({ tool_call_id: "", questions });
      wireSend(request);
      await request.wait();
    };
    const { client } = await scenario([], { run }).meet({}, {});
    const { result } = await client.call("prompt", { user_input: "go" });
    expect(result).toMatchObject({ status: "finished" });
    expect(told(client, "ContentPart").map(({ text }) => text)).toEqual([
      "Which database?\n- SQLite: One file\n- Other\n\nWhich port?\nExpected: a whole number.",
    ]);
  });

  test("a tool that lets the error through tells the model to ask in plain text (P-OUT-7)", async () => {
    const tool = defineTool({
      name: "Ask",
      description: "asks",
      parameters: z.object({}),
      async run() {
        const asked = await ask("Name?");
        return asked.answer === undefined ? asked.toolError : asked.answer;
      },
    });
    const { meet } = scenario([callLine("Ask", {}), "text: Which name?"], { tools: [tool] });
    const { client } = await meet({}, {});
    await client.call("prompt", { user_input: "go" });
    expect(told(client, "ToolResult")[0]?.return_value).toMatchObject({
      is_error: true,
      message: expect.stringContaining("ask the user in plain text"),
    });
  });
});

test("a wait for a request that was not sent ends at once", async () => {
  const request = new QuestionRequest({ tool_call_id: "", questions: [{ question: "Name?" }] });
  await expect(request.wait()).rejects.toMatchObject({
    code: "INVALID_STATE",
    message: "wait: send the request first, with wireSend",
  });
});

describe("a wait with a signal", () => {
  const waiting = (make: (request: QuestionRequest) => Promise<unknown>) => {
    const made: { error?: unknown } = {};
    const run: Agent["run"] = async () => {
      const request = new QuestionRequest({ tool_call_id: "", questions: [{ question: "Name?" }] });
      wireSend(request);
      await make(request).catch((error: unknown) => {
        made.error = error;
      });
    };
    return { ...scenario([], { run }), made };
  };

  test.each([["wait" as const], ["waitForAnswer" as const]])(
    "%s takes its question back when the signal is aborted, and throws the reason",
    async (method) => {
      const over = new AbortController();
      const set = waiting((request) => request[method]({ signal: over.signal }));
      const { client, prompt } = await meetAsked("QuestionRequest", set);
      over.abort("enough");
      await prompt;
      expect(set.made.error).toBe("enough");
      expect(client.events("InteractionSettled")[0]?.payload.outcome).toMatchObject({ reason: "agent" });
    },
  );

  test("a signal that was aborted before the wait takes the question back at once", async () => {
    const set = waiting((request) => request.wait({ signal: AbortSignal.abort("enough") }));
    const { client, prompt } = await meetAsked("QuestionRequest", set);
    await prompt;
    expect(set.made.error).toBe("enough");
    expect(client.events("InteractionSettled")[0]?.payload.outcome).toMatchObject({ reason: "agent" });
  });

  test("an answer that came before the signal stands", async () => {
    const over = new AbortController();
    const set = waiting(async (request) => {
      const answers = await request.wait({ signal: over.signal });
      over.abort("late");
      throw answers["Name?"];
    });
    const { client } = await set.meet();
    const { prompt, asked } = await client.begin("QuestionRequest");
    client.reply(asked, { request_id: asked.id, answers: { "Name?": "Ada" } });
    await prompt;
    expect(set.made.error).toBe("Ada");
  });
});
