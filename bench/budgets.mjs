/** @import { Budget } from "./contract.js" */

/** @type {(what: string, budget: Omit<Budget, "what" | "ratio">) => Budget} */
const ratio = (what, budget) => ({ what, ratio: true, ...budget });

const extended = "askwire-extended";
const receipt = "askwire-extended-receipt";
const command = "askwire-command";

/**
 * Askwire's promises of its speed. A ratio compares with the floor of the same repetition. A budget is met if the
 * median is within its bounds. A missed budget does not fail a run.
 * @type {readonly Budget[]}
 */
export const budgets = [
  ratio("round trip, stdio, p50", { measure: "stdio", key: "p50", most: 1.25 }),
  ratio("64 in flight, stdio, trips/s", { measure: "stdio", key: "perSecond", least: 0.9 }),
  ratio("round trip, WebSocket, p50", { measure: "ws", key: "p50", most: 1.2 }),
  ratio("64 in flight, WebSocket, trips/s", { measure: "ws", key: "perSecond", least: 1.2 }),
  ratio("64 in flight, stdio, a core each, trips/s", {
    measure: "stdio-apart",
    key: "perSecond",
    least: 0.6,
  }),
  ratio("extended: round trip, stdio, p50", { peer: extended, measure: "stdio", key: "p50", most: 2 }),
  ratio("extended: 64 in flight, stdio, trips/s", {
    peer: extended,
    measure: "stdio",
    key: "perSecond",
    least: 0.35,
  }),
  ratio("extended: round trip, WebSocket, p50", { peer: extended, measure: "ws", key: "p50", most: 1.8 }),
  ratio("extended: 64 in flight, WebSocket, trips/s", {
    peer: extended,
    measure: "ws",
    key: "perSecond",
    least: 0.5,
  }),
  ratio("extended: round trip after a receipt, stdio, p50", {
    peer: receipt,
    measure: "stdio",
    key: "p50",
    most: 3.2,
  }),
  { what: "kept per settled question, bytes", measure: "retained", key: "bytes", most: 2 },
  ratio("spawn to first question, the command", {
    peer: command,
    measure: "cold-start",
    key: "ms",
    most: 1.35,
  }),
  ratio("spawn to first question, an agent as installed", { measure: "cold-start", key: "ms", most: 1.8 }),
  ratio("spawn to first question, a client as installed", {
    measure: "cold-start",
    key: "clientMs",
    most: 1.5,
  }),
  { what: "server as installed, MB", measure: "cold-start", key: "serverMb", most: 12 },
  { what: "browser client, gzip kB", measure: "browser", key: "gzip", most: 24 },
  {
    what: "idle connection with a turn begun, RSS bytes",
    measure: "connections",
    key: "turnRss",
    most: 28_000,
  },
  { what: "one open question, heap bytes", measure: "connections", key: "openHeap", most: 2500 },
  {
    what: "streamed texts/s, one core for both processes",
    measure: "streaming",
    key: "oneCore",
    least: 300_000,
  },
  { what: "streamed texts/s, a core each", measure: "streaming", key: "twoCores", least: 300_000 },
  {
    what: "client that stopped reading, RSS growth in MB",
    measure: "streaming",
    key: "slowMb",
    most: 16,
  },
  { what: "events/s to ten clients", measure: "fan-out", key: "perSecond", least: 100_000 },
  { what: "an event to ten clients, server CPU, µs", measure: "fan-out", key: "serverCpu", most: 10 },
  {
    what: "extended: an event to ten clients, server CPU, µs",
    peer: extended,
    measure: "fan-out",
    key: "serverCpu",
    most: 10,
  },
  {
    what: "question among 100,000 open ones, against 100",
    measure: "open-questions",
    key: "growth",
    most: 1.1,
  },
  {
    what: "round trip, stdio, kept for the end of its process, against not kept",
    measure: "journal",
    key: "ratio",
    most: 2,
  },
  { what: "kept for a power cut: syncs of a lone question", measure: "kept", key: "alone_syncs", most: 2 },
  {
    what: "kept for a power cut: syncs of a question, 64 in flight",
    measure: "kept",
    key: "many_syncs",
    most: 0.1,
  },
  {
    what: "question in a journal of 100,000 records, against 100",
    measure: "journal",
    key: "growth",
    most: 1.1,
  },
  {
    what: "page: a key after 10,000 events, against none",
    peer: command,
    measure: "page",
    key: "ratio",
    most: 2,
  },
  {
    what: "page: scripts and styles of the first question, gzip kB",
    peer: command,
    measure: "page",
    key: "gzip",
    most: 150,
  },
  { what: "first frame of the panel, ms", peer: command, measure: "panel", key: "frame", most: 150 },
];
