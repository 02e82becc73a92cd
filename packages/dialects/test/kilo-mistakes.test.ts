import { describe, expect, test } from "vitest";
import { payload, questionsOf } from "../../server/test/raw-client.js";
import { callLine, toolResult } from "../../server/test/scenario.js";
import {
  done,
  follows,
  kiloScenario,
  outputOf,
  overBase,
  overExtended,
  own,
  picture,
  readByModel,
} from "./kilo-scene.js";

const wrapped = (why: string) =>
  `The tool execution failed with the following error:\n<error>\n${why}\n</error>`;
const reminder = "Call ask_followup_question again with everything that it needs, or go on without asking.";
const missing = {
  output: wrapped(
    `Missing value for required parameter 'question'. Please retry with complete response.\n\n${reminder}`,
  ),
  shown:
    "Askwire tried to use ask_followup_question without value for required parameter 'question'. Retrying...",
};
const unparsable = (problem: string) => ({
  output: wrapped("Invalid operations xml format"),
  shown: `Failed to parse operations: Failed to parse XML: ${problem}`,
});

/** A script of a wrong call. */
const wrong = (n: number) => follows({ follow_up: ["a", "b"] }, `w-${n}`);
const wrongs = (count: number) => Array.from({ length: count }, (_, n) => wrong(n + 1));

describe("a wrong call", () => {
  test.each<[string, object]>([
    ["no question", { follow_up: ["a", "b"] }],
    ["an empty question", { question: " \n", follow_up: ["a", "b"] }],
    ["a question that is no text", { question: 5, follow_up: ["a", "b"] }],
    ["nothing at all", {}],
  ])(
    "a wrong call is reported to the model and to the person, each in their own words, and nobody is asked: %s (P-KIL-2)",
    async (_, args) => {
      const { output, shown } = missing;
      const { client, model, prompt } = await overBase([follows(args), done]);
      await prompt;
      expect(client.story()).not.toContain("ask QuestionRequest");
      expect(readByModel(model.requests)).toMatchObject({ is_error: true, message: "", output });
      expect((await toolResult(client)).display).toEqual([{ type: "brief", text: shown }]);
    },
  );

  test.each<[string, object, string[]]>([
    ["none", { question: "Which?" }, []],
    ["null", { question: "Which?", follow_up: null }, []],
    ["an empty text", { question: "Which?", follow_up: "" }, []],
    ["a text that stands alone", { question: "Which?", follow_up: " red, or blue " }, ["red, or blue"]],
    ["an object that stands alone", { question: "Which?", follow_up: { text: "red", mode: null } }, ["red"]],
  ])(
    "a call without a list of suggestions asks its question all the same: %s (P-KIL-3)",
    async (_, args, labels) => {
      const { client, prompt } = await overBase([follows(args), done]);
      const asked = await client.seen("QuestionRequest");
      expect(questionsOf(asked)[0]?.options.map(({ label }) => label)).toEqual(labels);
      client.reply(asked, { request_id: asked.id, answers: { "Which?": "green" } });
      await prompt;
      expect((await toolResult(client)).output).toBe("<answer>\ngreen\n</answer>");
    },
  );

  test.each<[string, unknown, string]>([
    ["a list that was cut", '["red", "bl', "found no <suggest> element"],
    ["an object without a text", { mode: "code" }, "expected a text as suggestion"],
    ["a number", 5, "expected a list"],
    ["a list with a number", ["a", 5], "expected a text as suggestion 2"],
  ])(
    "suggestions that cannot be read are reported to the model and to the person, and nobody is asked: %s (P-KIL-2)",
    async (_, follow_up, problem) => {
      const { client, model, prompt } = await overBase([follows({ question: "Which?", follow_up }), done]);
      await prompt;
      const { output, shown } = unparsable(problem);
      expect(readByModel(model.requests)).toMatchObject({ is_error: true, message: "", output });
      expect((await toolResult(client)).display).toEqual([{ type: "brief", text: shown }]);
    },
  );

  test.each(['{"question": "Which?"', "[1]", "7"])(
    "arguments that are no object are reported to the model and to the person, and nobody is asked: %s",
    async (text) => {
      const line = `tool_call: ${JSON.stringify({ id: "tc-1", name: "ask_followup_question", arguments: text })}`;
      const { model, prompt } = await overBase([line, done]);
      await prompt;
      expect(outputOf(readByModel(model.requests))).toMatch(
        /<error>\nInvalid arguments: (not JSON|expected an object)/,
      );
    },
  );
});

describe("the third mistake in a row", () => {
  test("the third mistake in a row is put before the person, whose word goes to the model with the error; the count starts anew (P-KIL-8)", async () => {
    const { client, model, prompt } = await overExtended([...wrongs(6), done]);
    const asked = await client.asked("QuestionRequest");
    expect(payload(asked).tool_call_id).toBe("w-3");
    expect(questionsOf(asked)).toMatchObject([
      {
        question:
          "The model has made 3 mistakes in a row when it wanted to ask you something. What should it do?",
        options: [{ label: "Try again" }, { label: "Go on without asking" }],
        own_text: true,
      },
    ]);
    expect(client.events("ToolResult")).toHaveLength(2);
    await client.answer(asked, own("Look into the README.", { attachments: [picture()] }));
    const again = await client.asked("QuestionRequest", 2);
    expect(payload(again).tool_call_id).toBe("w-6");
    await client.answer(again, { items: [{ question_id: "q1", selected: ["q1_o2"] }] });
    await prompt;
    const asking = "The user, asked what to do after 3 mistakes in a row, said:";
    expect(readByModel(model.requests, 3, "w-3")).toMatchObject({
      is_error: true,
      output: [
        {
          type: "text",
          text: `${missing.output}\n\n${asking}\n<feedback>\nLook into the README.\n</feedback>`,
        },
        picture(),
      ],
    });
    expect(readByModel(model.requests, 6, "w-6").output).toBe(
      `${missing.output}\n\n${asking}\n<feedback>\nGo on without asking\n</feedback>`,
    );
    expect(readByModel(model.requests, 2, "w-2").output).toBe(missing.output);
  });

  test("mistakes of both kinds count together, and a right call ends the row before it is answered (P-KIL-8)", async () => {
    const bad = follows({ question: "Which?", follow_up: 5 }, "b-1");
    const { client, prompt } = await overBase([wrong(1), bad, follows(), wrong(2), wrong(3), done]);
    const asked = await client.seen("QuestionRequest");
    expect(payload(asked).tool_call_id).toBe("tc-1");
    client.reply(asked, { request_id: asked.id, answers: {} });
    expect((await prompt).result).toEqual({ status: "finished" });
    expect(client.received.filter(({ params }) => params?.type === "QuestionRequest")).toHaveLength(1);
  });

  test.each<[string, object]>([
    ["no question", { follow_up: ["a"] }],
    ["the question of P-QST-3", { question: "__proto__", follow_up: ["a"] }],
    ["suggestions that cannot be read", { question: "Which?", follow_up: 5 }],
  ])("the third mistake counts after two others: %s (P-KIL-8)", async (_, args) => {
    const all = [
      { follow_up: ["a"] },
      { question: "__proto__", follow_up: ["a"] },
      { question: "Which?", follow_up: 5 },
    ];
    const [one, two] = all.filter((other) => JSON.stringify(other) !== JSON.stringify(args));
    const calls = [one, two, args].map((made, n) => follows(made, `m-${n + 1}`));
    const { client, prompt } = await overBase([...calls, done]);
    const asked = await client.seen("QuestionRequest");
    expect(payload(asked).tool_call_id).toBe("m-3");
    client.reply(asked, { request_id: asked.id, answers: {} });
    await prompt;
  });

  test("mistakes are counted in each session by itself", async () => {
    const set = kiloScenario([wrong(1), done, wrong(2), done, wrong(3), done]);
    for (let n = 0; n < 3; n += 1) {
      const { client } = await set.meet();
      expect((await client.call("prompt", { user_input: "go" })).result).toEqual({ status: "finished" });
      client.close();
    }
  });

  test("the third mistake of calls that are made at once asks once", async () => {
    const { client, prompt } = await overBase([
      [1, 2, 3, 4, 5].map((n) => callLine("ask_followup_question", { n }, `w-${n}`)).join("\n"),
      done,
    ]);
    const asked = await client.seen("QuestionRequest");
    client.reply(asked, { request_id: asked.id, answers: {} });
    await prompt;
    expect(client.received.filter(({ params }) => params?.type === "QuestionRequest")).toHaveLength(1);
  });

  test.each<[string, object, string]>([
    ["dismisses", {}, "did not say."],
    ["answers nothing", { "?": " " }, "did not say."],
  ])(
    "the third mistake is answered with a text that says so where the person %s (P-KIL-8)",
    async (_, answers, words) => {
      const { client, model, prompt } = await overBase([...wrongs(3), done]);
      const asked = await client.seen("QuestionRequest");
      client.reply(asked, { request_id: asked.id, answers });
      await prompt;
      expect(outputOf(readByModel(model.requests, 3, "w-3"))).toMatch(
        new RegExp(`</error>\n\nThe user, asked what to do after 3 mistakes in a row, ${words}$`),
      );
    },
  );

  test("the third mistake is answered with a text that says so where nobody can be asked (P-KIL-8)", async () => {
    const nobody = "\n\nNobody could be asked what to do after 3 mistakes in a row: go on as you judge best.";
    const { meet, model } = kiloScenario([...wrongs(3), done]);
    const { client } = await meet({}, { supports_question: false });
    await client.call("prompt", { user_input: "go" });
    expect(readByModel(model.requests, 3, "w-3").output).toBe(missing.output + nobody);

    const away = kiloScenario([...wrongs(3), done]);
    const { client: one, session } = await away.meet();
    session.attendance = "decline";
    await one.call("prompt", { user_input: "go" });
    expect(readByModel(away.model.requests, 3, "w-3").output).toBe(missing.output + nobody);
    expect(one.story()).not.toContain("ask QuestionRequest");
  });

  test("the question at the third mistake waits no longer than a question may, and ends with the turn", async () => {
    const settings = { deadline: { ms: 60_000, on_expiry: "default" as const } };
    const { client, clock, model, prompt } = await overExtended([...wrongs(3), done], { settings });
    await client.asked("QuestionRequest");
    clock.advance(60_000);
    await prompt;
    expect(outputOf(readByModel(model.requests, 3, "w-3"))).toMatch(/Nobody could be asked/);

    const cancelled = await overBase(wrongs(3));
    await cancelled.client.seen("QuestionRequest");
    await cancelled.client.call("cancel");
    expect((await cancelled.prompt).result).toEqual({ status: "cancelled" });
    expect(cancelled.client.received.filter(({ params }) => params?.type === "ToolResult")).toHaveLength(2);
  });

  test.each<[number, number, string]>([
    [1, 1, "a mistake"],
    [2, 2, "2 mistakes in a row"],
  ])("the limit of mistakes in a row can be %i", async (mistakeLimit, n, words) => {
    const { client, prompt } = await overBase([...wrongs(n), done], { settings: { mistakeLimit } });
    const asked = await client.seen("QuestionRequest");
    expect(payload(asked)).toMatchObject({
      tool_call_id: `w-${n}`,
      questions: [{ question: expect.stringContaining(words) }],
    });
    client.reply(asked, { request_id: asked.id, answers: {} });
    await prompt;
  });

  test("a person who reads Chinese is asked in Chinese after mistakes", async () => {
    const { client, prompt } = await overBase([...wrongs(3), done], { settings: { language: "zh" } });
    const asked = await client.seen("QuestionRequest");
    const { question, options } = questionsOf(asked)[0] as ReturnType<typeof questionsOf>[number];
    expect(question).toBe("模型想向你提问，但连续出错 3 次。接下来怎么办？");
    expect(options?.map(({ label }) => label)).toEqual(["再试一次", "不再提问，继续"]);
    client.reply(asked, { request_id: asked.id, answers: { [question]: "再试一次" } });
    await prompt;
  });

  test("nobody is asked at any mistake where the limit is 0", async () => {
    const { client, prompt } = await overBase([...wrongs(5), done], { settings: { mistakeLimit: 0 } });
    await prompt;
    expect(client.story()).not.toContain("ask QuestionRequest");
  });
});
