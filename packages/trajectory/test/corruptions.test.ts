import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../server/test/journal-folder.js";
import { checkTrajectories, uncheckedCorruptions } from "../src/index.js";

// Corruptions of a right trajectory. Each is found by the check, or is a kind that the check says it cannot see.

/** A message of any role, as a corruption may leave it. */
interface Said {
  role: string;
  content: string;
  loss: boolean;
  tool_call_id?: string;
  tool_calls?: { id: string; name: string; arguments: string }[];
}
interface Example {
  session: string;
  duration_s: number;
  task: string;
  messages: Said[];
  flags: Record<string, number | boolean>;
}

const user = (content: string): Said => ({ role: "user", content, loss: false });
const model = (content: string, ...calls: (readonly [id: string, name: string, args: object])[]): Said => ({
  role: "assistant",
  content,
  loss: true,
  ...(calls.length > 0 && {
    tool_calls: calls.map(([id, name, args]) => ({ id, name, arguments: JSON.stringify(args) })),
  }),
});
const told = (content: string, tool_call_id?: string): Said => ({
  role: "tool",
  content,
  loss: false,
  ...(tool_call_id !== undefined && { tool_call_id }),
});
const queryOf = (action: string) =>
  `<tool_param><tool_id>box</tool_id><action>${action}</action></tool_param>`;
const parametersOf = (action: string) =>
  JSON.stringify({ status: "success", tool_id: "box", action, parameters: { code: { type: "string" } } });
const framed = (content: string) => `<result>\n${content}\n</result>`;
const colours = {
  questions: [{ question: "Which colour?", options: [{ label: "Red" }, { label: "Blue" }] }],
};
const sizes = { questions: [{ question: "Which size?", options: [{ label: "S" }, { label: "L" }] }] };
const answers = (question: string, answer: string) =>
  `<system>User has answered.</system>\n${JSON.stringify({ answers: { [question]: answer } })}`.replace(
    '{"answers":{',
    '{"answers": {',
  );
const closed = { question: "Deploy?", choices: ["Yes", "No"], allow_freeform: false };

/** A trajectory with queries and calls in the text and by the provider, questions and choices. */
const right = (): Example & { version: number; started_at: string } => ({
  version: 1,
  session: "s",
  started_at: "2026-01-02T03:04:05.000Z",
  duration_s: 1.5,
  task: "go",
  messages: [
    user("go"),
    model(`<think>Both?</think>\n${queryOf("run")}\n${queryOf("stop")}`),
    told(framed(parametersOf("run"))),
    told(framed(parametersOf("stop"))),
    model('<box><run>{"code": "6*7"}</run></box>\n<execute_tools />'),
    told(framed("42")),
    model(
      "",
      ["q-1", "param_query", { tool_id: "box", action: "run" }],
      ["q-2", "param_query", { tool_id: "box", action: "stop" }],
    ),
    told(parametersOf("run"), "q-1"),
    told(parametersOf("stop"), "q-2"),
    model(
      "I ask.",
      ["a-1", "AskUserQuestion", colours],
      ["a-2", "AskUserQuestion", sizes],
      ["a-3", "Read", { path: "a" }],
    ),
    told(answers("Which colour?", "Red"), "a-1"),
    told(answers("Which size?", "L"), "a-2"),
    told("text of a", "a-3"),
    model("It is 42.", ["c-1", "ask_user", closed]),
    told("Yes", "c-1"),
    model("Done."),
    user("and now?"),
    model("Nothing."),
  ],
  flags: {
    queries: 4,
    filled_after_query: 1,
    validation_errors: 0,
    unanswered_queries: 0,
    dropped_calls: 0,
    hallucinated_result: false,
    success: true,
  },
});

type Change = (example: Example) => void;
/** The message of a number, which the right example has. */
const at = ({ messages }: Example, index: number) => messages[index] as Said;
const call = (example: Example, index: number, nth = 0) =>
  at(example, index).tool_calls?.[nth] as NonNullable<Said["tool_calls"]>[number];
const swap =
  (first: number, second: number): Change =>
  (example) => {
    const [one, two] = [at(example, first), at(example, second)];
    [one.content, two.content] = [two.content, one.content];
  };
const flag =
  (name: string, value: number | boolean): Change =>
  ({ flags }) => {
    flags[name] = value;
  };
const set =
  (index: number, content: string): Change =>
  (example) => {
    at(example, index).content = content;
  };
const cut =
  (from: number, count = 1): Change =>
  ({ messages }) =>
    void messages.splice(from, count);

/** Each corruption with its problem, or with the kind that cannot be checked. */
const corruptions: readonly (readonly [
  name: string,
  change: Change,
  found: RegExp | (typeof uncheckedCorruptions)[number],
])[] = [
  [
    "swapped results of two queries in the text",
    swap(2, 3),
    /\[1\]: a query of action "run", and a result for "stop"/,
  ],
  ["swapped results of two queries", swap(7, 8), /\[6\]: a query of action "run", and a result for "stop"/],
  [
    "swapped answers of two questions",
    swap(10, 11),
    /\[9\]: an answer to "Which size\?", which its call does not ask/,
  ],
  [
    "another action in the result of a query",
    set(2, framed(parametersOf("halt"))),
    /\[1\]: a query of action "run", and a result for "halt"/,
  ],
  [
    "another service in the result of a query",
    set(7, parametersOf("run").replace("box", "bag")),
    /\[6\]: a query of tool_id "box", and a result for "bag"/,
  ],
  [
    "another action in a query",
    set(1, `${queryOf("halt")}\n${queryOf("stop")}`),
    /\[1\]: a query of action "halt", and a result for "run"/,
  ],
  [
    "another action in the arguments of a query",
    (example) => {
      call(example, 6).arguments = '{"tool_id": "box", "action": "halt"}';
    },
    /\[6\]: a query of action "halt"/,
  ],
  [
    "a result of a query without its parameters",
    set(2, framed('{"status": "success", "tool_id": "box", "action": "run"}')),
    /\[1\]: a result of a query without parameters/,
  ],
  ["an empty result", set(12, ""), /\[9\]: an empty result/],
  ["an empty result in the text", set(5, framed("")), /\[4\]: an empty result/],
  [
    "a dropped call",
    (example) => void at(example, 9).tool_calls?.splice(2, 1),
    /\[9\]: a result for "a-3", which is none of its calls/,
  ],
  ["a dropped call in the text", set(4, "I compute."), /\[4\]: 1 results, and fewer calls in its text/],
  [
    "a dropped call with its result",
    (example) => {
      at(example, 6).tool_calls = undefined as never;
      example.messages.splice(7, 2);
    },
    /\[6\]: it says and calls nothing/,
  ],
  [
    "a dropped query with its result",
    (example) => {
      set(1, queryOf("run"))(example);
      cut(3)(example);
    },
    /flags\.queries: expected 3, as the messages have it, found 4/,
  ],
  ["a dropped result", cut(12), /\[9\]: the call "a-3" of "Read" has no tool message/],
  ["a dropped result in the text", cut(3), /\[1\]: 2 queries, and 1 results after it/],
  [
    "a doubled result",
    ({ messages }) => void messages.splice(12, 0, told("text of a", "a-3")),
    /\[9\]: a result for "a-3"/,
  ],
  [
    "ids that do not match",
    (example) => {
      at(example, 14).tool_call_id = "c-9";
    },
    /\[13\]: a result for "c-9", which is none of its calls/,
  ],
  [
    "results of two calls under each other's ids",
    (example) => {
      at(example, 11).tool_call_id = "a-3";
      at(example, 12).tool_call_id = "a-2";
    },
    /\[9\]: the results are not in the order of the calls/,
  ],
  [
    "an answer that is none of the choices, where own words were off",
    set(14, "Maybe"),
    /\[13\]: the answer "Maybe", which is none of the choices/,
  ],
  ["a wrong count of queries", flag("queries", 1), /flags\.queries: expected 4/],
  [
    "a wrong count of unanswered queries",
    flag("unanswered_queries", 2),
    /flags\.unanswered_queries: expected 0/,
  ],
  ["a wrong count of dropped calls", flag("dropped_calls", 1), /flags\.dropped_calls: expected 0/],
  [
    "more filled queries than queries",
    flag("filled_after_query", 5),
    /flags\.filled_after_query: more than there are queries/,
  ],
  [
    "a refused call that no flag counts",
    set(12, "<system>ERROR: Invalid arguments: path. Correct them.</system>"),
    /flags\.validation_errors: expected 1/,
  ],
  [
    "another task",
    (example) => {
      example.task = "stop";
    },
    /task: not the words of the first prompt/,
  ],
  ["an example that ends in a person's words", cut(17), /flags\.success: the last message is no answer/],
  ["an example that ends in a result", cut(15, 3), /flags\.success: the last message is no answer/],
  ["an example that ends in a call", cut(14, 4), /\[13\]: the call "c-1" of "ask_user" has no tool message/],
  [
    "arguments that were cut off",
    (example) => {
      call(example, 9, 2).arguments = '{"path": ';
    },
    /\[9\]: arguments of "Read" that are no JSON object/,
  ],
  ["two messages of the model in a row", cut(16), /\[16\]\.role: two messages of the model in a row/],
  [
    "a result before its call",
    ({ messages }) => void messages.splice(4, 0, ...messages.splice(5, 1)),
    /\[1\]: 2 queries, and 3 results after it/,
  ],
  [
    "a person's words under the role of a system",
    (example) => {
      at(example, 16).role = "system";
    },
    /\[16\]\.role: a system message may only be the first/,
  ],
  [
    "a message that is not learned in the middle of a turn",
    (example) => {
      at(example, 9).loss = false;
    },
    /\[9\]\.loss: expected true, since the model went on/,
  ],
  [
    "a result that is learned",
    (example) => {
      at(example, 12).loss = true;
    },
    /\[12\]\.loss: expected false/,
  ],
  [
    "a result that the model wrote",
    set(17, "<result>42</result>"),
    /\[17\]\.content: a <result> that the model wrote/,
  ],
  ["swapped results of tools of the same form", set(12, "text of b"), "another result of the same form"],
  [
    "another answer of a person in their own words",
    set(10, answers("Which colour?", "Green")),
    "another answer in a person's own words",
  ],
  ["an error that says it is none", set(12, "done"), "a result that was an error and says otherwise"],
  ["another prompt in the middle", set(16, "and later?"), "changed words of a person or a model"],
  ["an answer that was cut in the middle", set(17, "Noth"), "a text that was cut in the middle"],
  ["a turn less", cut(16, 2), "a missing turn"],
  [
    "other arguments",
    (example) => {
      call(example, 9, 2).arguments = '{"path": "b"}';
    },
    "other arguments of a call",
  ],
  [
    "a last message that is not learned",
    (example) => {
      at(example, 17).loss = false;
      example.flags.success = false;
    },
    "loss of a last message",
  ],
  [
    "another duration",
    (example) => {
      example.duration_s = 9;
    },
    "times and the id of the session",
  ],
  ["fewer filled queries", flag("filled_after_query", 0), "filled_after_query"],
  ["no success where there was one", flag("success", false), "success that should be true"],
];

async function problemsOf(example: object): Promise<string[]> {
  const file = join(temporaryFolder(), "one.jsonl");
  writeFileSync(file, `${JSON.stringify(example)}\n`);
  const problems: string[] = [];
  await checkTrajectories(file, ({ problem }) => problems.push(problem));
  return problems;
}

test("a trajectory without a corruption passes the check (P-TRJ-9)", async () => {
  expect(await problemsOf(right())).toEqual([]);
});

test.each(corruptions)(
  "a trajectory with %s is found out, or is of a kind that is named as not checked (P-TRJ-9)",
  async (_, change, found) => {
    const example = right();
    change(example);
    expect(example).not.toEqual(right());
    const problems = await problemsOf(example);
    if (typeof found === "string")
      expect([problems, uncheckedCorruptions.includes(found)]).toEqual([[], true]);
    else expect(problems).toContainEqual(expect.stringMatching(found));
  },
);

test("at least 36 corruptions are found out, and each kind that is not checked has an example (P-TRJ-9)", () => {
  const unchecked = corruptions.flatMap(([, , found]) => (typeof found === "string" ? [found] : []));
  expect(corruptions.length - unchecked.length).toBeGreaterThanOrEqual(36);
  expect(unchecked).toEqual([...uncheckedCorruptions]);
});
