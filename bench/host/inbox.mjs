// Lists 100,000 open questions in this process, over a channel in memory, so that the server alone is measured. The order
// comes as an argument, the figures go to the parent.
import { connect } from "@askwire/client";
import { linkedPair } from "@askwire/protocol/testing";
import { createServer } from "@askwire/server";
import { steppedClock } from "./stepped-clock.mjs";

/**
 * @typedef {object} Order
 * @property {number} rows
 * @property {"parked" | "kept"} state parked: the rows left memory in this process. kept: they are found in a store.
 * @property {number} reps
 */

/** @type {Order} */
const { rows, state, reps } = JSON.parse(process.argv[2] ?? "{}");

const clock = steppedClock();
const colours = ["red", "green", "blue", "yellow", "white"];
/** @param {number} n */
const textOf = (n) =>
  `May I paint part ${n} of the wall ${colours[Math.floor(n / 5) % colours.length]} today?`;
/** @param {number} n */
const idOf = (n) => `${n.toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`;
const host = "mill";
const log = { debug() {}, info() {}, warn() {}, error: console.error };

/** A store that takes everything and remembers nothing. @type {any} */
const forgetful = {
  name: "nowhere",
  take: async () => ({
    ...{ name: "nowhere", generation: 1, count: 0, history: [] },
    commit: async () => {},
    async *read() {},
    release: async () => {},
  }),
  find: async () => undefined,
  list: async () => [],
  remove: async () => {},
  close: async () => {},
};

/** The rows of kept sessions. @returns {any[]} */
const found = () =>
  Array.from({ length: rows }, (_, n) => {
    const question = { request_id: `r${idOf(n)}`, kind: "question", text: textOf(n) };
    const since = new Date(n * 1000).toISOString();
    const due = n % 5 === 0 && { deadline: new Date(1e12 + n * 1000).toISOString() };
    const open = [{ ...question, since, ...due }];
    return { id: idOf(n), state: "closed", activeAt: n, title: "Paint", workDir: "/work/shop", open };
  });

const isParked = state === "parked";
const keptRows = isParked ? [] : found();
const server = createServer({
  agent: { async run() {} },
  agentName: "painter",
  attendance: "hold",
  maxSessions: 10_000,
  ...{ host, clock, log, workDir: "/work/shop" },
  ...(isParked ? { store: forgetful } : { isKept: () => true, unfinished: () => keptRows }),
});

/** A client of the lists. */
async function lister() {
  const { left, right } = linkedPair(() => {});
  server.connect(left, { session: await server.openSession(), sessionMethods: true });
  return connect(right, { client: { name: "lister" }, handlers: {} });
}

/** A program asks in a session of its own, and goes. @param {number} n */
async function asks(n) {
  const { left, right } = linkedPair(() => {});
  const session = await server.openSession({ id: idOf(n) });
  server.connect(left, { session });
  const program = await connect(right, { client: { name: "deployer" }, handlers: {} });
  const questions = [{ question: textOf(n), options: [{ label: "Yes" }] }];
  /** @type {{ ms: number, on_expiry: "cancel" } | undefined} */
  const deadline = n % 5 === 0 ? { ms: 1e9 + n * 1000, on_expiry: "cancel" } : undefined;
  await program.ask({ key: "k", wait: false, questions, ...(deadline && { deadline }) });
  await program.close();
}

const otherWork = () => new Promise((resolve) => setImmediate(resolve));

/** Asks everything, and lets it leave memory, some hundred at a time. */
async function park() {
  const batch = 500;
  for (let n = 0; n < rows; n += batch) {
    await Promise.all(Array.from({ length: Math.min(batch, rows - n) }, (_, more) => asks(n + more)));
    while (server.sessions.size > 1) {
      clock.advance(31_000);
      await otherWork();
    }
  }
}

function heapBytes() {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

/** The median of a call, in milliseconds. @param {() => Promise<unknown>} call @param {() => Promise<void>} [before] */
async function median(call, before = async () => {}) {
  const times = [];
  for (let n = 0; n < reps; n += 1) {
    await before();
    const begun = performance.now();
    await call();
    times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length / 2)] ?? 0;
}

const client = await lister();
/** @type {any} */
const wanted = client;
await asks(rows + 1);
while (isParked && server.sessions.size > 1) {
  clock.advance(31_000);
  await otherWork();
}
const before = heapBytes();
if (isParked) await park();
const bytes = (heapBytes() - before) / rows;
const timers = clock.waiting;

/** @type {string | undefined} */
let middle;
for (let page = 0; page < 5; page += 1)
  middle = (await client.listRequests({ limit: 200, ...(middle !== undefined && { after: middle }) })).next;

const firstMs = performance.now();
await client.listRequests();
let n = rows + 10;
const figures = {
  bytes,
  timers,
  first: performance.now() - firstMs,
  page: await median(() => client.listRequests()),
  next: await median(() => client.listRequests({ ...(middle !== undefined && { after: middle }) })),
  common: await median(() => client.listRequests({ text: "wall BLUE" })),
  rare: await median(() => client.listRequests({ text: `part ${rows - 7} ` })),
  counts: await median(() => wanted.listRequests({ counts: true })),
  textCounts: await median(() => wanted.listRequests({ text: "blue", counts: true })),
  changed: await median(
    () => client.listRequests(),
    async () => {
      n += 1;
      await asks(n);
    },
  ),
  sessions: await median(() => wanted.listSessions({ limit: 50 })),
};
process.send?.(figures) ?? console.log(figures);
await server.close();
process.disconnect?.();
