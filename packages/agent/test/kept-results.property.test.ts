import type { ToolCall } from "@askwire/protocol";
import type { Message, Tool } from "@askwire/server";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { keptResults } from "../src/model-loop/kept-results.js";

const tools = [{ name: "ask", keepsResult: true }, { name: "look" }] as unknown as Tool[];

const call = (name: string, id: string): ToolCall => ({
  type: "function",
  id,
  function: { name, arguments: "{}" },
  extras: null,
});
const result = (tool_call_id: string, output: string): Message => ({
  role: "tool",
  tool_call_id,
  result: { is_error: false, output, message: "", display: [], extras: null },
});

/** A step of a model, or a person's message. Ids repeat, also within a step. */
const step = fc
  .array(fc.tuple(fc.constantFrom("ask", "look", "gone"), fc.constantFrom("a", "b", "c")), { maxLength: 4 })
  .map((calls): Message[] =>
    calls.length === 0
      ? [{ role: "user", content: "go on" }]
      : [
          { role: "assistant", content: [], tool_calls: calls.map(([name, id]) => call(name, id)) },
          ...calls.map(([name, id]) => result(id, name)),
        ],
  );
const conversations = fc.array(step, { maxLength: 8 }).map((steps) => steps.flat());

/** The messages, each step as its calls and then what the results say. */
const words = (messages: readonly Message[]) =>
  messages.map((message) => {
    if (message.role === "tool") return `${message.tool_call_id} ${message.result.output}`;
    return message.role === "user" ? "user" : message.tool_calls.map(({ function: { name } }) => name);
  });

test("the results of the tools that keep them stay, each step with its calls, again and again (P-DIA-8)", async () => {
  await fc.assert(
    fc.asyncProperty(conversations, async (messages) => {
      const kept = [...(await keptResults(messages, tools)).values()];
      const wanted = messages.flatMap((message, at) => {
        if (message.role !== "assistant") return [];
        const results = messages.slice(at + 1, at + 1 + message.tool_calls.length);
        const asked = results.filter((one) => one.role === "tool" && one.result.output === "ask");
        return asked.length === 0 ? [] : [asked.map(() => "ask"), ...words(asked)];
      });
      expect(words(kept)).toEqual(wanted);
      expect([...(await keptResults(kept, tools)).values()]).toEqual(kept);
    }),
  );
});
