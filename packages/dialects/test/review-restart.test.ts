// The remains of calls in the model's text after an earlier process.

import type { History, Message } from "@askwire/server";
import { expect, test } from "vitest";
import { done, element, kiloScenario } from "./kilo-scene.js";

const call = element().replace("text: ", "");
const user = (content: string): Message => ({ role: "user", content });
const assistant = (text: string, tool_calls: [] = []): Message => ({
  role: "assistant",
  content: [{ type: "text", text }],
  tool_calls,
});

const interrupted: Message = {
  role: "user",
  content: [
    { type: "text", text: "[ask_followup_question for 'Which colour?'] Result:" },
    {
      type: "text",
      text: "Task was interrupted before this tool call could be completed.",
    },
  ],
};

/** The model's view of two prompts after an earlier process, and the kept messages. */
async function readAfter(left: readonly Message[], form: "xml" | "json" = "xml") {
  const kept = [...left];
  const history: History = {
    load: () => [...left],
    append: (messages) => void kept.push(...messages.map(({ at: _place, ...message }) => message)),
    replace() {},
  };
  const set = kiloScenario([done, done], { settings: { form }, agentOptions: { history } });
  const { client } = await set.meet();
  await client.call("prompt", { user_input: "one" });
  await client.call("prompt", { user_input: "two" });
  return { first: set.model.requests[0]?.messages, second: set.model.requests[1]?.messages, kept };
}

test("a question whose process ended has a result that says so, once (P-JRN-11, P-DIA-6)", async () => {
  const left = [user("paint"), assistant(`I wonder.\n${call}`)];
  const { first, second, kept } = await readAfter(left);
  expect(first).toEqual([...left, interrupted, user("one")]);
  expect(second).toEqual([...left, interrupted, user("one"), assistant("done"), user("two")]);
  expect(kept.slice(2)).toEqual([
    interrupted,
    user("one"),
    assistant("done"),
    user("two"),
    assistant("done"),
  ]);
});

test("a question whose process ended has its result beside those of a provider's tools (P-JRN-11, P-DIA-6)", async () => {
  const result = { is_error: false, output: "ok", message: "", display: [], extras: null };
  const left: Message[] = [
    user("paint"),
    {
      role: "assistant",
      content: [{ type: "text", text: call }],
      tool_calls: [
        { type: "function", id: "s-1", function: { name: "Shell", arguments: "{}" }, extras: null },
      ],
    },
    { role: "tool", tool_call_id: "s-1", result },
  ];
  expect((await readAfter(left)).first).toEqual([...left, interrupted, user("one")]);
});

test.each<[string, readonly Message[], "xml" | "json"]>([
  ["was answered", [user("paint"), assistant(call), user("Red"), assistant("Red it is.")], "xml"],
  ["is code in what the model said", [user("how?"), assistant(`\`\`\`\n${call}\n\`\`\``)], "xml"],
  ["is text, as the session asks by a provider's tool", [user("paint"), assistant(call)], "json"],
])("a restart adds no result where a question %s (P-JRN-11)", async (_, left, form) => {
  expect((await readAfter(left, form)).first).toEqual([...left, user("one")]);
});
