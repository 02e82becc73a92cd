import {
  answer,
  call,
  calls,
  during,
  initialize,
  lines,
  recorded,
  type Step,
  scenario,
  see,
  settle,
  shell,
  turn,
} from "../scenario.js";

const colour = {
  question: "Which colour?",
  header: "Colour",
  options: [{ label: "Red", description: "like fire" }, { label: "Blue" }],
};
const toppings = {
  question: "Which toppings?",
  multi_select: true,
  options: [{ label: "A" }, { label: "B" }, { label: "C" }],
};
const ask = (questions: unknown, id = "tc-1") => calls("AskUserQuestion", { questions }, id);

const answered = (what: string, ...responses: object[]) =>
  scenario(`questions/answered ${what}`, {
    scripts: responses
      .map((_, index) => ask([{ ...colour, header: `Colour ${index}` }, toppings], `tc-${index + 1}`))
      .concat("text: done"),
    steps: [
      ...initialize(),
      ...during(
        "p1",
        ...responses.map((response): Step => ({ do: "answer", type: "QuestionRequest", response })),
      ),
    ],
  });
const answers = (map: unknown) => ({ result: { request_id: "$id", answers: map } });

export const questions = [
  answered(
    "well",
    answers({ "Which colour?": "Blue", "Which toppings?": "A, C" }),
    answers({ "Which colour?": "Blue" }),
    answers({ "Which colour?": "Green", "Which toppings?": "B, mine" }),
    answers({ "Which colour?": "", "Which toppings?": "A" }),
    answers({ Unknown: "x" }),
    answers({ "Which colour?": "Red", Unknown: "日本 \u2028" }),
    { result: { request_id: "other", answers: { "Which colour?": "Red" } } },
    { result: { request_id: "$id", answers: { "Which colour?": "Red" }, more: 1 } },
  ),
  answered("with nothing", answers({}), answers({ "Which colour?": "", "Which toppings?": " " })),
  answered(
    "wrongly",
    { result: null },
    { result: "text" },
    { result: {} },
    { result: { request_id: "$id" } },
    { result: { answers: { "Which colour?": "Red" } } },
    answers({ "Which colour?": ["Red"] }),
    answers({ "Which colour?": 1 }),
    answers({ "Which colour?": null }),
    answers([]),
  ),
  answered(
    "with an error",
    { error: { code: -32601, message: "unknown" } },
    { error: { code: -32602, message: "bad" } },
    { error: { code: -32000, message: "no" } },
    { error: { code: 1, message: "closed" } },
  ),
  scenario("questions/that do not fit", {
    scripts: [
      ask([], "tc-1"),
      ask([colour, colour, colour, colour, colour], "tc-2"),
      ask([{ question: "Q?", options: [{ label: "A" }] }], "tc-3"),
      ask([{ question: "Q?", options: ["A", "B"] }], "tc-4"),
      ask([{ options: [{ label: "A" }, { label: "B" }] }], "tc-5"),
      ask("x", "tc-6"),
      calls("AskUserQuestion", {}, "tc-7"),
      calls("AskUserQuestion", "{broken", "tc-8"),
      ask([{ question: "Q?", options: [1, 2, 3, 4, 5].map((label) => ({ label: `${label}` })) }], "tc-9"),
      "text: done",
    ],
    steps: [...initialize(), ...turn("p1")],
  }),
  ...[
    ["with equal texts", [colour, colour]],
    ["with equal labels", [{ question: "Q?", options: [{ label: "A" }, { label: "A" }] }]],
    ["with blank labels", [{ question: "Q?", options: [{ label: "" }, { label: " " }] }]],
    ["without a text", [{ question: "", options: [{ label: "A" }, { label: "B" }] }]],
    ["with long headers", [{ ...colour, header: "A header that is longer than twelve" }]],
    ["with more members", [{ ...colour, multiSelect: true, body: "x", other_label: "y", more: 1 }]],
  ].map(([what, list]) =>
    scenario(`questions/${what}`, {
      scripts: [ask(list), "text: done"],
      steps: [...initialize(), ...during("p1", see("event StatusUpdate"), settle, ...call("stop", "cancel"))],
    }),
  ),
  scenario("questions/two at once", {
    scripts: [lines(ask([colour], "tc-1"), ask([toppings], "tc-2")), "text: done"],
    steps: [
      ...initialize(),
      ...during(
        "p1",
        see("request QuestionRequest"),
        see("request QuestionRequest"),
        answer("QuestionRequest", { request_id: "$id", answers: { "Which colour?": "Red" } }),
        see("event ToolResult"),
        answer("QuestionRequest", { request_id: "$id", answers: { "Which toppings?": "A" } }),
      ),
    ],
  }),
  scenario("questions/equal calls", {
    scripts: [lines(ask([colour], "tc-1"), ask([colour], "tc-2")), "text: done"],
    steps: [
      ...initialize(),
      ...during("p1", answer("QuestionRequest", { request_id: "$id", answers: { "Which colour?": "Red" } })),
    ],
  }),
  scenario("questions/client without them", {
    scripts: [ask([colour]), "text: done", calls("EnterPlanMode", {}), "text: done"],
    steps: [...initialize({ capabilities: {} }), ...turn("p1")],
  }),
  scenario("questions/without initialize", {
    scripts: [ask([colour]), "text: done"],
    steps: [...turn("p1")],
  }),
  scenario("questions/other methods meanwhile", {
    scripts: [ask([colour]), "text: done", "text: more"],
    steps: [
      ...initialize(),
      ...during(
        "p1",
        see("request QuestionRequest"),
        ...call("p2", "prompt", { user_input: "x" }),
        ...call("r", "replay"),
        ...initialize({}, "again"),
        recorded("QuestionRequest"),
        ...call("plan", "set_plan_mode", { enabled: true }),
        ...call("plan off", "set_plan_mode", { enabled: false }),
        ...call("steer", "steer", { user_input: "hurry" }),
        settle,
        answer("QuestionRequest", { request_id: "$id", answers: { "Which colour?": "Red" } }),
      ),
    ],
  }),
  scenario("questions/cancelled and answered late", {
    scripts: [ask([colour]), "text: next"],
    steps: [
      ...initialize(),
      ...during("p1", see("request QuestionRequest"), ...call("stop", "cancel")),
      answer("QuestionRequest", { request_id: "$id", answers: { "Which colour?": "Red" } }),
      settle,
      ...turn("p2"),
    ],
  }),
];

const plan = "# Plan\n\n1. look";
export const plans = [
  scenario("plan mode/method", {
    steps: [
      ...call("on", "set_plan_mode", { enabled: true }),
      ...call("on again", "set_plan_mode", { enabled: true }),
      ...call("off", "set_plan_mode", { enabled: false }),
      ...call("off again", "set_plan_mode", { enabled: false }),
      ...initialize(),
      ...call("then", "set_plan_mode", { enabled: true }),
      ...call("replay", "replay"),
    ],
  }),
  ...[
    ["yes", { "Enter plan mode?": "Yes" }],
    ["no", { "Enter plan mode?": "No" }],
    ["own words", { "Enter plan mode?": "later" }],
    ["nothing", {}],
  ].map(([what, map]) =>
    scenario(`plan mode/entered with ${what}`, {
      scripts: [calls("EnterPlanMode", {}), calls("EnterPlanMode", {}, "tc-2"), "text: done"],
      steps: [
        ...initialize(),
        ...during(
          "p1",
          answer("QuestionRequest", { request_id: "$id", answers: map }),
          ...(what === "yes" ? [] : [answer("QuestionRequest", { request_id: "$id", answers: map })]),
        ),
      ],
    }),
  ),
  scenario("plan mode/left without", {
    scripts: [calls("ExitPlanMode", { plan }), "text: done"],
    steps: [...initialize(), ...turn("p1")],
  }),
  scenario("plan mode/writes", {
    args: ["--yolo"],
    scripts: [
      calls("WriteFile", { path: "a.txt", content: "x" }, "tc-1"),
      calls("StrReplaceFile", { path: "a.txt", edit: { old: "a", new: "b" } }, "tc-2"),
      shell("echo x", "tc-3"),
      calls("ReadFile", { path: "a.txt" }, "tc-4"),
      "text: done",
    ],
    steps: [...initialize(), ...call("on", "set_plan_mode", { enabled: true }), ...turn("p1")],
  }),
];
