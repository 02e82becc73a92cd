// @ts-check
// A client that `askwire conformance client` can check: it launches the agent that it is told to, or connects to the
// address that it is given, and does what the person does. That is in variables, or comes as acts on standard input.
// #region conformance-client
import { setTimeout as delay } from "node:timers/promises";
import { connectProcess, textLines } from "@askwire/client/stdio";
import { connectWebSocket } from "@askwire/client/websocket";

const { env } = process;
const words = JSON.parse(env.ASKWIRE_CONFORMANCE_AGENT_ARGUMENTS ?? "[]");
const [address = ""] = process.argv.slice(2);
const {
  choose = [],
  own_text,
  dismiss = false,
  approve = "reject",
  after_ms = 0,
} = JSON.parse(env.ASKWIRE_CONFORMANCE_ANSWER ?? "{}");
const isTold = env.ASKWIRE_CONFORMANCE_ACTS === "stdin";

/** @typedef {Record<string, any>} Act */
/** @type {Map<string, { act: Promise<Act>, happens(act: Act): void }>} */
const acts = new Map();

/** What the person does about a request, whether the act or the request comes first. */
function about(/** @type {string} */ id) {
  const known = acts.get(id);
  if (known) return known;
  let happens = (/** @type {Act} */ _act) => {};
  const act = new Promise((/** @type {(act: Act) => void} */ resolve) => {
    happens = resolve;
  });
  acts.set(id, { act, happens });
  return { act, happens };
}

/** What the variables say about a request, or the person's act. */
async function actOn(/** @type {string} */ id, /** @type {Act} */ said, /** @type {AbortSignal} */ signal) {
  if (isTold) return about(id).act.finally(() => acts.delete(id));
  await delay(after_ms, undefined, { signal });
  return said;
}

/** @type {import("@askwire/client").ClientHandlers} */
const handlers = {
  async question({ id, questions }, { signal }) {
    const act = await actOn(id, { do: dismiss ? "decline" : "answer", choose, own_text }, signal);
    if (act.do === "discuss") return { declined: "discuss" };
    if (act.do === "decline") return "declined";
    const items = questions.map(({ id, options }, index) => {
      const selected = options
        .filter(({ label }) => act.choose[index]?.includes(label))
        .map((option) => option.id);
      const own = index === 0 && act.own_text !== undefined ? { own_text: act.own_text } : {};
      const skipped = selected.length === 0 && !("own_text" in own) ? { skipped: true } : {};
      return { question_id: id, selected, ...own, ...skipped };
    });
    return { items };
  },
  async approval({ id }, { signal }) {
    const said = { do: approve === "reject" ? "reject" : "approve", response: approve, feedback: own_text };
    const act = await actOn(id, said, signal);
    if (act.do === "approve") return { response: act.response };
    return { response: "reject", ...(act.feedback ? { feedback: act.feedback } : {}) };
  },
};

let runs = 0;
const tool = env.ASKWIRE_CONFORMANCE_TOOL;
const counter = {
  name: tool ?? "",
  description: "Says how often it was run, and a word.",
  parameters: { type: "object", properties: { word: { type: "string" } } },
  /** @param {Record<string, unknown>} input */
  async run({ word }) {
    await delay(after_ms);
    runs += 1;
    if (word === "fail") throw new Error("it was told to fail");
    return `${runs} ${word}`;
  },
};

const options = {
  handlers,
  shows: { skip: true, approvalOptions: true },
  tools: tool === undefined ? [] : [counter],
  initializeTimeoutMs: 8_000,
};
const launched = [...words, "--wire", "--work-dir", process.cwd()];
const open = () =>
  address === ""
    ? connectProcess(env.ASKWIRE_CONFORMANCE_AGENT ?? "", launched, { ...options, closeTimeoutMs: 1_000 })
    : connectWebSocket(address, options);

let session = await open();
const input = isTold ? textLines(process.stdin) : undefined;

/** Ends with its turn, unless the person has disconnected before. */
async function endWith(/** @type {import("@askwire/client").ClientTurn | undefined} */ turn) {
  const ours = session;
  await turn?.result.catch(() => {});
  if (ours !== session || isAway) return;
  if (isTold) process.stdin.destroy();
  await session.close();
}

let isAway = false;
/** @type {Record<string, (act: Act) => unknown>} */
const does = {
  prompt: ({ text }) => void endWith(session.prompt(text)),
  steer: ({ text }) => session.steer(text),
  cancel: () => session.cancel(),
  replay: () => session.replay(),
  async disconnect() {
    isAway = true;
    await session.close();
  },
  async connect() {
    isAway = false;
    session = await open();
    void endWith(session.joinTurn());
  },
};

/** Does one act. Acts about a request go to whoever waits for them. */
async function act(/** @type {Act} */ one) {
  if (one.request_id !== undefined) return about(one.request_id).happens(one);
  await does[one.do]?.(one);
}

if (input === undefined) await act({ do: "prompt", text: env.ASKWIRE_CONFORMANCE_PROMPT ?? "" });
else for await (const line of input) await act(JSON.parse(line));
// #endregion conformance-client
