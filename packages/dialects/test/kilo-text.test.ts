import type { ModelPart } from "@askwire/server";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MAX_CALL } from "../src/kilo/open-call.js";
import { kiloTextCalls } from "../src/kilo/text-calls.js";

const content = (text: string): ModelPart => ({ type: "content", part: { type: "text", text } });
const think = (text: string): ModelPart => ({
  type: "content",
  part: { type: "think", think: text, encrypted: null },
});

/** Reads a stream of these parts. */
async function readAll(given: readonly ModelPart[]): Promise<ModelPart[]> {
  let ids = 0;
  const { read } = kiloTextCalls(
    () => [],
    () => {
      ids += 1;
      return `id-${ids}`;
    },
  );
  async function* stream() {
    yield* given;
  }
  const parts: ModelPart[] = [];
  for await (const part of read(stream())) parts.push(part);
  return parts;
}

type ReadCall = { id: string; args: unknown; written: string; nth?: unknown };
type Read = string | { think: string } | ReadCall;

/** The parts in short: adjacent texts joined, and calls with their arguments. */
function short(parts: readonly ModelPart[]): Read[] {
  const read: Read[] = [];
  for (const part of parts) {
    const last = read.at(-1);
    const call = typeof last === "object" && "id" in last ? last : undefined;
    if (part.type === "content" && part.part.type === "text") {
      if (typeof last === "string") read[read.length - 1] = last + part.part.text;
      else read.push(part.part.text);
    } else if (part.type === "content" && part.part.type === "think") read.push({ think: part.part.think });
    else if (part.type === "tool_call") {
      expect(part.inText).toBeDefined();
      const nth = part.call.extras?.in_message;
      read.push({ id: part.call.id, args: "", written: "", ...(nth !== undefined && { nth }) });
    } else if (part.type === "tool_call_part" && call !== undefined) call.args += part.arguments_part ?? "";
    else if (part.type === "written" && call !== undefined) {
      call.args = JSON.parse(call.args as string);
      call.written = part.text;
    } else read.push(part.type);
  }
  return read;
}

const read = async (...texts: string[]) => short(await readAll(texts.map(content)));

const block = (inner: string) => `<ask_followup_question>${inner}</ask_followup_question>`;
const colour = block(
  "\n<question>Which colour?</question>\n<follow_up>\n<suggest>Red</suggest>\n<suggest>Blue</suggest>\n</follow_up>\n",
);
const suggests = "\n<suggest>Red</suggest>\n<suggest>Blue</suggest>\n";

describe("a call in the text", () => {
  test("a call in the text becomes a call with the question and what follows as it was written, between the text around it", async () => {
    expect(await read(`Let me ask.\n${colour}\nThanks.`)).toEqual([
      "Let me ask.\n",
      { id: "id-1", args: { question: "Which colour?", follow_up: suggests }, written: colour },
      "\nThanks.",
    ]);
  });

  test.each<[string, string, object]>([
    ["without suggestions", "<question>Which?</question>", { question: "Which?" }],
    [
      "with suggestions first",
      "<follow_up><suggest>a</suggest></follow_up><question>Which?</question>",
      { question: "Which?", follow_up: "<suggest>a</suggest>" },
    ],
    [
      "with suggestions that have no list around them",
      "<question>Which?</question> <suggest>a</suggest>",
      { question: "Which?", follow_up: "<suggest>a</suggest>" },
    ],
    [
      "with an open question",
      "<question>Which?<follow_up><suggest>a</suggest></follow_up>",
      { question: "Which?", follow_up: "<suggest>a</suggest>" },
    ],
    [
      "with what looks like a tag in its question",
      "<question>a < b or <i>c</i> </quest ion>? &lt;&amp;lt; &nope; &am<b></question>",
      { question: "a < b or <i>c</i> </quest ion>? <&lt; &nope; &am<b>" },
    ],
    ["without a question", "<follow_up>a</follow_up>", { follow_up: "a" }],
    ["with nothing in it", "", {}],
    ["with words alone", "Which colour?", {}],
  ])("a call in the text %s is found", async (_, inner, args) => {
    expect(await read(block(inner))).toEqual([{ id: "id-1", args, written: block(inner) }]);
  });

  test("a call in the text goes out while its question is written, and never as XML", async () => {
    const { read } = kiloTextCalls(() => []);
    const given = [
      "Hm. <ask_followup_question>",
      "<question>Which col",
      "our? </que",
      "stion><follow",
      "_up>",
    ];
    const stream = (async function* () {
      for (const text of given) yield content(text);
    })();
    const parts = read(stream)[Symbol.asyncIterator]();
    const next = async () => (await parts.next()).value as ModelPart;
    expect(await next()).toEqual(content("Hm. "));
    expect(await next()).toMatchObject({ type: "tool_call", call: { function: { arguments: null } } });
    const pieces: (string | null)[] = [];
    for (let part = await next(); part.type === "tool_call_part"; part = await next())
      pieces.push(part.arguments_part);
    expect(pieces).toEqual(['{"question": "', "Which col", "our? ", '", "follow_up": ""}']);
  });

  test("a call in the text is the second one of its message where there was one, and says so", async () => {
    const [first, , second] = await read(`${colour}and${colour}`);
    expect(first).not.toHaveProperty("nth");
    expect(second).toMatchObject({ id: "id-2", nth: 2 });
  });

  test.each<[string, string, object]>([
    ["in its question", "<question>Which colour", { question: "Which colour" }],
    ["in a tag after its question", "<question>Which?</quest", { question: "Which?" }],
    [
      "in its suggestions",
      "<question>Which?</question><follow_up><suggest>a</suggest><sugg",
      {
        question: "Which?",
        follow_up: "<suggest>a</suggest><sugg",
      },
    ],
    [
      "in a suggestion, which is left out",
      "<question>Which?</question><follow_up><suggest>a</suggest><suggest>use b</b> and",
      { question: "Which?", follow_up: "<suggest>a</suggest>" },
    ],
    [
      "in a suggestion after one that is not closed",
      "<question>Which?</question><follow_up><suggest>a<suggest>b a",
      { question: "Which?", follow_up: "<suggest>a" },
    ],
    [
      "in the tag of a suggestion",
      "<question>Which?</question><suggest>a</suggest><suggest mode=",
      { question: "Which?", follow_up: "<suggest>a</suggest>" },
    ],
    [
      "in its first suggestion",
      "<question>Which?</question><follow_up><SUGGEST>a",
      { question: "Which?", follow_up: "" },
    ],
    [
      "behind its suggestions",
      "<question>Which?</question><follow_up><suggest>a<suggest>b</follow_up></ask",
      { question: "Which?", follow_up: "<suggest>a<suggest>b" },
    ],
  ])("a call in the text that ends with the stream %s is a call of what there is", async (_, inner, args) => {
    const written = `<ask_followup_question>${inner}`;
    expect(await read(written)).toEqual([{ id: "id-1", args, written }]);
    expect(short(await readAll([content(written), think("hm"), content("more")]))).toEqual([
      { id: "id-1", args, written },
      { think: "hm" },
      "more",
    ]);
  });

  test("a call in the text that is too long ends at the limit, and what follows is text", async () => {
    const open = "<ask_followup_question><question>";
    const [call, after] = await read(open + "x".repeat(MAX_CALL));
    const question = "x".repeat(MAX_CALL - open.length);
    expect(call).toEqual({ id: "id-1", args: { question }, written: open + question });
    expect(after).toBe("x".repeat(open.length));
  });
});

describe("text that is no call stays text", () => {
  test.each<[string, string]>([
    ["in a fence", `See:\n\`\`\`xml\n${colour}\n\`\`\`\nDone.`],
    ["in a longer fence with a shorter one in it", `\`\`\`\`\n\`\`\`\n${colour}\n\`\`\`\n\`\`\`\`\n`],
    ["in a fence that is not closed", `  \`\`\`\n${colour}`],
    ["in backticks", "The `<ask_followup_question>` tool"],
    ["in backticks with words", `Write \`${colour.replaceAll("\n", " ")}\``],
    ["in a fence of tildes", `See:\n~~~xml\n${colour}\n~~~\nDone.`],
    ["in a fence of tildes with one of backticks in it", `~~~~\n\`\`\`\n\`\`\`\n~~~\n${colour}\n~~~~\n`],
    ["in a line that quotes", `> ${colour.replaceAll("\n", " ")}\n`],
    ["in a thought in the text", `<think>\nI could write ${colour}\n</think>\nSo.`],
    ["in a thought that is not closed", `<thinking>${colour}`],
    ["in a comment", `<!-- ${colour} -->`],
    ["in a comment with tags", `<!-- </think> <b> ${colour} -->`],
    ["in CDATA", `<![CDATA[${colour}]]>`],
    ["with another name", "<ask_followup_questions><question>a</question></ask_followup_questions>"],
    ["that only begins", "a <ask_follow"],
    ["of which only the tag is there", "The <ask_followup_question> tool asks. < b"],
    ["that is longer than a call may be", `<ask_followup_question>${"x".repeat(MAX_CALL)} <b>`],
  ])("a call stays text %s", async (_, text) => {
    expect(await read(text)).toEqual([text]);
  });

  test("a call after text that looks like one is found", async () => {
    const call = expect.objectContaining({ written: colour });
    for (const text of [
      `\`\`\`\n${colour}\n\`\`\` \n`,
      "Code like ```this``` and `that`:\n",
      "```in one line```\n",
      "The <ask_followup_question> tool:\n",
      "~~~\n~~~\n",
      "> quoted `\n",
      `<think>${colour} \`\`\` </think>`,
      "<!-- ` -->\n<![CDATA[ ~~~ ]]>",
      "`<think>` is a tag.\n",
      "<!- no comment, <thin ",
    ]) {
      expect(await read(text + colour)).toEqual([text, call]);
    }
  });

  test("a call in thoughts stays text, whatever is in them", async () => {
    expect(short(await readAll([think(colour), content("a <ask"), think("b"), content("c")]))).toEqual([
      { think: colour },
      "a <ask",
      { think: "b" },
      "c",
    ]);
  });
});

test("a provider's counts come after all else, also where they come within a call", async () => {
  const usage = { input_other: 1, output: 2, input_cache_read: 0, input_cache_creation: 0 };
  const parts = await readAll([
    content(colour.slice(0, 50)),
    { type: "usage", usage },
    { type: "message_id", id: "m" },
    content(colour.slice(50)),
  ]);
  expect(short(parts)).toEqual([expect.objectContaining({ written: colour }), "usage", "message_id"]);
});

describe("a stream that is cut", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      colour,
      "<ask_followup_question>",
      "</ask_followup_question>",
      "<question>",
      "</question>",
      "<follow_up>",
      "</follow_up>",
      "<suggest>a</suggest>",
      "\n```\n",
      "\n~~~\n",
      "\n> ",
      "<think>",
      "</think>",
      "<!--",
      "-->",
      "<![CDATA[",
      "]]>",
      "````\n",
      "`",
      "\n",
      "&lt;",
      "&am",
      "<",
      "</",
      "😀",
    ),
    fc.string({ unit: "grapheme", maxLength: 8 }),
  );
  const text = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(""));

  test("calls and text are the same wherever the stream is cut", async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.array(fc.nat()), async (whole, cuts) => {
        const expected = await read(whole);
        expect(await read(...whole.split(""))).toEqual(expected);
        const at = cuts.map((cut) => cut % (whole.length + 1)).sort((a, b) => a - b);
        expect(await read(...[0, ...at].map((from, n) => whole.slice(from, at[n])))).toEqual(expected);
      }),
      { numRuns: 120 },
    );
  });

  test("nothing is lost wherever the stream is cut: texts and calls together are what was written", async () => {
    await fc.assert(
      fc.asyncProperty(text, async (whole) => {
        const said = (await read(whole)).map((part) =>
          typeof part === "string" ? part : "written" in part ? part.written : "",
        );
        expect(said.join("")).toBe(whole);
      }),
      { numRuns: 120 },
    );
  });

  test("only what may be the beginning of a tag is held back wherever the stream is cut", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme" }), async (words) => {
        const { read } = kiloTextCalls(() => []);
        const stream = (async function* () {
          yield content(words);
          yield content(`<ask_follow`);
          throw new Error("cut here");
        })();
        let out = "";
        try {
          for await (const part of read(stream))
            if (part.type === "content" && part.part.type === "text") out += part.part.text;
        } catch {}
        // In code and in a quoted line stands no call, so there nothing is held back.
        const maybeQuoted = ["`", "~~~", ">"].some((mark) => words.includes(mark));
        expect(maybeQuoted ? [words, `${words}<ask_follow`] : [words]).toContain(out);
      }),
    );
  });
});
