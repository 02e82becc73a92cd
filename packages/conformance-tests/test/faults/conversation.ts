import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ClientSession } from "@askwire/client";
import type { HeardPromptResult } from "@askwire/protocol";
import {
  type AskwireServer,
  createServer,
  keepIn,
  type ModelRequest,
  type ServerOptions,
  type Session,
  sessionFolder,
} from "@askwire/server";
import { heard, keptBeforeTold } from "../../../../scripts/kept-before-told.js";
import { oneByOne, watchedAgent } from "./agent.js";
import { type Counts, type Fault, type FaultKind, faultPlan } from "./fault.js";
import { normalised } from "./normalised.js";
import { quiet, until } from "./quiet.js";
import { settlementsIn } from "./settlements.js";
import { type Pace, paces, talkativeClient } from "./talkative-client.js";
import type { Transport } from "./transport.js";

const quietLog = { debug() {}, info() {}, warn() {}, error() {} };

/** The end of a turn: its result, or the code of the error. */
type Ending = HeardPromptResult | { failed: unknown };

/** All that one conversation came to, without what differs from one time to the next. */
export interface Told {
  readonly endings: readonly Ending[];
  /** Every event that the client was told, in its order. */
  readonly events: readonly string[];
  /** The types of the events of each turn, as who prompted reads them; last, how reading failed if it did. */
  readonly turns: readonly (readonly string[])[];
  /** The acts of the client's handlers, tool and hook and of the server's tool, in order. */
  readonly done: readonly string[];
  /** The input and offers of the model in each step. */
  readonly model: readonly string[];
  /** The lines of the journal. */
  readonly journal: readonly string[];
  /** The settlements of each request in the journal. */
  readonly settlements: readonly string[];
}

export interface Conversation {
  readonly told: Told;
  readonly counts: Counts;
  /** The kinds of the faults that happened. */
  readonly struck: readonly FaultKind[];
  /** The number of the client's connections. */
  readonly connects: number;
  /** Connections that the server still held at the end. */
  readonly held: number;
  /** Of each request that the client answered by `answer`, how many `answer_id`s it used, where that can be seen. */
  readonly answerIds: readonly number[];
  /** Requests taken from the client's person, tool or hook meanwhile, with the answerer. */
  readonly taken: readonly string[];
  /** The problems that the client reported. */
  readonly problems: readonly string[];
}

/** Other clients during a conversation. */
export type Company = (server: AskwireServer, session: Session) => Promise<{ leave(): Promise<void> }>;

/** The circumstances of a conversation. Absent members are as in an undisturbed one. */
export interface Setting {
  /** The number of events for the client, known after an undisturbed conversation. */
  readonly expected?: number;
  /** Default: nobody. */
  readonly company?: Company;
  /** Default: at once. */
  readonly pace?: Pace;
  /** Default: {@link oneByOne}. */
  readonly scripts?: readonly string[];
  readonly server?: Partial<ServerOptions>;
  /** The server's wait for a lost client. Default: longer than any conversation. */
  readonly graceMs?: number;
}

/** A conversation takes milliseconds: one that takes this long hangs. */
const BOUND_MS = 60_000;

/** Holds the conversation over a transport on which these things go wrong, and ends when both sides are quiet. */
export async function converse(
  transport: Transport,
  faults: readonly Fault[] = [],
  setting: Setting = {},
): Promise<Conversation> {
  const { expected = 0, company, pace = paces["at once"], scripts = oneByOne, graceMs = 30_000 } = setting;
  const share = mkdtempSync(join(tmpdir(), "askwire-faults-"));
  const kept = { share, workDir: "/project" };
  const place = { ...kept, id: "kept" };
  const plan = faultPlan(faults);
  const done: string[] = [];
  const asked: ModelRequest[] = [];
  const file = join(sessionFolder(place), "wire.jsonl");
  const written = () => (existsSync(file) ? readFileSync(file, "utf8") : "");
  const watch = keptBeforeTold({ written, safe: written });
  const server = createServer({
    agent: watchedAgent(scripts, done, asked),
    log: quietLog,
    keep: keepIn({ ...kept, log: quietLog, flush: "process" }),
    workDir: place.workDir,
    ...setting.server,
  });
  const session = server.createSession({ id: place.id, stay: true });
  const road = await transport(server, {
    session,
    plan,
    graceMs,
    hear: (channel) => heard(channel, watch.ear()),
  });
  const others = await company?.(server, session);
  const { options, events, changes, problems, taken } = talkativeClient(pace, done);
  const bound = AbortSignal.timeout(BOUND_MS);
  const hung = new Promise<never>((_resolve, reject) => {
    bound.addEventListener("abort", () => {
      reject(
        new Error(`it hangs: ${JSON.stringify({ ...plan, done, changes, problems, last: events.at(-1) })}`),
      );
    });
  });
  hung.catch(() => {});

  async function talk() {
    const connected = await throughTheDoor(() => road.connect(options), faults.length);
    const turns: Awaited<ReturnType<typeof heldTurn>>[] = [];
    for (const input of ["begin", "go on"]) {
      turns.push(await heldTurn(connected, input));
      // A turn may go on that the client has given up.
      await until(() => !session.running, bound);
    }
    await until(() => events.length >= expected, bound);
    return { connected, turns };
  }

  try {
    const { connected, turns } = await Promise.race([road.during(talk(), bound), hung]);
    await quiet(() => plan.counts.client + plan.counts.server + events.length);
    const counts = { ...plan.counts };
    const held = road.held();
    await connected.close();
    await others?.leave();
    await server.close();
    if (watch.early.length > 0) throw new Error(`told before it was kept: ${watch.early.join(", ")}`);
    const journal = readFileSync(file, "utf8");
    const lines = journal.trimEnd().split("\n");
    return {
      told: {
        endings: turns.map(({ ending }) => ending),
        events: events.map(normalised()),
        turns: turns.map(({ types }) => types),
        done,
        model: asked.map(toldModel),
        journal: lines.map((line) => JSON.parse(line)).map(normalised()),
        settlements: settlementsIn(lines),
      },
      counts,
      struck: plan.struck,
      connects: changes.filter((state) => state === "connected").length,
      held,
      answerIds: answerIds(road.sent),
      taken,
      problems,
    };
  } finally {
    await road.close();
    await server.close();
    rmSync(share, { recursive: true, force: true });
  }
}

const toldModel = ({ messages, tools }: ModelRequest) =>
  normalised()({ messages, tools: tools.map(({ name }) => name).sort() });

function answerIds(sent: readonly string[]): number[] {
  const ids = new Map<string, Set<string>>();
  for (const text of sent) {
    const { method, params } = JSON.parse(text);
    if (method !== "answer") continue;
    ids.set(params.request_id, (ids.get(params.request_id) ?? new Set()).add(params.answer_id));
  }
  return [...ids.values()].map(({ size }) => size);
}

/** Connects again after a cut before the server's first answer, as a starting program would. */
async function throughTheDoor(connect: () => Promise<ClientSession>, tries: number): Promise<ClientSession> {
  try {
    return await connect();
  } catch (error) {
    if (tries === 0) throw error;
    return await throughTheDoor(connect, tries - 1);
  }
}

/** A turn to its end, with the types of its events. */
async function heldTurn(client: ClientSession, input: string) {
  const turn = client.prompt(input);
  const types: string[] = [];
  async function read(): Promise<void> {
    for await (const { type } of turn) if (type !== "InteractionOpened") types.push(type);
  }
  const reading = read().catch(({ code }) => void types.push(`failed: ${code}`));
  const ending: Ending = await turn.result.catch((error) => ({ failed: error.code }));
  await reading;
  return { ending, types };
}
