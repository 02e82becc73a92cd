// Asks questions of kept sessions in this process, over channels in memory, so that the server and its disk alone are
// measured. The order comes as an argument, the figures go to the parent.
import { connect } from "@askwire/client";
import { linkedPair } from "@askwire/protocol/testing";
import { syncs } from "../count-syncs.mjs";
import { chosenOption } from "../payload.mjs";
import { askChecked } from "./tasks.mjs";

// Loaded after the counting, since it takes its functions when it is loaded.
const { createServer, keepIn, QuestionRequest, standardErrorLog, wireSend } = await import("@askwire/server");

/**
 * @typedef {object} Order
 * @property {string} share the folder of the sessions
 * @property {"none" | "process" | "disk" | "postgres"} flush
 * @property {{ connectionString: string, schema: string }} [engine] the place of `postgres`
 * @property {number} sessions
 * @property {number} inFlight questions of a session
 * @property {number} warmMs
 * @property {number} ms
 */

/** @type {Order} */
const { share, flush, engine, sessions, inFlight, warmMs, ms } = JSON.parse(process.argv[2] ?? "{}");

/** @type {number[]} */
const times = [];
/** All questions, those of the warming up too. */
let questions = 0;
/** The moment from which on all sessions are open. */
let begun = Number.POSITIVE_INFINITY;
let start = 0;
/** The syncs at the start, and at the end of the last question. */
let before = 0;
let after = 0;

/** Read from the clock, since channels in memory leave timers no turn. */
function isMeasured() {
  if (start === 0 && performance.now() >= begun + warmMs) {
    start = performance.now();
    before = syncs();
  }
  return start !== 0;
}

/** @type {import("../contract.js").Asker} */
const asker = {
  async ask({ question, header, options }) {
    const questions = [{ question, header, options: [...options] }];
    const request = new QuestionRequest({ tool_call_id: "c1", questions });
    wireSend(request);
    return (await request.wait())[question] ?? "";
  },
};

async function lane() {
  for (let n = 0; performance.now() < begun + warmMs + ms; n += 1) {
    const counts = isMeasured();
    questions += 1;
    const asked = performance.now();
    await askChecked(asker, n % 3);
    if (!counts) continue;
    times.push(performance.now() - asked);
    after = syncs();
  }
}

/** The option of the server that keeps its sessions. */
async function keptBy() {
  if (flush === "none") return {};
  if (flush !== "postgres")
    return { keep: keepIn({ share, workDir: process.cwd(), flush, log: standardErrorLog() }) };
  const { postgresStore } = await import("@askwire/postgres");
  return { store: await postgresStore(engine) };
}

const server = createServer({
  agent: {
    async run() {
      await Promise.all(Array.from({ length: inFlight }, lane));
    },
  },
  maxSessions: 1000,
  maxOpenRequests: 1000,
  ...(await keptBy()),
});

/** A client of a session of its own. */
function session() {
  const { left, right } = linkedPair(() => {});
  server.connect(left);
  return connect(right, {
    profile: "base",
    handlers: {
      question({ questions: [asked] }) {
        const { question = "", options = [] } = asked ?? {};
        return { answers: { [question]: options[chosenOption]?.label ?? "" } };
      },
    },
  });
}

const clients = await Promise.all(Array.from({ length: sessions }, session));
begun = performance.now();
await Promise.all(clients.map((client) => client.prompt("go").result));
const wall = performance.now() - start;
await server.close();

times.sort((a, b) => a - b);
const at = (/** @type {number} */ part) => (times[Math.floor((times.length - 1) * part)] ?? 0) * 1000;
process.send?.({
  p50Us: at(0.5),
  p99Us: at(0.99),
  perSecond: (times.length / wall) * 1000,
  syncs: (after - before) / times.length,
  questions,
});
process.disconnect?.();
