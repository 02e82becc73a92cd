import type { Explanation } from "../explanation.js";
import { onlyTheirError, texts } from "./values.js";

const errorText = /^error\.message$/;

export const turns: readonly Explanation[] = [
  {
    about: "a content part of an unknown type in a prompt",
    kimi: "ends the process with status 1",
    ours: "`-32602` (P-MSG-4)",
    why: "One wrong prompt must not end a session.",
    where: [{ scenario: /^turns\/part of an unknown type$/ }],
  },
  {
    about: "a lone surrogate in a text",
    kimi: "stops the output of the server",
    ours: "U+FFFD takes its place (P-FRM-4)",
    why: "One wrong character must not end a session.",
    where: [{ scenario: /^turns\/lone surrogate$/ }],
  },
  {
    about: "members that no one knows, in a part of a prompt or in a record of the journal",
    kimi: "are left out when the part or record is told",
    ours: "are told",
    why: "They are ignored by whoever does not know them (P-ENV-10), and a client may have put them there for another one.",
    where: [
      { scenario: /^turns\/more members$/, message: /TurnBegin/, path: /user_input\.0\.more$/ },
      { scenario: /^kept\/read from a file/, message: /StepBegin/, path: /payload\.more$/ },
    ],
  },
  {
    about: "the scripted model's own mistakes and failures",
    kimi: "reads a script whole before it says anything, and has its own texts",
    ours: "says what stands before an `error:` line, and names script and line",
    why: "It is a tool for tests: a model that fails in the middle of its answer can be played. The codes are equal.",
    where: [
      { scenario: /^turns\/(broken|exhausted) script$/, path: errorText, values: texts },
      { scenario: /^turns\/silent model$/, path: errorText, values: texts },
      {
        scenario: /^errors\/of the provider$/,
        message: /^response p(4|9|11|12) /,
        path: errorText,
        values: texts,
      },
      { scenario: /^errors\/of the provider$/, message: /^(event|journal) ContentPart/, path: /^\(added\)$/ },
    ],
  },
  {
    about: "the text of `-32002`, and of an answer with thoughts alone",
    kimi: "its own words",
    ours: "our own words",
    why: "The codes are equal.",
    where: [
      {
        scenario: /^(errors|steer)\//,
        path: errorText,
        values: (kimi) => String(kimi).startsWith("LLM model"),
      },
      {
        scenario: /^errors\/thinking model$/,
        path: errorText,
        values: (kimi) => String(kimi).startsWith("The API returned"),
      },
    ],
  },
  {
    about: "audio to a model whose capabilities have neither images nor films",
    kimi: "is handed to the model",
    ours: "`-32002`",
    why: "A provider would refuse it, or leave it out without a word.",
    where: [
      { scenario: /^errors\/content that/, message: /^response p3 /, path: /^(result|error)$/ },
      {
        scenario: /^errors\/content that/,
        message: /(StepBegin|ContentPart|StatusUpdate) /,
        path: /^\((missing|added|place)\)$/,
      },
    ],
  },
  {
    about: "a thought in a prompt to a model without the capability `thinking`",
    kimi: "`-32002`",
    ours: "reaches the model",
    why: "It is text that the person's client put there; no model is asked to think by it.",
    where: [
      {
        scenario: /^errors\/content that/,
        message: /^response p5 /,
        path: /^error$/,
        values: onlyTheirError(-32002),
      },
      { scenario: /^errors\/content that/, message: /^response p5 /, path: /^result$/ },
    ],
  },
  {
    about: "HTTP status 408, 409, 501 and 529 of a provider",
    kimi: "end the turn at once",
    ours: "the step is tried again (P-STP-4)",
    why: "They say that the provider is busy or broken for the moment.",
    where: [408, 409, 501, 529].map((status) => ({ scenario: new RegExp(`^errors/status ${status}$`) })),
  },
  {
    about: "CompactionEnd after a compaction that failed",
    kimi: "is missing",
    ours: "comes all the same (P-CMP-2)",
    why: "A client that shows CompactionBegin learns that it is over.",
    where: [{ scenario: /^compaction\/fails$/, message: /CompactionEnd/, path: /^\(added\)$/ }],
  },
  {
    about: "figures after a compaction",
    kimi: "`context_tokens` and `context_usage` by its own estimate",
    ours: "by another estimate",
    why: "Both guess until the provider counts the next step.",
    where: [
      { scenario: /^compaction\/hooks$/, message: /StatusUpdate/, path: /context_(usage|tokens)$/ },
      { scenario: /^slash commands\/all$/, message: /StatusUpdate/, path: /context_(usage|tokens)$/ },
    ],
  },
  {
    about: "the StatusUpdate after `/clear` without a model",
    kimi: "`context_usage` and `max_context_tokens` are 0",
    ours: "they are null",
    why: "A size that nobody knows is not 0.",
    where: [
      {
        scenario: /^flags\/none of the model$/,
        message: /StatusUpdate/,
        path: /(context_usage|max_context_tokens)$/,
      },
    ],
  },
  {
    about: "a word with a slash that is no command, such as `/nonsense` or `/Clear`",
    kimi: "is answered with `Unknown slash command`",
    ours: "goes to the agent (P-SLH-1)",
    why: "What begins with a slash may be a path or a question.",
    where: [
      { scenario: /^slash commands\/_(nonsense|Clear)$/, message: /ContentPart/, path: /payload\.text$/ },
      {
        scenario: /^slash commands\/_(nonsense|Clear)$/,
        message: /(StepBegin|StatusUpdate)/,
        path: /^\(added\)$/,
      },
    ],
  },
  {
    about: "`/plan` with another word than `on` and `off`",
    kimi: "turns plan mode over; `view` and `clear` show and remove its file",
    ours: "says what is expected, and changes nothing",
    why: "A slip must not leave plan mode. There is no file.",
    where: [
      { scenario: /^slash commands\/_plan nonsense$/, message: /StatusUpdate/, path: /^\(missing\)$/ },
      { scenario: /^slash commands\/_plan nonsense$/, message: /ContentPart/, path: /payload\.text$/ },
    ],
  },
  {
    about: "what slash commands say",
    kimi: "its own words",
    ours: "our own words",
    why: "A program reads the StatusUpdate.",
    where: [
      {
        scenario:
          /^(slash commands\/(all|_clear now|_yolo on|yolo approves)|compaction\/hooks|flags\/none of the model|kept\/yolo of a command)$/,
        message: /ContentPart/,
        path: /payload\.text$/,
        values: texts,
      },
    ],
  },
  {
    about: "a plan",
    kimi: "is a file below the home directory, which the model writes and ExitPlanMode reads",
    ours: "is the argument `plan` of ExitPlanMode (P-PLN-5)",
    why: "Nothing is written while nothing may be changed. Clients see the same question and PlanDisplay, with an empty `file_path`.",
    where: [
      {
        scenario: /^plan mode\/entered with yes$/,
        message: /ToolResult/,
        path: /return_value\.output$/,
        values: (kimi) => String(kimi).includes("Plan file:"),
      },
    ],
  },
  {
    about: "words of the plan tools",
    kimi: "its own",
    ours: "our own",
    why: "The question's text, header and labels are equal, which answers are keyed by.",
    where: [
      { message: /^(request|journal) QuestionRequest/, path: /options\.\d\.description$/, values: texts },
      {
        scenario: /^plan mode\/entered with/,
        message: /ToolResult/,
        path: /return_value\.output$/,
        values: texts,
      },
    ],
  },
  {
    about: "Shell in plan mode",
    kimi: "runs",
    ours: "is refused",
    why: "A command may change anything, and nothing may be changed before a plan is approved.",
    where: [
      {
        scenario: /^plan mode\/writes$/,
        message: /ToolResult 3/,
        path: /return_value\.(is_error|output|display\.0)$/,
      },
    ],
  },
  {
    about: "the StatusUpdate of a tool that switches plan mode",
    kimi: "comes after the results of the step",
    ours: "comes when it is switched, before the tool's result",
    why: "What is told is so from then on.",
    where: [
      {
        scenario: /^plan mode\/entered with yes$/,
        message: /(ToolResult|StatusUpdate)/,
        path: /^\(place\)$/,
      },
    ],
  },
  {
    about: "what was said in a `steer` and the model does not take",
    kimi: "the turn fails without SteerInput and StepInterrupted",
    ours: "both come before the error (P-TRN-4, P-STR-2)",
    why: "Clients see what was taken, and every failure after a step has begun looks alike.",
    where: [
      { scenario: /^steer\/with a picture/, message: /(SteerInput|StepInterrupted)/, path: /^\(added\)$/ },
    ],
  },
  {
    about: "SteerInput to a client that declared 1.2",
    kimi: "is sent",
    ours: "is not sent (P-VER-2)",
    why: "Clients of that time end at an event that they do not know.",
    where: [
      { scenario: /^steer\/of a client of 1\.2$/, message: /^event SteerInput/, path: /^\(missing\)$/ },
    ],
  },
  {
    about: "`$/cancelRequest` of a `prompt`",
    kimi: "has no effect",
    ours: "cancels the turn",
    why: "Clients over stock JSON-RPC engines cancel so.",
    where: [
      { scenario: /^cancel\/by \$/, message: /^response p1/, path: /^result\.status$/ },
      {
        scenario: /^cancel\/by \$/,
        message: /(ToolResult|StepBegin|ContentPart|StatusUpdate)/,
        path: /^\(missing\)$/,
      },
    ],
  },
  {
    about: "what a call does while the model speaks on, or another call of its step runs",
    kimi: "may be told before or after the StatusUpdate of the step, and what the other call does",
    ours: "may be told before or after them",
    why: "The calls run at the same time; which is told first is up to chance.",
    sometimes: true,
    where: [
      {
        scenario: /^(approvals\/while the model speaks on|cancel\/one done, one open)$/,
        message: /(ApprovalRequest|ToolResult|StatusUpdate|QuestionRequest)/,
        path: /^\(place\)$/,
      },
    ],
  },
];
