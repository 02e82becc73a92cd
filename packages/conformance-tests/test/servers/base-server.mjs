// A server of the base profile that asks one question a turn, written to be broken: `--fault NAME` breaks one thing.
import { readFileSync } from "node:fs";
import process from "node:process";

const flag = (name) =>
  process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined;
const fault = flag("--fault");
const configuration = JSON.parse(readFileSync(flag("--config-file"), "utf8"));
const [provider] = Object.values(configuration.providers);
const scripts = JSON.parse(readFileSync(provider.env.KIMI_SCRIPTED_ECHO_SCRIPTS, "utf8"));

/** The question that is open, and the turn that it belongs to. */
let open;

function send(message) {
  const text = JSON.stringify({ jsonrpc: "2.0", ...message });
  const escaped = text.replace(/[\u2028\u2029]/g, (end) => `\\u${end.charCodeAt(0).toString(16)}`);
  process.stdout.write(`${fault === "raw-separators" ? text : escaped}\n`);
}

const tell = (type, payload) => send({ method: "event", params: { type, payload } });
const refuse = (id, code, message) => send({ id, error: { code, message, data: null } });

function end(id, result) {
  if (fault === "turn-end-after-response") send({ id, result });
  if (fault !== "no-turn-end") tell("TurnEnd", {});
  if (fault !== "turn-end-after-response") send({ id, result });
}

/** Says what the next script says; true once it asks. */
function step(turn, n) {
  tell("StepBegin", { n });
  if (fault === "unknown-event") tell("Mood", { mood: "cheerful" });
  const asks = [];
  for (const line of (scripts.shift() ?? "").split("\n")) {
    const [, kind, payload] = /^(\w+): (.*)$/s.exec(line) ?? [];
    if (kind === "text") tell("ContentPart", { type: "text", text: payload });
    if (kind === "tool_call") asks.push(JSON.parse(payload));
  }
  if (asks.length === 0) return end(turn, { status: "finished" });
  const [{ id: call, name, arguments: args }] = asks;
  tell("ToolCall", { type: "function", id: call, function: { name, arguments: args }, extras: null });
  const id = crypto.randomUUID();
  const questions = JSON.parse(args).questions.map((question) => ({
    header: "",
    multi_select: false,
    body: "",
    other_label: "",
    other_description: "",
    ...question,
    options: question.options.map((option) =>
      fault === "missing-field" ? option : { description: "", ...option },
    ),
  }));
  open = { id, call, turn, n };
  const payload = { id, tool_call_id: call, questions, ...(fault === "extra-field" ? { deadline: 5 } : {}) };
  send({
    method: "request",
    id: fault === "two-ids" ? `rpc-${id}` : id,
    params: { type: "QuestionRequest", payload },
  });
}

function answered({ result }) {
  const { call, turn, n } = open;
  open = undefined;
  const answers = Object.entries(result.answers).filter(([, value]) => value.trim() !== "");
  const dismissed = answers.length === 0 && fault !== "blank-counts";
  const note = "User dismissed the question without answering.";
  const members = answers.map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  const return_value = {
    is_error: false,
    output: dismissed ? `{"answers": {}, "note": "${note}"}` : `{"answers": {${members.join(", ")}}}`,
    message: dismissed ? note : "User has answered.",
    display: [{ type: "brief", text: dismissed ? "User dismissed" : "User answered" }],
    extras: null,
  };
  tell("ToolResult", { tool_call_id: call, return_value });
  step(turn, n + 1);
}

const methods = {
  initialize: (id) =>
    send({
      id,
      result: {
        protocol_version: "1.10",
        server: { name: "base", version: "1" },
        slash_commands: [],
        hooks: { supported_events: [], configured: {} },
        capabilities: { supports_question: true },
      },
    }),
  prompt(id, { user_input }) {
    if (open !== undefined && fault !== "second-prompt-runs") return refuse(id, -32000, "a turn is running");
    tell("TurnBegin", { user_input });
    step(id, 1);
  },
  cancel(id) {
    if (open === undefined) return refuse(id, -32000, "no turn is running");
    const { turn } = open;
    open = undefined;
    if (fault !== "cancel-reply-last") send({ id, result: {} });
    end(turn, { status: "cancelled" });
    if (fault === "cancel-reply-last") send({ id, result: {} });
  },
};

function read(line) {
  if (fault === "chatty") process.stdout.write("reading\n");
  if (fault === "silent-on-blank" && line.trim() === "") return;
  if (fault === "dies-on-blank" && line === "") process.exit(1);
  if (fault === "dies-on-mark" && line === "\ufeff") process.exit(1);
  if (fault === "dies-on-cr" && line.endsWith("\r")) process.exit(1);
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    return refuse(null, -32700, "no JSON");
  }
  const { id, method, params } = message;
  if (fault === "settles-again" && method === undefined) return answered(message);
  if (method === undefined) return id === open?.id ? answered(message) : undefined;
  if (Object.hasOwn(methods, method)) methods[method](id, params);
  else refuse(id, -32601, "no such method");
  if (fault === "answers-twice" && method === "initialize") methods.initialize(id);
}

let rest = "";
process.stdin.setEncoding("utf8").on("data", (text) => {
  const lines = (rest + text).split("\n");
  rest = lines.pop();
  if (fault === "whole-chunks") rest = "";
  if (fault === "one-a-chunk") lines.splice(1);
  for (const line of lines) read(line);
});
