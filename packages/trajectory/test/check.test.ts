import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { growth, LINEAR } from "../../../scripts/growth.js";
import { temporaryFolder } from "../../server/test/journal-folder.js";
import { checkTrajectories } from "../src/check-trajectories.js";
import type { TrajectoryMessage } from "../src/trajectory.js";
import { written } from "./kept-session.js";

const flags = {
  queries: 0,
  filled_after_query: 0,
  validation_errors: 0,
  unanswered_queries: 0,
  dropped_calls: 0,
  hallucinated_result: false,
  success: true,
};
const user = { role: "user", content: "go", loss: false };
const says = (content: string, more: object = {}) => ({ role: "assistant", content, loss: true, ...more });
const calls = says("", { tool_calls: [{ id: "c-1", name: "run_code", arguments: "{}" }] });
const result = (content: string, tool_call_id?: string) => ({
  role: "tool",
  content,
  loss: false,
  ...(tool_call_id !== undefined && { tool_call_id }),
});
const inText = result("<result>\n4\n</result>");
const line = (messages: readonly object[], more: object = {}) =>
  JSON.stringify({
    version: 1,
    session: "s",
    started_at: "2026-01-02T03:04:05.000Z",
    duration_s: 1.5,
    task: "go",
    messages: messages as TrajectoryMessage[],
    flags,
    ...more,
  });

async function check(...lines: string[]) {
  const file = join(temporaryFolder(), "all.jsonl");
  writeFileSync(file, `${lines.join("\n")}\n`);
  const problems: string[] = [];
  const counts = await checkTrajectories(file, (found) => problems.push(`${found.line}: ${found.problem}`));
  return { counts, problems };
}

describe("a file of trajectories", () => {
  test("a file of trajectories that is right is counted (P-TRJ-7)", async () => {
    const one = [{ ...user, role: "system" }, user, calls, result("4", "c-1"), says("4.")];
    const two = [user, says(written.query), inText, says(written.call), inText, says("4.", { loss: false })];
    const cut = { flags: { ...flags, queries: 1, success: false } };
    const dropped = result('<result>{"not_executed": ["box.run_code"]}</result>');
    const three = [user, user, says(`${written.query}\n${written.query}`), dropped, inText];
    const more = { flags: { ...flags, queries: 2, dropped_calls: 1, success: false } };
    const { counts, problems } = await check(line(one), "", line(two, cut), line(three, more));
    expect(problems).toEqual([]);
    expect(counts).toEqual({
      trajectories: 3,
      wrong: 0,
      messages: { system: 1, user: 4, assistant: 6, tool: 5 },
      learned: 5,
      queries: 3,
      successes: 1,
      flagged: 1,
    });
  });

  test("a file of trajectories that speaks of tags, in code, in thoughts or as text, makes no queries of them (P-TRJ-7)", async () => {
    const spoken = [
      "<think><tool_param><tool_id>a</tool_id></tool_param> <result>4</result></think>Fine.",
      "Like this:\n```xml\n<param_query><action>a</action></param_query>\n<result>\n```\nSee?",
      "```\n<result>never closed",
      "Use `<result>` and ``<execute_tools />`` after the <tool_param> tag.",
      "<!-- <result> --><![CDATA[<execute_tools/>]]> and <ul><li>one</li></ul>",
    ];
    expect((await check(...spoken.map((text) => line([user, says(text)])))).problems).toEqual([]);
  });

  test("a file of trajectories that has tags in thoughts and in the arguments of calls makes calls of the others only (P-TRJ-7)", async () => {
    const texts = [
      `<think>I write <box><run_code>{"code"</think>${written.call}`,
      '<box><run_code>{"code": "`<result>` ```"}</run_code></box> <box><run_code>{"code": "<tool_param><tool_id>"}</run_code></box>',
    ];
    const lines = [
      line([user, says(texts[0] ?? ""), inText, says("4.")]),
      line([user, says(texts[1] ?? ""), inText, inText, says("4.")]),
    ];
    expect((await check(...lines)).problems).toEqual([]);
  });

  test.each(["<a><b>{", "<think", "<a.a", "`", "``", "```\n", "<!--", "<a ", "<tool_param>"])(
    "a file of trajectories that is one long row of tags is checked in time linear in its length: %j (P-TRJ-7)",
    async (tag) => {
      const checked = (count: number) => check(line([user, says(tag.repeat(count))]));
      expect(await growth(checked, 1_000)).toBeLessThan(LINEAR);
    },
  );

  test.each<[string, string, string | RegExp]>([
    ["is torn", '{"version": 1, "messa', "2: expected JSON"],
    ["does not fit the schema", line([user, { ...says("x"), role: "environment" }]), /^2: messages\[1\]/],
    [
      "lets a result be learned",
      line([user, calls, { ...result("4", "c-1"), loss: true }]),
      "2: messages[2].loss: expected false",
    ],
    [
      "has another time",
      line([user], { started_at: "now" }),
      "2: started_at: expected a time such as 2026-01-02T03:04:05.000Z",
    ],
    ["has more than the schema", line([user], { mask: [] }), '2: unknown "mask"'],
    [
      "has a result of the model's own",
      line([user, says("<result>4</result>")]),
      "2: messages[1].content: a <result> that the model wrote",
    ],
    [
      "has a query without a result",
      line([user, says(`${written.query}${written.query}`), inText]),
      "2: messages[1]: 2 queries, and 1 results after it",
    ],
    [
      "has one query with two results",
      line([user, says(written.query), inText, inText]),
      "2: messages[1]: 1 queries, and 2 results after it",
    ],
    [
      "has a query and a call with a result each, of which a session runs the query alone",
      line([user, says(`${written.call}\n${written.query}`), inText, inText]),
      "2: messages[1]: 1 queries, and 2 results after it",
    ],
    [
      "has a mentioned tag and a query with two results",
      line([user, says(`The <tool_param> tag: ${written.query}`), inText, inText]),
      "2: messages[1]: 1 queries, and 2 results after it",
    ],
    [
      "has one call with two results",
      line([user, says('<box><run_code>{"code": "4"}</run_code></box>'), inText, inText]),
      "2: messages[1]: 2 results, and fewer calls in its text",
    ],
    [
      "has a query whose result comes too late",
      line([user, says(written.query), user, says("x")]),
      "2: messages[1]: 1 queries, and 0 results after it",
    ],
    [
      "has a call without a tool message",
      line([user, calls]),
      '2: messages[1]: the call "c-1" of "run_code" has no tool message',
    ],
    [
      "has a call in the text without one",
      line([user, says(written.call)]),
      "2: messages[1]: calls in its text, and no result after it",
    ],
    [
      "has a result for another call",
      line([user, calls, result("4", "c-1"), result("4", "c-2")]),
      '2: messages[1]: a result for "c-2", which is none of its calls',
    ],
    [
      "has a result for no call",
      line([user, says("x"), inText]),
      "2: messages[1]: 1 results, and fewer calls in its text",
    ],
    [
      "has a bare result",
      line([user, says(written.query), result("4")]),
      "2: messages[1]: the result of a call in its text is not in <result>",
    ],
    ["begins with the model", line([says("x")]), "2: messages[0].role: expected a person's words first"],
    ["begins with a result", line([inText]), "2: messages[0].role: expected a person's words first"],
    [
      "has a result after a person's words",
      line([user, inText]),
      "2: messages[1].role: the result of no call",
    ],
    [
      "has the model twice in a row",
      line([user, says("x"), says("y")]),
      "2: messages[2].role: two messages of the model in a row",
    ],
    [
      "has a late system message",
      line([user, { ...user, role: "system" }]),
      "2: messages[1].role: a system message may only be the first",
    ],
    ["has no messages", line([]), "2: messages: expected a person's and a model's"],
  ])(
    "a file of trajectories with a line that %s is refused, with its number and the reason (P-TRJ-7)",
    async (_, wrong, reason) => {
      const { counts, problems } = await check(line([user, says("x")]), wrong, line([user, says("x")]));
      expect(problems).toEqual([typeof reason === "string" ? reason : expect.stringMatching(reason)]);
      expect([counts.trajectories, counts.wrong]).toEqual([3, 1]);
    },
  );
});
