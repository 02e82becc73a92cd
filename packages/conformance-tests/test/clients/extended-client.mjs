// @ts-check
// An extended client in plain Node that keeps every promise. The broken ones beside it replace members of `right`.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { right as base } from "./raw-client.mjs";
import { openSocket, rightSocket } from "./web-socket.mjs";

/** @typedef {Record<string, any>} Json */

const me = randomUUID();
const isObject = (/** @type {unknown} */ value) => typeof value === "object" && value !== null;

export const right = {
  shows: /** @type {Json} */ ({ skip: true }),
  offersTool: true,
  socket: rightSocket,
  firstWaitMs: 500,
  longestWaitMs: 30_000,
  silenceMs: 40_000,
  /** Codes after which a connection is not opened again. */
  final: [1000, 4401, 4404, 4409],
  /** Whether a connection that was never there is tried again. */
  insists: false,
  /** How many messages it says that it has had. */
  had: (/** @type {number} */ received) => received,
  /** Whether messages are lost, by the numbers of both sides. */
  isLost: (/** @type {Json} */ params, /** @type {number} */ sent, /** @type {number} */ received) =>
    params.received < sent || params.sent > received,
  /** By how much the next wait is longer. */
  growth: 2,
  endCode: 1000,
  clientId: () => me,
  isExtended: (/** @type {any} */ askwire) => isObject(askwire) && askwire.revision >= 2,
  place: (/** @type {Json | undefined} */ place) => place,
  /** Whether a message is the next one, one that came before, or comes after a hole. */
  order: (/** @type {number} */ seq, /** @type {number} */ last) =>
    seq <= last ? "known" : seq === last + 1 ? "next" : "hole",
  hear: (/** @type {Json} */ _message) => {},
  fits: (/** @type {Json} */ { type, payload }) =>
    type === "QuestionRequest"
      ? Array.isArray(payload?.questions)
      : typeof payload?.tool_call_id === "string",
  /** The receipt for a request that a person has; undefined: none yet. */
  receipt: (/** @type {string} */ request_id) =>
    /** @type {Json | undefined} */ ({ method: "received", params: { request_id } }),
  receivesAgain: false,
  questionId: (/** @type {Json} */ { id }, /** @type {number} */ _at) => id,
  declined: () => /** @type {Json} */ ({ outcome: { status: "declined", reason: "dismissed" } }),
  left: (/** @type {string} */ question_id) =>
    /** @type {Json[]} */ ([{ question_id, selected: [], skipped: true }]),
  response: (/** @type {string} */ kind) => kind,
  /** The id of an answer that is made anew after a refusal, and of one that is sent again. */
  correctedId: (/** @type {string} */ _old) => randomUUID(),
  repeatedId: (/** @type {string} */ old) => old,
  /** Whether an answer is sent again after this error. */
  repeats: (/** @type {number} */ _code) => false,
  /** Whether answers are kept until they have a reply; and those for which there is no connection. */
  keepsAnswers: true,
  keepsUnsent: true,
  /** What is taken from the person. */
  takesSettled: true,
  keepsCard: (/** @type {string} */ id, /** @type {string[]} */ pending) => pending.includes(id),
  asksAnew: false,
  /** Whether a reset takes away also what is pending. */
  dropsAll: true,
  promptsAfterReset: (/** @type {boolean} */ _isSameStream) => false,
  turnId: (/** @type {string} */ first) => first,
  /** Under which name a tool's call is known again. */
  callName: (/** @type {Json} */ { request_id }, /** @type {unknown} */ _line) => request_id ?? {},
  /** Whether nothing is read while a tool runs. */
  isSlow: false,
  /** What the tool gives. */
  run: (/** @type {number} */ count, /** @type {string} */ word) =>
    word === "fail"
      ? { is_error: true, output: "", message: "it failed", display: [] }
      : { is_error: false, output: `${count} ${word}`, message: "", display: [] },

  /** @returns {Json} */
  words(/** @type {Json} */ { type, payload }, /** @type {Json} */ { choose, own_text, dismiss, approve }) {
    if (type === "ApprovalRequest") {
      const feedback = approve === "reject" && own_text ? { feedback: own_text } : {};
      return { outcome: { status: "answered" }, response: this.response(approve), ...feedback };
    }
    if (dismiss) return this.declined();
    const items = payload.questions.flatMap((/** @type {Json} */ question, /** @type {number} */ at) => {
      const question_id = this.questionId(question, at);
      const selected = question.options
        .filter((/** @type {Json} */ { label }) => choose[at]?.includes(label))
        .map((/** @type {Json} */ { id }) => id);
      const own = at === 0 && own_text !== undefined ? { own_text } : {};
      return selected.length === 0 && !("own_text" in own)
        ? this.left(question_id)
        : [{ question_id, selected, ...own }];
    });
    return { outcome: { status: "answered" }, items };
  },
};

/** Runs one turn with the agent that the environment names, or at the address. */
export function runExtendedClient(
  /** @type {Partial<typeof right>} */ faults,
  /** @type {string} */ address,
) {
  const client = { ...right, ...faults };
  const { ASKWIRE_CONFORMANCE_AGENT: agent = "", ASKWIRE_CONFORMANCE_PROMPT: prompt } = process.env;
  const tool = client.offersTool ? process.env.ASKWIRE_CONFORMANCE_TOOL : undefined;
  const orders = JSON.parse(process.env.ASKWIRE_CONFORMANCE_ANSWER ?? "{}");
  const takesTime = (/** @type {() => void} */ then) => setTimeout(then, orders.after_ms ?? 0);

  /** @type {{ send(text: string): void; close(code: number): void } | undefined} */
  let line;
  /** The socket of now; one that was given up is not listened to. @type {unknown} */
  let current;
  /** @type {Json | undefined} */
  let place;
  let isExtended = false;
  let wasThere = false;
  let isOver = false;
  let count = 0;
  let runs = 0;
  let isBusy = false;
  /** The messages of this connection, and those that were sent before the last sign of life. */
  let traffic = { sent: 0, received: 0, before: 0 };
  /** What came meanwhile. @type {string[]} */
  const held = [];
  let wait = client.firstWaitMs;
  const firstTurn = randomUUID();
  /** True once the connection has its result of initialize. */
  let isAttached = false;
  /** @type {NodeJS.Timeout | undefined} */
  let silence;
  /** What is asked of the server, by the id of the request. @type {Map<string, (message: Json) => void>} */
  let asked = new Map();
  /** Cards before the person, by their request's id. @type {Map<string, Json>} */
  const cards = new Map();
  /** Answers without a reply. @type {Map<string, Json>} */
  const answers = new Map();
  /** @type {Map<unknown, Promise<Json>>} */
  const calls = new Map();

  const send = (/** @type {Json} */ message) => {
    traffic.sent += 1;
    line?.send(base.write({ jsonrpc: "2.0", ...message }));
  };
  const ask = (
    /** @type {string} */ method,
    /** @type {Json} */ params,
    /** @type {(message: Json) => void} */ then,
  ) => {
    count += 1;
    asked.set(`r${count}`, then);
    send({ id: `r${count}`, method, params });
  };

  function opened() {
    isAttached = false;
    traffic = { sent: 0, received: 0, before: 0 };
    const askwire = { revision: 3, client_id: client.clientId(), alive: true, ...client.shows };
    const tools = [{ name: tool, description: "Counts its calls.", parameters: { type: "object" } }];
    const session = client.place(place);
    const hello = {
      protocol_version: "1.10",
      client: { name: "extended-client" },
      capabilities: { supports_question: true, askwire },
      ...(tool === undefined ? {} : { external_tools: tools }),
      ...(session === undefined ? {} : { session }),
    };
    ask("initialize", hello, ({ result }) => (result === undefined ? stop() : greeted(result)));
  }

  function greeted(/** @type {Json} */ { capabilities, session = {} }) {
    isExtended = client.isExtended(capabilities.askwire);
    wait = client.firstWaitMs;
    const isSameStream = session.stream === place?.stream;
    const isReset = wasThere && (session.reset || !isSameStream);
    wasThere = true;
    if (isReset || place === undefined)
      place = { id: session.id, stream: session.stream, after_seq: session.seq };
    for (const [id, { timer }] of cards) {
      if (!(isReset && client.dropsAll) && (answers.has(id) || client.keepsCard(id, session.pending)))
        continue;
      clearTimeout(timer);
      cards.delete(id);
    }
    for (const [id, { params }] of [...cards]) {
      if (client.receivesAgain) send(client.receipt(id) ?? {});
      if (client.asksAnew) show(params);
    }
    if (isReset && !client.promptsAfterReset(isSameStream)) return stop();
    isAttached = true;
    for (const params of [...answers.values()])
      answer({ ...params, answer_id: client.repeatedId(params.answer_id) });
    const turn = isExtended ? { turn_id: client.turnId(firstTurn) } : {};
    ask("prompt", { user_input: prompt, ...turn }, stop);
  }

  function answer(/** @type {Json} */ params) {
    const { request_id, answer_id } = params;
    if (client.keepsAnswers && (line !== undefined || client.keepsUnsent)) answers.set(request_id, params);
    // What is answered between the opening and the attach goes out at the attach.
    if (line !== undefined && !isAttached && client.keepsAnswers) return;
    ask("answer", params, ({ error, result }) => {
      counted(result?.seq);
      if (error !== undefined && client.repeats(error.code)) return answer(params);
      answers.delete(request_id);
      if (error?.code === -32013) answer({ ...params, answer_id: client.correctedId(answer_id) });
      else cards.delete(request_id);
    });
  }

  function show(/** @type {Json} */ params) {
    const { id } = params.payload;
    if (!client.fits(params)) return ask("release", { request_id: id, reason: "protocol_error" }, () => {});
    const shown = cards.get(id);
    if (shown !== undefined && !client.asksAnew) return;
    const receipt = client.receipt(id);
    if (receipt !== undefined && shown === undefined) send(receipt);
    clearTimeout(shown?.timer);
    const timer = takesTime(() => {
      if (receipt === undefined) send(right.receipt(id) ?? {});
      answer({ request_id: id, answer_id: randomUUID(), ...client.words(params, orders) });
    });
    cards.set(id, { timer, params });
  }

  function call(/** @type {Json} */ { id, params: { payload } }) {
    const name = client.callName(payload, line);
    const from = line;
    const { word } = JSON.parse(payload.arguments);
    const waited = new Promise((resolve) => takesTime(() => resolve(undefined)));
    const run = calls.get(name) ?? waited.then(() => client.run(++runs, word));
    calls.set(name, run);
    isBusy = client.isSlow;
    run.then((return_value) => {
      if (line === from) send({ id, result: { tool_call_id: payload.id, return_value } });
      isBusy = false;
      held.splice(0).forEach(receive);
    });
  }

  function receive(/** @type {string} */ text) {
    clearTimeout(silence);
    if (address !== "") silence = setTimeout(reopen, client.silenceMs);
    if (isBusy) return void held.push(text);
    const message = base.read(text);
    if (message === undefined) return;
    traffic.received += 1;
    const { id, method, params = {} } = message;
    if (method === "alive" && isExtended) alive(params);
    if (method === undefined) {
      const then = asked.get(id);
      asked.delete(id);
      return then?.(message);
    }
    client.hear(message);
    if (method === "event") return heard(params);
    if (id === undefined || (isExtended && !counted(params.seq))) return;
    if (params.type === "ToolCallRequest" && params.payload.name === tool) return call(message);
    send(base.respond(message, orders));
  }

  /** Replies to the question for a sign of life, and compares the numbers of a reply. */
  function alive(/** @type {Json} */ params) {
    if (params.received !== undefined)
      return client.isLost(params, traffic.before, traffic.received - 1) && reopen();
    traffic.before = traffic.sent;
    send({ method: "alive", params: { received: client.had(traffic.received) } });
  }

  /** Whether a message is to be looked at. */
  function counted(/** @type {unknown} */ seq) {
    if (typeof seq !== "number" || place === undefined) return true;
    const order = client.order(seq, place.after_seq);
    if (order === "hole") reopen();
    if (order === "next") place.after_seq = Math.max(seq, place.after_seq);
    return order === "next";
  }

  function heard(/** @type {Json} */ { type, payload, seq, replayed }) {
    if (replayed === true || (isExtended && !counted(seq))) return;
    if (isExtended && (type === "QuestionRequest" || type === "ApprovalRequest"))
      return show({ type, payload });
    if (type !== "InteractionSettled" || answers.has(payload.request_id) || !client.takesSettled) return;
    clearTimeout(cards.get(payload.request_id)?.timer);
    cards.delete(payload.request_id);
  }

  /** Gives the connection up for a new one. */
  function reopen() {
    const old = line;
    current = undefined;
    lost();
    old?.close(4409);
  }

  function lost() {
    line = undefined;
    asked = new Map();
    clearTimeout(silence);
    if (isOver) return;
    setTimeout(connect, (wait / 2) * (1 + Math.random()));
    wait = Math.min(wait * client.growth, client.longestWaitMs);
  }

  function stop() {
    isOver = true;
    clearTimeout(silence);
    for (const { timer } of cards.values()) clearTimeout(timer);
    line?.close(client.endCode);
  }

  function connect() {
    if (isOver) return;
    const socket = openSocket(
      address,
      {
        opened() {
          line = {
            send: (text) => socket.send(text.trimEnd()),
            close: (code) => (code === 0 ? socket.drop() : socket.close(code)),
          };
          opened();
        },
        text: (text) => void (current === socket && receive(text)),
        closed(code) {
          if (current !== socket) return;
          if (isOver || client.final.includes(code) || !(wasThere || client.insists)) process.exit(0);
          lost();
        },
      },
      client.socket,
    );
    current = socket;
  }

  function launch() {
    const child = spawn(agent, ["--wire"], { env: base.environment(process.env) });
    child.on("exit", () => process.exit(0)).on("error", () => process.exit(1));
    child.stdin.on("error", () => {});
    let buffer = "";
    child.stdout.setEncoding("utf8").on("data", (chunk) => {
      const lines = (buffer + chunk).split("\n");
      buffer = lines.pop() ?? "";
      lines.forEach(receive);
    });
    line = { send: (text) => void child.stdin.write(text), close: () => child.stdin.end() };
    opened();
  }

  if (address === "") launch();
  else connect();
}
