// Mistakes of a model's call, in every dialect and over both wires, told in the dialect's own words.

import type { ToolReturnValue } from "@askwire/protocol";
import { describe, expect, test } from "vitest";
import { meetExtended } from "../../server/test/extended/extended-client.js";
import { callLine, scenario } from "../../server/test/scenario.js";
import { dialects } from "../src/index.js";

/** The beginning of an error's text, and its member of the result. */
interface Told {
  readonly in: "message" | "output";
  readonly notJson: RegExp;
  readonly noObject: RegExp;
  readonly noQuestion: RegExp;
  readonly extras: object | null;
}

const wrapped = (why: string) =>
  new RegExp(`^The tool execution failed with the following error:\n<error>\n${why}[^<]*\n</error>$`);

const told: Record<"kimi" | "klaude" | "kilo" | "redc", Told> = {
  kimi: {
    in: "message",
    notJson: /^Invalid arguments: not JSON \(.*\)\. Correct them and call again\.$/,
    noObject: /^Invalid arguments: .*expected object.* Correct them and call again\.$/,
    noQuestion: /^Invalid arguments: questions: expected array\. Correct them and call again\.$/,
    extras: null,
  },
  klaude: {
    in: "output",
    notJson: /^Invalid arguments: not JSON \(.*\)\. Correct them and call again\.$/,
    noObject: /^Invalid arguments: .*expected object.* Correct them and call again\.$/,
    noQuestion:
      /^Invalid arguments: questions: expected array(; expected no "__proto__")?\. Correct them and call again\.$/,
    extras: { status: "error" },
  },
  kilo: {
    in: "output",
    notJson: wrapped("Invalid arguments: not JSON"),
    noObject: wrapped("Invalid arguments: expected an object"),
    noQuestion: wrapped(
      "Missing value for required parameter 'question'. Please retry with complete response.",
    ),
    extras: null,
  },
  redc: {
    in: "output",
    notJson: /^工具参数 JSON 解析失败: .*\n原始参数: \{"question": $/,
    noObject: /^工具参数 JSON 解析失败: 应为 JSON 对象\n原始参数: /,
    noQuestion: /^工具参数缺少 question，请写明要询问用户的问题$/,
    extras: { success: false },
  },
};

const calls: readonly [string, string, "notJson" | "noObject" | "noQuestion"][] = [
  ["text that is cut", '{"question": ', "notJson"],
  ["a list", '["Which?"]', "noObject"],
  ["null", "null", "noObject"],
  ["a number", "7", "noObject"],
  ["nothing in it", "{}", "noQuestion"],
  ["a key of every object", '{"__proto__": {"question": "Which?", "questions": []}}', "noQuestion"],
];

describe.each(Object.keys(told) as (keyof typeof told)[])("a call of %s", (name) => {
  const cases = calls.flatMap(([what, args, kind]) =>
    (["base", "extended"] as const).map((wire) => ({ what, args, kind, wire })),
  );
  test.each(cases)(
    "a call with $what is told so and asks nobody, and the turn continues, $wire wire",
    async ({ args, kind, wire }) => {
      const dialect = dialects[name]();
      const line = `tool_call: ${JSON.stringify({ id: "tc-1", name: dialect.tool.name, arguments: args })}`;
      const set = scenario([line, "text: done"], { dialects: [dialect] });
      const { client, session } = wire === "base" ? await set.meet() : await meetExtended(set);
      const { result } = await client.call("prompt", { user_input: "go" });
      expect(result).toMatchObject({ status: "finished" });
      expect(client.received.filter(({ method }) => method === "request")).toEqual([]);
      expect([session.pending.length, set.model.requests.length]).toEqual([0, 2]);

      const last = set.model.requests[1]?.messages.at(-1);
      const read = (last?.role === "tool" ? last.result : {}) as ToolReturnValue;
      const other = told[name].in === "output" ? "message" : "output";
      expect(read[told[name].in]).toMatch(told[name][kind]);
      expect(read).toMatchObject({ is_error: true, [other]: "" });
      expect(read.extras).toEqual(told[name].extras);
    },
  );
});

const options = [{ label: "A" }, { label: "B" }];
/** A call that asks a text. */
const askedIn = {
  kimi: (question: string) => ({ questions: [{ question, options }] }),
  klaude: (question: string) => ({ questions: [{ question, header: "", options }] }),
  kilo: (question: string) => ({ question, follow_up: ["A", "B"] }),
  redc: (question: string) => ({ question, choices: ["A", "B"] }),
};

/** Texts that no answer could be keyed by, or that ask nothing. */
const unaskable = ["__proto__", "", " \n"];
const names = Object.keys(told) as (keyof typeof told)[];

test.each(names.flatMap((name) => unaskable.map((text) => ({ name, text }))))(
  "the question $text, which cannot be asked, is told so in the words of $name (P-QST-3)",
  async ({ name, text }) => {
    const dialect = dialects[name]();
    const line = callLine(dialect.tool.name, askedIn[name](text));
    const set = scenario([line, "text: done"], { dialects: [dialect] });
    const { client } = await set.meet();
    await client.call("prompt", { user_input: "go" });
    expect(client.received.filter(({ method }) => method === "request")).toEqual([]);
    const last = set.model.requests[1]?.messages.at(-1);
    const read = (last?.role === "tool" ? last.result : {}) as ToolReturnValue;
    const other = told[name].in === "output" ? "message" : "output";
    expect(read).toMatchObject({ is_error: true, [other]: "" });
    expect(read[told[name].in]).not.toMatch(/^$|The tool failed/);
    expect(read.extras).toEqual(told[name].extras);
  },
);
