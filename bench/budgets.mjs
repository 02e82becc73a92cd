/** @import { Budget } from "./contract.js" */

/**
 * What Askwire promises of its speed. A ratio is that to the floor of the same repetition; a budget is met when the
 * median is within its bounds. Missing one does not fail a run.
 * @type {readonly Budget[]}
 */
export const budgets = [
  { what: "round trip, stdio, p50", measure: "stdio", key: "p50", ratio: true, most: 1.3 },
  { what: "64 in flight, stdio, trips/s", measure: "stdio", key: "perSecond", ratio: true, least: 0.5 },
  { what: "round trip, WebSocket, p50", measure: "ws", key: "p50", ratio: true, most: 1.25 },
  { what: "64 in flight, WebSocket, trips/s", measure: "ws", key: "perSecond", ratio: true, least: 0.8 },
  { what: "kept per settled question, bytes", measure: "retained", key: "bytes", most: 2 },
  {
    what: "spawn to first question, the command",
    peer: "askwire-command",
    measure: "cold-start",
    key: "ms",
    ratio: true,
    most: 1.6,
  },
  { what: "browser client, gzip kB", measure: "browser", key: "gzip", most: 28 },
  { what: "idle connection, RSS", measure: "connections", key: "idleRss", ratio: true, most: 2.6 },
  { what: "one open question, heap bytes", measure: "connections", key: "openHeap", most: 3500 },
  {
    what: "streamed texts/s, one core for both processes",
    measure: "streaming",
    key: "oneCore",
    least: 100_000,
  },
  { what: "streamed texts/s, a core each", measure: "streaming", key: "twoCores", least: 100_000 },
  {
    what: "client that stopped reading, RSS growth in MB",
    measure: "streaming",
    key: "slowMb",
    most: 16,
  },
  {
    what: "question among 100,000 open ones, against 100",
    measure: "open-questions",
    key: "growth",
    most: 1.1,
  },
  { what: "round trip with the journal, against without", measure: "journal", key: "ratio", most: 1.2 },
  {
    what: "question in a journal of 100,000 records, against 100",
    measure: "journal",
    key: "growth",
    most: 1.1,
  },
  {
    what: "first frame of the panel, ms",
    peer: "askwire-command",
    measure: "panel",
    key: "frame",
    most: 200,
  },
];
