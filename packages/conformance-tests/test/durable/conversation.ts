import { join } from "node:path";
import { type AskwireServer, createServer, keepIn, type Message, sessionFolder } from "@askwire/server";
import { keptBeforeTold, type Watch } from "../../../../scripts/kept-before-told.js";
import { quiet } from "../faults/quiet.js";
import { type Deeds, oneByOne, questions, scriptedAgent } from "./agent.js";
import { type DiskFault, faultyDisk } from "./faulty-disk.js";
import { type MemoryDisk, memoryDisk, type PowerCut, powerCuts } from "./memory-disk.js";
import { numberedLink } from "./numbered-link.js";
import { baseSeat, extendedSeat, type Person, type Seat } from "./people.js";
import { type Crash, type Process, startProcess } from "./process.js";

/** The clients of a conversation. */
export const casts = ["extended", "base", "both"] as const;
export type Cast = (typeof casts)[number];

export interface Circumstances {
  readonly cast: Cast;
  /** The end of each process, in order. Default: the last goes on. */
  readonly crashes?: readonly Crash[];
  /** The loss at each crash. Default: none, as with `kill -9`. */
  readonly powerCut?: PowerCut;
  /** The disk that the first process finds. Default: an empty one. */
  readonly found?: MemoryDisk;
  /** Default: none. */
  readonly fault?: DiskFault;
  /** Default: two questions, an approval and a last word, one after the other. */
  readonly steps?: typeof oneByOne;
  /** Ends with the first process. Default: false. */
  readonly once?: boolean;
}

/** Everything outside of the processes of a conversation. */
export interface World {
  /** The files that the tool wrote, with the call that did so. */
  readonly effects: string[];
  /** The conversation at each call of the model. */
  readonly model: (readonly Message[])[];
}

/** A conversation as it went. */
export interface Held {
  /** The acts of each process. */
  readonly acts: readonly (readonly string[])[];
  readonly people: readonly Person[];
  /** True if who prompted has the result. */
  readonly isDone: boolean;
  /** Every message, by connection, in order. */
  readonly lines: readonly Spoken[];
  readonly world: World;
  /** The disk at the end. */
  readonly disk: MemoryDisk;
  /** The disks that a crash may leave: after `kill -9`, then after power cuts, where the first process was the last. */
  readonly remains: readonly MemoryDisk[];
  readonly journal: string;
  readonly history: string;
  /** Words and deeds before the record from which they follow. */
  readonly early: readonly string[];
}

/** A message of a connection, `by` the client or the server. */
export interface Spoken {
  readonly connection: number;
  readonly client: string;
  readonly by: "client" | "server";
  /** The message, parsed. */
  // biome-ignore lint/suspicious/noExplicitAny: JSON as it was sent.
  readonly message: any;
}

/** The folder of all sessions. */
export const kept = { share: "/kept", workDir: "/project" };
/** The place of the session. */
export const place = { ...kept, id: "11111111-1111-4111-8111-111111111111" };
const folder = sessionFolder(place);
const quietLog = { debug() {}, info() {}, warn() {}, error() {} };

/** Time that only passes where nothing needs its length: lines are gathered for a turn of the event loop. */
const clock = {
  now: () => Date.now(),
  elapsed: () => 0,
  after(ms: number, action: () => void) {
    if (ms > SHORT) return () => {};
    const soon = setImmediate(action);
    return () => clearImmediate(soon);
  },
};
const SHORT = 100;

/** Turns of the event loop without an act after which nothing more comes. */
const QUIET_TURNS = 60;

export async function hold({
  cast,
  crashes = [],
  powerCut,
  found = memoryDisk(),
  fault,
  steps = oneByOne,
  once = false,
}: Circumstances): Promise<Held> {
  const world: World = { effects: [], model: [] };
  const lines: Spoken[] = [];
  const early: string[] = [];
  const acts: (readonly string[])[] = [];
  let disk = found;
  const remains: MemoryDisk[] = [];
  let connections = 0;
  let running: { process: Process; server: AskwireServer; watch: Watch } | undefined;
  let arrived: () => void = () => {};
  let up = new Promise<void>((resolve) => (arrived = resolve));

  function start(): void {
    const number = acts.length;
    const process = startProcess(crashes[number]);
    const platter = disk;
    const journal = join(folder, "wire.jsonl");
    const written = () => platter.text(journal);
    const watch = keptBeforeTold({
      written,
      safe: () => platter.safeText(journal),
    });
    acts.push(process.acts);
    process.onEnd(() => {
      if (once) remains.push(platter.afterKill(), ...powerCuts.map(platter.afterPowerCut));
      disk = powerCut === undefined ? platter.afterKill() : platter.afterPowerCut(powerCut);
      early.push(...watch.early);
      // A wait for a process goes on where the process ends during its start.
      if (running !== undefined) up = new Promise((resolve) => (arrived = resolve));
      running = undefined;
      if (!once) setImmediate(start);
    });
    const keep = keepIn({
      ...kept,
      log: quietLog,
      clock,
      disk: faultyDisk(platter.disk, process, number === 0 ? fault : undefined),
    });
    const server = createServer({
      agent: scriptedAgent(steps, deedsIn(process, world, watch)),
      keep,
      log: quietLog,
      clock,
      workDir: place.workDir,
    });
    server.createSession({ id: place.id, stay: true });
    if (!process.isAlive) return;
    running = { process, server, watch };
    arrived();
  }

  const road = (client: string) => async () => {
    while (running === undefined) await up;
    const { process, server, watch } = running;
    const connection = ++connections;
    const ear = watch.ear();
    const link = numberedLink(process, {
      read(text) {
        lines.push({ connection, client, by: "client", message: JSON.parse(text) });
        ear.read(text);
      },
      sent(text) {
        lines.push({ connection, client, by: "server", message: JSON.parse(text) });
        ear.sent(text);
      },
    });
    const session = server.sessions.get(place.id);
    if (session !== undefined) server.connect(link.server, { session, graceMs: 600_000 });
    return link.client;
  };

  start();
  const seats = seatsOf(cast, road);
  let isDone = false;
  void Promise.all(seats.map(({ done }) => done)).then(() => {
    isDone = true;
  });
  await quiet(() => lines.length + acts.reduce((sum, { length }) => sum + length, 0), QUIET_TURNS);
  for (const seat of seats) await seat.leave();
  const last = running as { server: AskwireServer; watch: Watch } | undefined;
  early.push(...(last?.watch.early ?? []));
  await last?.server.close();
  return {
    acts,
    people: seats.map(({ person }) => person),
    isDone,
    lines,
    world,
    disk,
    remains,
    journal: journalOn(disk),
    history: disk.text(join(folder, "context.jsonl")),
    early,
  };
}

/** The deeds of an agent are acts of its process, which leave traces in the world. */
const deedsIn = (process: Process, world: World, watch: Watch): Deeds => ({
  asksModel: (messages) => void process.act("call of the model", () => world.model.push(messages), 0),
  runs: (callId) => process.isAlive && watch.runs(callId),
  goesOn: (callId) => process.isAlive && watch.goesOn(callId),
  writes: (effect) => void process.act("effect", () => world.effects.push(effect), 0),
});

/** The text of the conversation's journal on a disk. */
export const journalOn = (disk: MemoryDisk): string => disk.text(join(folder, "wire.jsonl"));

/** Seats the people: of both, the one in the base profile watches, and answers the second question. */
function seatsOf(cast: Cast, road: (client: string) => Parameters<typeof baseSeat>[0]["road"]): Seat[] {
  const all = () => true;
  const second = (what: string) => what === questions[1];
  const seat = (name: string, prompts: boolean, answers: (what: string) => boolean) => ({
    name,
    road: road(name),
    prompts,
    answers,
  });
  switch (cast) {
    case "extended":
      return [extendedSeat(seat("x", true, all))];
    case "base":
      return [baseSeat(seat("b", true, all))];
    case "both":
      return [extendedSeat(seat("x", true, (what) => !second(what))), baseSeat(seat("b", false, second))];
  }
}
