// @ts-check
// A client in plain Node that keeps every promise. The broken ones beside it replace one member of `right` each.
import { spawn } from "node:child_process";

/** @typedef {Record<string, any>} Json */

const error = (/** @type {number} */ code, /** @type {string} */ message) => ({
  error: { code, message, data: null },
});
const isObject = (/** @type {unknown} */ value) =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const unknown = error(-32601, "there is no such method or type");
const unfit = error(-32602, "params: expected {type, payload} as in Wire 1.10");

export const right = {
  /** The time for `initialize`, and for the agent to end, in milliseconds. */
  initializeMs: 10_000,
  endMs: 1_000,
  separator: /\n/,
  /** True if bytes cut inside a character are put together again. */
  decodes: true,
  /** Takes the lines out of a chunk, given what the earlier ones left. Returns what it leaves. */
  cut(/** @type {string} */ text, /** @type {(line: string) => void} */ receive) {
    const lines = text.split(this.separator);
    const rest = lines.pop() ?? "";
    lines.forEach(receive);
    return rest;
  },
  /** True if the agent's end is this client's end too. */
  mindsItsAgent: true,
  killsItsAgent: true,
  capabilities: { supports_question: true },
  /** The text that joins an array of labels. */
  left: /** @type {string | undefined} */ (undefined),

  environment: (/** @type {NodeJS.ProcessEnv} */ { DEBUG: _leaked, ...env }) => env,
  id: (/** @type {number} */ count) => /** @type {string | number} */ (`r${count}`),
  write: (/** @type {Json} */ message) => `${escaped(JSON.stringify(message))}\n`,
  /** @returns {Json | undefined} */
  read(/** @type {string} */ line) {
    try {
      const message = JSON.parse(line);
      return isObject(message) ? message : undefined;
    } catch {
      return undefined;
    }
  },
  /** Hears of an event or another notification. */
  hear: (/** @type {Json} */ _message, /** @type {(reply: Json) => void} */ _send) => {},
  /** True for an acceptable result of `initialize`. */
  accepts: (/** @type {any} */ result) => Array.isArray(result?.slash_commands),
  /** True for an error of `initialize` that means an older server. */
  goesOnWithout: (/** @type {any} */ failure) => failure.code === -32601,
  /** True for the reply to this request. */
  fits: (/** @type {Json} */ { id, result, error: failure }, /** @type {unknown} */ own) =>
    id === own && (isObject(failure) || (failure === undefined && result !== undefined)),

  respond(/** @type {Json} */ { id, method, params }, /** @type {Json} */ orders) {
    if (method !== "request") return { id, ...unknown };
    if (typeof params?.type !== "string") return { id, ...unfit };
    const { type, payload } = params;
    if (type === "QuestionRequest") {
      if (!Array.isArray(payload?.questions)) return { id, ...unfit };
      return { id, result: { request_id: payload.id, answers: this.answers(payload.questions, orders) } };
    }
    if (type === "ApprovalRequest") {
      if (typeof payload?.tool_call_id !== "string") return { id, ...unfit };
      return { id, result: { request_id: payload.id, response: orders.approve, feedback: "" } };
    }
    return { id, ...unknown };
  },
  /** @returns {Json} */
  answers(/** @type {Json[]} */ questions, /** @type {Json} */ { choose, own_text, dismiss }) {
    if (dismiss) return {};
    const entries = questions.flatMap(({ question, options }, index) => {
      const labels = this.order(options, choose[index] ?? []);
      if (index === 0 && own_text !== undefined) labels.push(own_text);
      const value = labels.length === 0 ? this.left : labels.join(", ");
      return value === undefined ? [] : [[question, value]];
    });
    return Object.fromEntries(entries);
  },
  order: (/** @type {Json[]} */ options, /** @type {string[]} */ chosen) =>
    options.map(({ label }) => label).filter((label) => chosen.includes(label)),
};

/** JSON with U+2028 and U+2029 as escapes and U+FFFD for each lone surrogate, which JSON.stringify escapes. */
function escaped(/** @type {string} */ json) {
  return json
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029")
    .replaceAll(/(?<!\\)((?:\\\\)*)\\ud[89a-f][\da-f]{2}/g, "$1\ufffd");
}

/** Runs one turn with the agent that the environment names. */
export function runClient(/** @type {Partial<typeof right>} */ faults = {}) {
  const client = { ...right, ...faults };
  const { ASKWIRE_CONFORMANCE_AGENT: agent = "", ASKWIRE_CONFORMANCE_PROMPT: prompt } = process.env;
  const orders = JSON.parse(process.env.ASKWIRE_CONFORMANCE_ANSWER ?? "{}");
  const options = { env: client.environment(process.env) };
  const child = spawn(agent, ["--wire", "--work-dir", process.cwd()], options);
  const waiting = setTimeout(stop, client.initializeMs);
  let buffer = "";
  let step = 0;

  child.on("error", () => client.mindsItsAgent && process.exit(1));
  if (client.mindsItsAgent) child.on("exit", () => process.exit());
  else setInterval(() => {}, 1_000);
  child.stdin.on("error", () => {});
  if (client.decodes) child.stdout.setEncoding("utf8");
  child.stdout.on("data", (chunk) => {
    buffer += chunk;
    buffer = client.cut(buffer, receive);
  });

  const send = (/** @type {Json} */ message) =>
    child.stdin.write(client.write({ jsonrpc: "2.0", ...message }));
  const request = (/** @type {string} */ method, /** @type {Json} */ params) => {
    step += 1;
    send({ id: client.id(step), method, params });
  };

  function receive(/** @type {string} */ line) {
    const message = client.read(line);
    if (message === undefined) return;
    const { method, id, result, error: failure } = message;
    if (method === undefined) return settle(message);
    if (result !== undefined || failure !== undefined) return;
    if (id === undefined || method === "event") return client.hear(message, send);
    send(client.respond(message, orders));
  }

  function settle(/** @type {Json} */ message) {
    if (!client.fits(message, client.id(step))) return;
    if (step === 2) return stop();
    clearTimeout(waiting);
    const { result, error: failure } = message;
    const on = failure === undefined ? client.accepts(result) : client.goesOnWithout(failure);
    if (on) request("prompt", { user_input: prompt });
    else stop();
  }

  function stop() {
    child.stdin.end();
    if (!client.killsItsAgent) return;
    setTimeout(() => child.kill("SIGTERM"), client.endMs);
    setTimeout(() => child.kill("SIGKILL"), 2 * client.endMs);
  }

  request("initialize", {
    protocol_version: "1.10",
    client: { name: "raw-client" },
    capabilities: client.capabilities,
  });
}
