import { AskResult, type Outcome } from "@askwire/protocol";
import { BoundedMap } from "@askwire/protocol/internal";
import { validateCompiled } from "@askwire/protocol/node";
import type { QuestionAnswer } from "../requests/question-request.js";
import {
  type AskOpened,
  type InteractionKind,
  type InteractionOpened,
  type InteractionSettled,
  interactionKinds,
  readRecord,
} from "./entries.js";
import { type LineReading, readLinesSync } from "./lines.js";
import type { SkippedLine } from "./read-journal.js";

/** The number of ids kept while looking for settlements. Beyond that the oldest counts as unsettled. */
const MOST_OPEN = 10_000;
const OPENED = "InteractionOpened";
const SETTLED = "InteractionSettled";
const ASKED = "AskOpened";
const TOUCHED = "InteractionTouched";
/** The number of asks that are read, the newest. */
const MOST_ASKS = 256;

/** An ask that was settled, with its outcome and answer. */
export interface SettledAsk extends Pick<AskOpened, "request_id" | "key" | "digest"> {
  readonly outcome: Outcome;
  readonly answer?: QuestionAnswer;
}

/** An ask whose questions an earlier process left open. */
export interface LeftAsk {
  readonly asked: AskOpened;
  readonly opened: InteractionOpened;
  /** The time of its opening, in milliseconds since 1970. */
  readonly since: number;
  /** True if somebody had begun to answer. */
  readonly touched: boolean;
  /** True if the record for base clients is there, which a crash may have cut off. */
  readonly isWhole: boolean;
}

/** What earlier processes left in a journal. */
export interface LeftBehind extends Begun {
  /** The number of the last process that wrote to it; 0 before all that say theirs. */
  readonly generation: number;
  /** The newest version of our records in it; 0 without any. */
  readonly version: number;
  /** True if plan mode was on when the journal ended. */
  readonly planMode: boolean;
  /** True if a person did not want to be asked when it ended. */
  readonly doNotAsk: boolean;
  /** The last value that the agent kept; undefined without one. */
  readonly agentMemory: unknown;
  /** The settled asks, oldest first. */
  readonly asks: readonly SettledAsk[];
  /** The asks whose questions are open, oldest first. */
  readonly openAsks: readonly LeftAsk[];
}

/** The kinds of request by the type that shows it; a record of ours says its own. */
const kindsByType = new Map<unknown, InteractionKind>(
  Object.entries(interactionKinds).flatMap(([kind, type]) =>
    type === undefined ? [] : [[type, kind as InteractionKind] as const],
  ),
);
/** Most lines are none of these, and are not parsed. */
const relevant = new RegExp(`"(?:${[...kindsByType.keys(), SETTLED, ASKED, TOUCHED].join("|")})"`);
const mayTellPlanMode = /"plan_mode":\s*(?:true|false)/;

/**
 * Finds the requests of a journal that were recorded and not settled (P-JRN-6), oldest first, reading it line by line.
 *
 * @param found told of each.
 * @returns whether plan mode was on and nobody wanted to be asked when the journal ended, the value that its agent
 * kept, its settled asks, its last process, and its beginning as {@link Begun}.
 */
export function findUnsettled(
  file: string,
  found: (request: { request_id: string; kind: InteractionKind }) => void,
  { onSkipped, ...reading }: LineReading & { readonly onSkipped?: (skipped: SkippedLine) => void } = {},
): LeftBehind {
  let planMode = false;
  let doNotAsk = false;
  let agentMemory: unknown;
  let begun: Begun = {};
  let last = { generation: 0, version: 0 };
  const open = new Map<string, Unsettled>();
  const asks = newAsks();
  const tell = (request_id: string, { kind, times }: Unsettled) => {
    open.delete(request_id);
    for (let time = 0; time < times; time += 1) found({ request_id, kind });
  };
  for (const { number: line, text } of readLinesSync(file, reading)) {
    if (begun.firstPrompt === undefined && text !== undefined) begun = begunBy(text, begun);
    if (text === undefined) onSkipped?.({ line, problem: "it is too long" });
    else if (relevant.test(text)) note(text, open, asks);
    else if (text.includes('"SessionOpened"')) last = laterProcess(text, last);
    else if (text.includes('"DoNotAsk"')) doNotAsk = doNotAskOf(text) ?? doNotAsk;
    else if (text.includes('"AgentMemory"')) agentMemory = agentMemoryOf(text, agentMemory);
    else if (mayTellPlanMode.test(text)) planMode = planModeOf(text) ?? planMode;
    for (const [request_id, unsettled] of open) {
      if (open.size <= MOST_OPEN) break;
      tell(request_id, unsettled);
    }
  }
  const openAsks = asks.open();
  for (const { asked } of openAsks) open.delete(asked.request_id);
  for (const [request_id, unsettled] of open) tell(request_id, unsettled);
  return { planMode, doNotAsk, agentMemory, asks: asks.settled(), openAsks, ...last, ...begun };
}

/** The beginning of a journal. */
export interface Begun {
  /** The time of its first record, in milliseconds since 1970. */
  readonly begunAt?: number;
  /** The first line of the first prompt that has text and is no slash command. */
  readonly firstPrompt?: string;
}

/** A prompt that ran a command, as far as a journal shows that. */
const slashCommand = /^\/[\w:-]+(?=\s|$)/;

/** UTF-16 units of the first prompt that are remembered. */
const MAX_PROMPT = 4_096;

/** Adds what a line says about the beginning. */
export function begunBy(text: string, { begunAt }: Begun): Begun {
  const since = begunAt ?? timestampOf(text);
  const at = since === undefined ? {} : { begunAt: since };
  if (!text.includes('"TurnBegin"')) return at;
  const { type, payload } = messageOf(text);
  const input: unknown = type === "TurnBegin" ? payload?.user_input : undefined;
  const parts: unknown[] = Array.isArray(input) ? input : [{ text: input }];
  const said = parts.flatMap((part) => {
    const words = (part as { readonly text?: unknown } | null)?.text;
    return typeof words === "string" && words.trim() !== "" ? [words.trimStart().slice(0, MAX_PROMPT)] : [];
  });
  const [line = ""] = (said[0] ?? "").split("\n");
  return line === "" || slashCommand.test(line) ? at : { ...at, firstPrompt: line };
}

function timestampOf(text: string): number | undefined {
  const [, seconds] = /^\{"timestamp": ?([0-9.]+)/.exec(text) ?? [];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

function laterProcess(text: string, last: Pick<LeftBehind, "generation" | "version">): typeof last {
  const { type, payload } = messageOf(text);
  if (type !== "SessionOpened") return last;
  const later = (number: unknown, before: number) =>
    typeof number === "number" && number > before ? number : before;
  return {
    generation: later(payload?.generation, last.generation),
    version: later(payload?.version, last.version),
  };
}

function planModeOf(text: string): boolean | undefined {
  const { type, payload } = messageOf(text);
  return type === "StatusUpdate" && typeof payload?.plan_mode === "boolean" ? payload.plan_mode : undefined;
}

function doNotAskOf(text: string): boolean | undefined {
  const { type, payload } = messageOf(text);
  return type === "DoNotAsk" && typeof payload?.enabled === "boolean" ? payload.enabled : undefined;
}

function agentMemoryOf(text: string, before: unknown): unknown {
  const { type, payload } = messageOf(text);
  return type === "AgentMemory" ? payload?.value : before;
}

/** A model's ids of tool calls repeat, so one id may be open several times. Any other id is one request's. */
interface Unsettled {
  readonly kind: InteractionKind;
  readonly times: number;
}

/** Reads only the type and the id of a line. A whole check would take twice as long. */
function note(text: string, open: Map<string, Unsettled>, asks: ReturnType<typeof newAsks>): void {
  const { type, payload } = messageOf(text);
  if (type === ASKED) return asks.opened(text);
  const id = payload?.request_id ?? payload?.id;
  if (typeof id !== "string") return;
  if (type === SETTLED) {
    settle(id, open);
    asks.settle(id, text);
    return;
  }
  if (type === TOUCHED) return asks.touch(id);
  const kind = type === OPENED ? kindOf(payload?.kind) : kindsByType.get(type);
  if (kind === undefined) return;
  asks.sent(id, text);
  const { times = 0 } = open.get(id) ?? {};
  open.set(id, { kind, times: kind === "tool_call" ? times + 1 : 1 });
}

const kindOf = (kind: unknown): InteractionKind | undefined =>
  typeof kind === "string" && Object.hasOwn(interactionKinds, kind) ? (kind as InteractionKind) : undefined;

function settle(id: string, open: Map<string, Unsettled>): void {
  const unsettled = open.get(id);
  if (unsettled === undefined) return;
  if (unsettled.times === 1) open.delete(id);
  else open.set(id, { ...unsettled, times: unsettled.times - 1 });
}

type Changing<T> = { -readonly [K in keyof T]?: T[K] };

/** Gathers the asks of a journal, by the ids of their requests. */
function newAsks() {
  const settled = new BoundedMap<string, SettledAsk>(MOST_ASKS);
  const open = new BoundedMap<string, Changing<LeftAsk> & Pick<LeftAsk, "asked">>(MOST_OPEN);
  return {
    opened(text: string): void {
      const record = readRecord(text);
      if (record === undefined || "problem" in record) return;
      const asked = record.payload as AskOpened;
      open.set(asked.request_id, { asked });
    },
    /** A record of its questions: ours first, then that for base clients. */
    sent(id: string, text: string): void {
      const ask = open.get(id);
      if (ask === undefined) return;
      const record = readRecord(text);
      if (record === undefined || "problem" in record) return;
      if (record.type !== OPENED) ask.isWhole = true;
      else {
        ask.opened = record.payload as InteractionOpened;
        ask.since = record.timestamp * 1000;
      }
    },
    touch(id: string): void {
      const ask = open.get(id);
      if (ask !== undefined) ask.touched = true;
    },
    settle(id: string, text: string): void {
      const ask = open.get(id);
      const record = ask && readRecord(text);
      if (ask === undefined || record === undefined || "problem" in record) return;
      open.delete(id);
      const { request_id, key, digest } = ask.asked;
      const { outcome, response } = record.payload as InteractionSettled;
      const read = validateCompiled(AskResult, { request_id: id, ...(response as object | undefined) });
      const { answers, items } = read.ok ? read.value : {};
      const answer = answers !== undefined && items !== undefined && { answer: { answers, items } };
      settled.set(id, { request_id, key, digest, outcome, ...answer });
    },
    settled: () => [...settled.values()],
    /** Those of which a crash cut off even the questions were sent to nobody. */
    open: (): LeftAsk[] =>
      [...open.values()].flatMap(({ asked, opened, since = 0, touched = false, isWhole = false }) =>
        opened === undefined ? [] : [{ asked, opened, since, touched, isWhole }],
      ),
  };
}

interface Message {
  readonly type?: unknown;
  readonly payload?: {
    readonly id?: unknown;
    readonly request_id?: unknown;
    readonly plan_mode?: unknown;
    readonly enabled?: unknown;
    readonly kind?: unknown;
    readonly generation?: unknown;
    readonly version?: unknown;
    readonly user_input?: unknown;
    readonly value?: unknown;
  } | null;
}

function messageOf(text: string): Message {
  try {
    return JSON.parse(text)?.message ?? {};
  } catch {
    return {};
  }
}
