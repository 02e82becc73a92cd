import type { QuestionRequest } from "@askwire/server";
import { describe, expect, test } from "vitest";
import { payload, questionsOf } from "../../server/test/raw-client.js";
import { toolResult } from "../../server/test/scenario.js";
import { kilo } from "../src/index.js";
import {
  done,
  follows,
  kiloScenario,
  option,
  outputOf,
  overBase,
  overExtended,
  own,
  picture,
  readByModel,
} from "./kilo-scene.js";

/** Asks with these arguments over the base wire, and dismisses. */
async function questionOf(args: object, settings = {}) {
  const { client, prompt } = await overBase([follows(args), done], { settings });
  const asked = await client.seen("QuestionRequest");
  client.reply(asked, { request_id: asked.id, answers: {} });
  await prompt;
  return payload(asked).questions as { question: string; options: { label: string }[] }[];
}
const labels = async (args: object) => (await questionOf(args))[0]?.options.map(({ label }) => label);

describe("the tool that the model is offered", () => {
  test("the tool takes a question and 1 to 4 suggestions, both required, and nothing else (P-KIL-1)", async () => {
    const { client, model, prompt } = await overBase([done]);
    await prompt;
    const [tool] = model.requests[0]?.tools ?? [];
    expect(tool?.name).toBe("ask_followup_question");
    expect(tool?.parameters).toMatchObject({
      type: "object",
      required: ["question", "follow_up"],
      additionalProperties: false,
      properties: {
        question: { type: "string" },
        follow_up: {
          type: "array",
          minItems: 1,
          maxItems: 4,
          items: {
            required: ["text", "mode"],
            additionalProperties: false,
            properties: { text: { type: "string" }, mode: { type: ["string", "null"] } },
          },
        },
      },
    });
    client.close();
  });

  test("the tool's description says that suggestions are complete, and that questions hold up the work", async () => {
    const { model, prompt } = await overBase([done]);
    await prompt;
    const { description } = model.requests[0]?.tools[0] ?? {};
    expect(description).toMatch(/no placeholders/);
    expect(description).toMatch(/every question holds up the work/);
  });

  test("the tool is offered in plan mode too, and not where nobody can be asked (P-DIA-5)", async () => {
    const { server, meet, model } = kiloScenario([done, done]);
    const session = server.createSession();
    session.planMode = true;
    const { client } = await meet({ session });
    await client.call("prompt", { user_input: "go" });
    client.close();
    const { client: silent } = await meet({}, { supports_question: false });
    await silent.call("prompt", { user_input: "go" });
    expect(model.requests.map(({ tools }) => tools.length)).toEqual([1, 0]);
  });
});

describe("the person's question", () => {
  test("the person is asked one question with the suggestions as options and own words besides; a mode is shown (P-KIL-1)", async () => {
    const { client, prompt } = await overExtended();
    const asked = await client.asked("QuestionRequest");
    expect(questionsOf(asked)).toEqual([
      {
        id: "q1",
        question: "Which colour?",
        header: "",
        body: "",
        other_label: "",
        other_description: "",
        multi_select: false,
        own_text: true,
        options: [
          { id: "q1_o1", label: "Red", description: "" },
          { id: "q1_o2", label: "Blue, like the sea", description: "Mode: code" },
        ],
      },
    ]);
    expect(payload(asked)).not.toHaveProperty("deadline");
    await client.answer(asked, option(1));
    await prompt;
  });

  test.each<[string, unknown, string[]]>([
    ["one suggestion", [{ text: "a" }], ["a"]],
    ["texts", ["a", " b "], ["a", "b"]],
    ["elements in a text", "<suggest>a &lt; b</suggest><suggest>c < d</suggest>", ["a < b", "c < d"]],
    ["a JSON text", '[{"text": "a"}]', ["a"]],
  ])(
    "the person is asked the same question where it is written with %s (P-KIL-3)",
    async (_, follow_up, expected) => {
      expect(await labels({ question: "Which?", follow_up })).toEqual(expected);
    },
  );

  test.each<[string, unknown]>([
    ["a list", ["a", "b"]],
    ["a JSON text of one", '["a", "b"]'],
  ])("the person is asked the same question where its options are %s (P-KIL-3)", async (_, options) => {
    expect(await labels({ question: "Which?", options })).toEqual(["a", "b"]);
  });

  test("the person's question is trimmed, and suggestions without text are left out", async () => {
    const follow_up = [{ text: " a\n" }, { text: "" }, { text: " ", mode: "code" }];
    expect(await questionOf({ question: "\n Which? ", follow_up })).toMatchObject([
      { question: "Which?", options: [{ label: "a" }] },
    ]);
  });

  test("the person's question has one option for suggestions of one text, the first (P-KIL-3, P-QST-5)", async () => {
    const follow_up = [
      { text: "a", mode: "code" },
      { text: "b" },
      { text: " a" },
      { text: "a", mode: "ask" },
    ];
    expect(await questionOf({ question: "Which?", follow_up })).toMatchObject([
      { options: [{ label: "a", description: "Mode: code" }, { label: "b" }] },
    ]);
    expect(await labels({ question: "Which?", follow_up })).toEqual(["a", "b"]);
  });

  test.each<[number, string]>([
    [0, "User answered (0 suggestions, where 2 to 4 are advised)"],
    [1, "User answered (1 suggestion, where 2 to 4 are advised)"],
    [4, "User answered"],
    [10, "User answered (10 suggestions, where 2 to 4 are advised)"],
  ])(
    "the person's question is asked with %i suggestions as well: the result's display says so (P-KIL-3)",
    async (n, text) => {
      const follow_up = Array.from({ length: n }, (_, index) => ({ text: `${index}`, mode: null }));
      const { client, prompt } = await overBase([follows({ question: "Which?", follow_up }), done]);
      const asked = await client.seen("QuestionRequest");
      expect(payload(asked).questions).toMatchObject([
        { options: follow_up.map(({ text }) => ({ label: text })) },
      ]);
      client.reply(asked, { request_id: asked.id, answers: { "Which?": "own" } });
      await prompt;
      expect(await toolResult(client)).toMatchObject({
        output: "<answer>\nown\n</answer>",
        display: [{ type: "brief", text }],
      });
    },
  );
});

describe("an answer, as the model reads it", () => {
  const answers = (said: object, args?: object) => async () => {
    const { client, model, prompt } = await overExtended([follows(args), done]);
    await client.answer(await client.asked("QuestionRequest"), said);
    await prompt;
    return { result: readByModel(model.requests), told: await toolResult(client) };
  };

  test.each<[string, object, string]>([
    ["is what was chosen", option(2), "Blue, like the sea"],
    ["is what was said, with all its lines", own(" # Green\n\n- `a`\n"), " # Green\n\n- `a`\n"],
    [
      "has a note after it",
      { items: [{ question_id: "q1", selected: ["q1_o1"], note: "but dark" }] },
      "Red\nbut dark",
    ],
  ])("an answer that the model reads %s (P-KIL-5)", async (_, said, text) => {
    const { result } = await answers(said)();
    expect(result).toMatchObject({ is_error: false, message: "", output: `<answer>\n${text}\n</answer>` });
  });

  test.each<[string, object, string]>([
    ["by the label", { "Which colour?": "Red" }, "Red"],
    ["in own words", { "Which colour?": "green" }, "green"],
    ["under another text than the question's", { "Colour?": "Red" }, "Red"],
    ["with more than was asked", { other: "x", "Which colour?": "Red" }, "Red"],
  ])(
    "the model reads an answer of a base client %s as that text, and never as undefined (P-KIL-5)",
    async (_, answers, text) => {
      const { client, model, prompt } = await overBase();
      const asked = await client.seen("QuestionRequest");
      client.reply(asked, { request_id: asked.id, answers });
      await prompt;
      expect(readByModel(model.requests).output).toBe(`<answer>\n${text}\n</answer>`);
    },
  );

  test.each([{ "Which colour?": "" }, { other: " " }])(
    "the model reads an answer without a text, as a program of this process may give it, as the empty text: %j",
    async (said) => {
      const { client, model, prompt, session } = await overExtended();
      await client.asked("QuestionRequest");
      (session.pending[0] as QuestionRequest).resolve(said);
      await prompt;
      expect(readByModel(model.requests)).toMatchObject({ is_error: false, output: "<answer>\n\n</answer>" });
    },
  );

  test("an answer that chooses a suggestion of no text does not count: there is no such choice", async () => {
    const follow_up = '<suggest mode="code"></suggest><suggest>a</suggest>';
    const { result } = await answers(option(1), { question: "Which?", follow_up })();
    expect(result.output).toBe("<answer>\na\n</answer>");
  });

  test("an answer as the model reads it is also what the person said, for programs (P-KIL-5)", async () => {
    const { told } = await answers(own("green", { attachments: [picture(), picture()] }))();
    expect(told.extras).toEqual({ user_feedback: { text: "green", images: 2 } });
    const { told: chosen } = await answers(option(1))();
    expect(chosen.extras).toEqual({ user_feedback: { text: "Red" } });
  });

  test("the model reads the whole answer, however long it is (P-KIL-5)", async () => {
    const { result } = await answers(own("x".repeat(8_000_000)))();
    expect(outputOf(result)).toHaveLength(8_000_000 + "<answer>\n\n</answer>".length);
  });

  test("the model reads the images of an answer after the text (P-KIL-5)", async () => {
    const attachments = [picture("AAAA"), picture("BBBB")];
    const { result } = await answers(own("like these", { attachments }))();
    expect(result.output).toEqual([
      { type: "text", text: "<answer>\nlike these\n</answer>" },
      ...attachments,
    ]);
  });

  test("the model reads an answer's text and the images that have room, where not all have (P-KIL-5)", async () => {
    const large = picture("A".repeat(6_000_000));
    const { result, told } = await answers(own("these", { attachments: [large, picture("AAAA"), large] }))();
    expect(told.is_error).toBe(false);
    expect(outputOf(result)).toBe("<answer>\nthese\n</answer>\n(1 of 3 images left out: too large)");
    expect((result.output as unknown[]).slice(1)).toEqual([large, picture("AAAA")]);
  });
});

describe("a suggestion with a mode", () => {
  test("a suggestion with a mode switches to it when it is chosen, before the model continues (P-KIL-9)", async () => {
    const modes: string[] = [];
    let switched = () => {};
    const switchMode = async (mode: string) => {
      modes.push(mode);
      await new Promise<void>((resolve) => {
        switched = resolve;
      });
    };
    const { client, model, prompt } = await overExtended(undefined, { settings: { switchMode } });
    await client.answer(await client.asked("QuestionRequest"), option(2));
    await client.settled();
    expect(modes).toEqual(["code"]);
    expect(model.requests).toHaveLength(1);
    switched();
    await prompt;
    expect((await toolResult(client)).extras).toMatchObject({ mode: "code" });
  });

  test.each<[string, object]>([
    ["another one is chosen", option(1)],
    ["the person says something else", own("Blue, like the sky")],
    ["it is dismissed", { outcome: { status: "declined" } }],
  ])("a suggestion with a mode switches to nothing where %s", async (_, said) => {
    const modes: string[] = [];
    const settings = { switchMode: (mode: string) => void modes.push(mode) };
    const { client, prompt } = await overExtended(undefined, { settings });
    await client.answer(await client.asked("QuestionRequest"), said);
    await prompt;
    expect(modes).toEqual([]);
  });

  test("a suggestion with a mode that cannot be switched to costs no answer, and the model is told (P-KIL-9)", async () => {
    const settings = { switchMode: () => Promise.reject(new Error("there is no such mode")) };
    const { client, model, prompt } = await overExtended(undefined, { settings });
    await client.answer(await client.asked("QuestionRequest"), option(2));
    await prompt;
    const output =
      "<answer>\nBlue, like the sea\n</answer>\nThe mode was not switched to code: there is no such mode";
    expect(readByModel(model.requests)).toMatchObject({ is_error: false, output });
    expect((await toolResult(client)).extras).not.toHaveProperty("mode");
  });
});

describe("wrong settings", () => {
  test.each<[string, object]>([
    ["form", { form: "yaml" }],
    ["mistakeLimit", { mistakeLimit: -1 }],
    ["mistakeLimit", { mistakeLimit: 1.5 }],
    ["deadline.ms", { autoAnswer: { afterMs: 0 } }],
    ["deadline.ms", { deadline: { ms: 2 ** 31, on_expiry: "cancel" } }],
    ["autoAnswer", { autoAnswer: { afterMs: 1 }, deadline: { ms: 1, on_expiry: "cancel" } }],
  ])("a wrong setting of %s is refused when the dialect is made: %j (P-KIL-1)", (name, settings) => {
    expect(() => kilo(settings)).toThrow(new RegExp(`^(kilo: )?${name}: expected`));
  });
});
