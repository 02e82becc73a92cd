// @ts-check
// A small client of the base profile that does what it reads on its standard input, whole or with a fault.
import { spawn } from "node:child_process";
import { onLines } from "@askwire/protocol/node";

/** @typedef {Record<string, any>} Json */

const fault = process.argv[2] ?? "";
const { DEBUG: _leaked, ...env } = process.env;
const agent = spawn(env.ASKWIRE_CONFORMANCE_AGENT ?? "", ["--wire"], { env });
agent.on("exit", () => process.exit());

const send = (/** @type {Json} */ message) =>
  agent.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
let count = 0;
/** @type {Map<string, string>} */
const sent = new Map();
function call(/** @type {string} */ method, /** @type {Json} */ params = {}) {
  count += 1;
  sent.set(`r${count}`, method);
  send({ id: `r${count}`, method, params });
}

/** What is open, by the id of its request. */
/** @type {Map<string, Json>} */
const open = new Map();
/** Acts that came before their request. @type {Map<string, Json>} */
const early = new Map();
let isReplaying = false;

function answer(/** @type {string} */ id, /** @type {Json} */ { choose = [["Yes"]] }) {
  const questions = open.get(id)?.questions ?? [];
  if (fault !== "answers twice") open.delete(id);
  const answers = questions.map((/** @type {Json} */ { question }, /** @type {number} */ at) => [
    question,
    choose[at].join(", "),
  ]);
  send({ id, result: { request_id: id, answers: Object.fromEntries(answers) } });
}

function receive(/** @type {Json} */ { id, method, params, result }) {
  if (method === "request" && params.type === "QuestionRequest") {
    if (isReplaying && fault !== "asks again in a replay")
      return send({ id, error: { code: -32601, message: "this is a replay" } });
    open.set(id, params.payload);
    const act = early.get(id);
    if (act !== undefined) answer(id, act);
  }
  if (method === "conformance/none") send({ id, error: { code: -32601, message: "unknown" } });
  if (method !== undefined || result === undefined) return;
  if (sent.get(id) === "replay") isReplaying = false;
  if (sent.get(id) === "prompt") agent.stdin.end();
}

/** @type {Record<string, (act: Json) => void>} */
const acts = {
  prompt: ({ text }) => call("prompt", { user_input: text }),
  answer(act) {
    if (open.has(act.request_id)) answer(act.request_id, act);
    else early.set(act.request_id, act);
  },
  steer({ text }) {
    const [first] = open.keys();
    if (fault === "takes words for an answer" && first !== undefined) return answer(first, {});
    call("steer", { user_input: text });
  },
  cancel() {
    call("cancel");
    if (fault === "cancels twice") call("cancel");
  },
  replay() {
    isReplaying = true;
    call("replay");
  },
};

const started = { name: "acting-client", version: "1" };
call("initialize", { protocol_version: "1.10", client: started, capabilities: { supports_question: true } });
onLines(agent.stdout, (line) => receive(JSON.parse(line)));
onLines(process.stdin, (line) => {
  const act = JSON.parse(line);
  acts[act.do]?.(act);
});
