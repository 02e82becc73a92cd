import { expect, test } from "vitest";
import { meetExtended } from "../../server/test/extended/extended-client.js";
import { callLine, colour, scenario } from "../../server/test/scenario.js";
import { dialects } from "../src/index.js";
import { picture } from "./kilo-scene.js";

const questions = [{ ...colour, header: "Colour" }];

test.each([
  [
    "kimi",
    "AskUserQuestion",
    { questions },
    '{"answers": {"Which colour?": "Red"}, "note": "but dark\\nthanks"}',
  ],
  [
    "klaude",
    "AskUserQuestion",
    { questions },
    "Question: Which colour?\nAnswer: Red:\nNote: but dark\n---\nNote: thanks",
  ],
  [
    "kilo",
    "ask_followup_question",
    { question: "Which colour?", follow_up: ["Red", "Blue"] },
    "<answer>\nRed\nbut dark\nthanks\n</answer>",
  ],
  ["redc", "ask_user", { question: "Which colour?", choices: ["Red", "Blue"] }, "Red\nbut dark\nthanks"],
] as const)(
  "notes and attachments beside an answer reach the model of %s (P-DIA-9)",
  async (name, tool, args, text) => {
    const set = scenario([callLine(tool, args), "text: done"], { dialects: [dialects[name]()] });
    const { client } = await meetExtended(set);
    const prompt = client.call("prompt", { user_input: "go" });
    const request = await client.asked("QuestionRequest");
    const item = { question_id: "q1", selected: ["q1_o1"], note: "but dark", attachments: [picture()] };
    const outcome = { status: "answered", note: "thanks" };
    expect((await client.answer(request, { outcome, items: [item] })).error).toBeUndefined();
    await prompt;
    expect(set.model.requests[1]?.messages.at(-1)).toMatchObject({
      role: "tool",
      result: { is_error: false, output: [{ type: "text", text }, { type: "image_url" }] },
    });
  },
);
