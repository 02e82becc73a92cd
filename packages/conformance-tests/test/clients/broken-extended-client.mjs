// @ts-check
// Extended clients that break one promise each, on purpose. Usage: node broken-extended-client.mjs FAULT [ADDRESS]
import { randomUUID } from "node:crypto";
import { right, runExtendedClient } from "./extended-client.mjs";
import { rightSocket } from "./web-socket.mjs";

/** @typedef {import("./extended-client.mjs").Json} Json */

const dies = () => process.exit(1);

/** @type {Readonly<Record<string, Partial<typeof right>>>} */
const faults = {
  none: {},
  "shows nothing and has no tool": { shows: {}, offersTool: false },
  "has a name for a client_id": { clientId: () => "me" },
  "has a text for a key": { shows: { skip: "yes" } },
  "speaks by the profile to anybody": { isExtended: () => true },
  "knows one revision only": { isExtended: (askwire) => askwire?.revision === 2 },
  "dies on alive": { hear: ({ method }) => void (method === "alive" && dies()) },
  "receives what does not fit": { fits: () => true },
  "answers by position": { questionId: (_question, at) => `q${at + 1}` },
  "receives when the person has answered": { receipt: () => undefined },
  "replies to an event": { receipt: (id) => ({ id, result: { request_id: id, received: true } }) },
  "receives again after a reconnection": { receivesAgain: true },
  "approves whatever it is told": { response: () => "approve" },
  "declines with items": {
    declined: () => ({ outcome: { status: "declined" }, items: [{ question_id: "ask-0", selected: [] }] }),
  },
  "states that a question was withdrawn": { declined: () => ({ outcome: { status: "withdrawn" } }) },
  "has no item for what it skips": { left: () => [] },
  "corrects under the same answer_id": { correctedId: (old) => old },
  "sends a late answer again": { repeats: (code) => code === -32010 },
  "answers what was settled elsewhere": { takesSettled: false },
  "runs a tool again": { callName: () => ({}) },
  "reads no arguments": { run: (count) => right.run(count, "") },
  "leaves out what there is to display": {
    run: (count, word) => ({ ...right.run(count, word), display: undefined }),
  },
  "calls a failure a success": { run: (count, word) => ({ ...right.run(count, word), is_error: false }) },
  "does nothing else while its tool runs": { isSlow: true },
  "has the token in the query": {
    socket: { ...rightSocket, path: ({ pathname, hash }) => `${pathname}?token=${hash.slice(1)}` },
  },
  "reads frame by frame": { socket: { ...rightSocket, joins: false } },
  "reads binary frames": { socket: { ...rightSocket, isText: () => true } },
  "knocks until it is let in": { insists: true },
  "takes a lost connection for its end": { final: [...right.final, 1006, 1012] },
  "reconnects at once": { firstWaitMs: 0 },
  "waits no longer": { growth: 0.01 },
  "forgets who it is": { clientId: () => randomUUID() },
  "forgets where it was": { place: (place) => place && { id: place.id } },
  "comes back when it is replaced": { final: [1000, 4401, 4404] },
  "cuts its connection at the end": { endCode: 0 },
  "minds no hole": { order: (seq, last) => (seq <= last ? "known" : "next") },
  "has little patience": { silenceMs: 3_000 },
  "counts no message": { had: () => 0 },
  "minds no loss": { isLost: () => false },
  "minds a loss that is none": { isLost: () => true },
  "minds no silence": { silenceMs: 1_000_000 },
  "sends an answer again under another id": { repeatedId: () => randomUUID() },
  "sends no answer again": { keepsAnswers: false },
  "keeps no answer without a connection": { keepsUnsent: false },
  "asks the person anew": { asksAnew: true },
  "keeps what is not pending": { keepsCard: () => true },
  "prompts after a reset": { promptsAfterReset: () => true },
  "keeps what it has after a reset": {
    promptsAfterReset: (isSameStream) => isSameStream,
    dropsAll: false,
    keepsCard: () => true,
  },
  "makes a turn of each prompt": { turnId: () => randomUUID() },
  "hears an event again": { order: () => "next" },
  "runs a tool on each connection": {
    callName: ({ request_id }, line) => (calls.get(line) ?? label(line)) + request_id,
  },
};

/** A name for each connection. */
const calls = new Map();
function label(/** @type {unknown} */ line) {
  const name = `${calls.size} `;
  calls.set(line, name);
  return name;
}

runExtendedClient(faults[process.argv[2] ?? ""] ?? dies(), process.argv[3] ?? "");
