/** @import { Budget } from "./contract.js" */

const extended = "askwire-extended";
const receipt = "askwire-extended-receipt";
const command = "askwire-command";

/** The rivals that ratios divide by. The floor is bare Node: a program without any package. */
const elicitation = "acp-elicitation";
const jsonRpc = "vscode-jsonrpc";
const floor = "raw";

/**
 * Askwire's promises of its speed. A budget with `to` is a ratio to that peer in the same repetition, since absolute
 * times differ between machines; the others are absolute. A budget is met if the median is within its bounds. A missed
 * budget does not fail a run.
 * @type {readonly Budget[]}
 */
export const budgets = [
  { what: "base, stdio: one by one, p50", measure: "stdio", key: "p50", to: elicitation, most: 0.55 },
  { what: "base, stdio: CPU at 64 in flight", measure: "stdio", key: "cpuMany", to: elicitation, most: 0.5 },
  { what: "base, WebSocket: one by one, p50", measure: "ws", key: "p50", to: jsonRpc, most: 1.1 },
  { what: "base, WebSocket: trips/s at 64", measure: "ws", key: "perSecond", to: jsonRpc, least: 1.3 },
  ...["stdio", "ws"].flatMap((measure) =>
    [
      { what: "one by one, p50", key: "p50" },
      { what: "CPU at 64 in flight", key: "cpuMany" },
    ].map(({ what, key }) => ({
      what: `extended, ${measure === "ws" ? "WebSocket" : measure}: ${what}`,
      peer: extended,
      measure,
      key,
      to: elicitation,
      most: 0.9,
    })),
  ),
  {
    what: "extended, stdio: one by one after a receipt, p50",
    peer: receipt,
    measure: "stdio",
    key: "p50",
    to: floor,
    most: 3.2,
  },
  {
    what: "base, stdio, a core each: trips/s at 64",
    measure: "stdio-apart",
    key: "perSecond",
    to: floor,
    least: 0.6,
  },
  {
    what: "spawn to first question, an agent as installed",
    measure: "cold-start",
    key: "ms",
    to: floor,
    most: 1.6,
  },
  {
    what: "spawn to first question, the command",
    peer: command,
    measure: "cold-start",
    key: "ms",
    to: floor,
    most: 1.4,
  },
  {
    what: "spawn to first question, a client as installed",
    measure: "cold-start",
    key: "clientMs",
    to: floor,
    most: 1.5,
  },
  { what: "kept per settled question, bytes", measure: "retained", key: "bytes", most: 2 },
  { what: "server as installed, MB", measure: "cold-start", key: "serverMb", most: 12 },
  { what: "browser client, gzip kB", measure: "browser", key: "gzip", most: 26 },
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
  ...[
    // Those of the session's beginning and end are among them.
    { what: "one by one", key: "alone", ratio: 9, commits: 2.1 },
    { what: "64 in flight", key: "many", ratio: 4, commits: 0.1 },
    { what: "1,000 sessions", key: "crowd", ratio: 8, commits: 0.1 },
  ].flatMap(({ what, key, ratio, commits }) => [
    {
      what: `PostgreSQL, ${what}: p50 against the local journal`,
      measure: "stored",
      key: `${key}_ratio`,
      most: ratio,
    },
    {
      what: `PostgreSQL, ${what}: commits a question`,
      measure: "stored",
      key: `${key}_commits`,
      most: commits,
    },
  ]),
  {
    what: "PostgreSQL: bytes of an open question over 1.5 × its records, without audit",
    measure: "stored",
    key: "open_over",
    most: 600,
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
  { what: "chat: bytes for a byte of streamed text", peer: command, measure: "chat", key: "bytes", most: 3 },
  { what: "chat: CPU of an idle second, ms", peer: command, measure: "chat", key: "idle", most: 1 },
];
