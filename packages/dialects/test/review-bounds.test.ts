// Reading a model's text takes work that grows with its length and no faster, since nobody else is served meanwhile.

import { oneLine } from "@askwire/server/internal";
import { describe, expect, test } from "vitest";
import { growth, LINEAR } from "../../../scripts/growth.js";
import { payload } from "../../server/test/raw-client.js";
import { readSuggestions } from "../src/kilo/suggestions.js";
import { kiloTextCalls } from "../src/kilo/text-calls.js";
import { option, overExtended, picture } from "./kilo-scene.js";
import { askedOverExtended, readByModel } from "./redc-scene.js";

const open = "<ask_followup_question>";
const close = "</ask_followup_question>";

async function callsIn(text: string): Promise<number> {
  const { read } = kiloTextCalls(() => []);
  const stream = (async function* () {
    yield { type: "content" as const, part: { type: "text" as const, text } };
  })();
  let calls = 0;
  for await (const part of read(stream)) if (part.type === "tool_call") calls += 1;
  return calls;
}

describe("a long message that comes at once", () => {
  test.each<[string, string, number]>([
    ["calls", `${open}<question>a</question>${close}`, 1],
    ["calls without a question", `${open}${close}`, 1],
    ["open tags and nothing else", open, 0],
  ])("a long message of many %s is read in time linear in its length (P-KIL-6)", async (_, piece, calls) => {
    const read = async (count: number) => expect(await callsIn(piece.repeat(count))).toBe(calls * count);
    expect(await growth(read, 50)).toBeLessThan(LINEAR);
  });

  test("no character of a long message is cut in half (P-KIL-6)", async () => {
    const { read } = kiloTextCalls(() => []);
    const text = `a${"😀".repeat(20_000)}`;
    const stream = (async function* () {
      yield { type: "content" as const, part: { type: "text" as const, text } };
    })();
    let said = "";
    for await (const part of read(stream)) {
      if (part.type !== "content" || part.part.type !== "text") continue;
      expect(part.part.text).not.toMatch(/[\ud800-\udbff]$/);
      said += part.part.text;
    }
    expect(said === text).toBe(true);
  });
});

describe("a suggestion that is not closed", () => {
  test("a suggestion that is not closed is read in time linear in its length, however much blank follows what may be a stray tag (P-KIL-3)", async () => {
    const read = (count: number) => {
      const text = `x</a${" ".repeat(count)}b`;
      expect(readSuggestions(`<suggest>${text}`)).toEqual([{ text }]);
    };
    expect(await growth(read, 100)).toBeLessThan(LINEAR);
  });

  test.each([
    ["x</b>", "x"],
    ["x</b >", "x"],
    ["x</b > \n", "x"],
    ["x</b \n", "x"],
    ["x</b > y", "x</b > y"],
  ])("the suggestion %j loses the stray tag at its end and nothing else (P-KIL-3)", (written, text) => {
    expect(readSuggestions(`<suggest>${written}`)).toEqual([{ text }]);
  });
});

test("a very long answer is the result whole, and the person is shown its beginning (P-RED-4)", async () => {
  const { client, asked, prompt, model } = await askedOverExtended();
  const said = `\n${"long  words ".repeat(400_000)}end`;
  await client.answer(asked, { items: [{ question_id: "q1", selected: [], own_text: said }] });
  await prompt;
  const { output, display } = readByModel(model.requests);
  expect(output === said).toBe(true);
  expect(display).toEqual([{ type: "brief", text: `↩ ${oneLine(said.slice(0, 400)).slice(0, 100)}…` }]);
});

test("a thousand suggestions are asked, and the last can be chosen (P-KIL-3)", async () => {
  const follow_up = Array.from({ length: 1_000 }, (_, index) => `s${index + 1}`);
  const script = `tool_call: ${JSON.stringify({
    id: "tc-1",
    name: "ask_followup_question",
    arguments: JSON.stringify({ question: "Which?", follow_up }),
  })}`;
  const { client, prompt, model } = await overExtended([script, "text: done"]);
  const asked = await client.asked("QuestionRequest");
  expect(payload(asked).questions).toMatchObject([{ options: { length: 1_000 } }]);
  await client.answer(asked, {
    ...option(1_000),
    items: [{ ...option(1_000).items[0], attachments: [picture()] }],
  });
  await prompt;
  expect(readByModel(model.requests).output).toEqual([
    { type: "text", text: "<answer>\ns1000\n</answer>" },
    picture(),
  ]);
});

test("a call with ten thousand suggestions asks nobody, and the model is told what was wrong (P-KIL-3, P-XFL-2)", async () => {
  const follow_up = Array.from({ length: 10_000 }, (_, index) => `s${index + 1}`);
  const script = `tool_call: ${JSON.stringify({
    id: "tc-1",
    name: "ask_followup_question",
    arguments: JSON.stringify({ question: "Which?", follow_up }),
  })}`;
  const { prompt, model } = await overExtended([script, "text: done"]);
  await prompt;
  expect(JSON.stringify(readByModel(model.requests))).toContain("[0].options: expected at most 1000");
});
