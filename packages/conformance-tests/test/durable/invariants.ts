import type { Message } from "@askwire/server";
import type { Spoken } from "./conversation.js";
import { type JournalRecord, linesOf, payloadsOf } from "./journal-records.js";
import type { Person } from "./people.js";

/** Each invariant gives the breaches that it finds, as sentences; none if it holds. */
type Breaches = readonly string[];

/** The values that occur more often than so many times, with a sentence for each. */
function moreThan(most: number, values: readonly unknown[], says: (value: string) => string): Breaches {
  const times = new Map<string, number>();
  for (const value of values) times.set(String(value), (times.get(String(value)) ?? 0) + 1);
  return [...times]
    .filter(([, count]) => count > most)
    .map(([value, count]) => `${says(value)} ${count} times`);
}

const settledIds = (records: readonly JournalRecord[]) =>
  payloadsOf(records, "InteractionSettled").map(({ request_id }) => request_id);

/** I-1: no request has two settlements. */
export const settledAtMostOnce = (records: readonly JournalRecord[]): Breaches =>
  moreThan(1, settledIds(records), (id) => `request ${id} is settled`);

/** I-1, after the end: each request that was opened has a settlement. */
export function allSettled(records: readonly JournalRecord[]): Breaches {
  const settled = new Set(settledIds(records));
  return payloadsOf(records, "InteractionOpened")
    .filter(({ request_id }) => !settled.has(request_id))
    .map(({ request_id }) => `request ${request_id} is not settled`);
}

/** A settlement as a client is told it. */
interface Settled {
  readonly kind?: string;
  readonly outcome: { readonly at?: unknown };
  readonly response?: unknown;
}

/** The answers of extended clients that the server took, by the reply. */
function acknowledged(lines: readonly Spoken[]) {
  const said = new Map<string, { request_id: string; answer_id: string }>();
  const taken: { request_id: string; answer_id: string; status: string; result: Settled }[] = [];
  for (const { connection, by, message } of lines) {
    const key = `${connection} ${message.id}`;
    if (by === "client" && message.method === "answer") said.set(key, message.params);
    const params = by === "server" && message.method === undefined ? said.get(key) : undefined;
    if (params !== undefined && message.result !== undefined) {
      taken.push({ ...params, status: message.result.outcome.status, result: message.result });
    }
  }
  return taken;
}

/** I-2: an answer that was acknowledged is the settlement of its request. */
export function acknowledgedCounts(records: readonly JournalRecord[], lines: readonly Spoken[]): Breaches {
  const settlements = payloadsOf(records, "InteractionSettled");
  return acknowledged(lines)
    .filter(
      ({ request_id, answer_id, status }) =>
        !settlements.some(
          (settled) =>
            settled.request_id === request_id &&
            settled.answer_id === answer_id &&
            (settled.outcome as { status?: unknown }).status === status,
        ),
    )
    .map(({ request_id }) => `the answer to ${request_id} was acknowledged and is not its settlement`);
}

/** I-3: everybody who was told a settlement was told the same, which is the one in the journal. */
export function toldTheSame(records: readonly JournalRecord[], lines: readonly Spoken[]): Breaches {
  const told = new Map<string, Set<string>>();
  const add = (id: string, what: unknown) =>
    told.set(id, (told.get(id) ?? new Set()).add(JSON.stringify(what)));
  for (const { request_id, outcome, response } of payloadsOf(records, "InteractionSettled")) {
    add(String(request_id), [(outcome as { at?: unknown }).at, response]);
  }
  for (const { by, message } of lines) {
    if (by !== "server" || message.params?.type !== "InteractionSettled") continue;
    const { request_id, outcome, response, kind } = message.params.payload;
    if (kind === "question" || kind === "approval") add(request_id, [outcome.at, response]);
  }
  // The first reply to an answer has all of it, a repeated one the outcome.
  for (const { request_id, result } of acknowledged(lines))
    if (result.kind !== undefined) add(request_id, [result.outcome.at, result.response]);
  return [...told].filter(([, ways]) => ways.size > 1).map(([id]) => `${id} was told in different ways`);
}

/**
 * I-4: a request keeps its id, and is put before a person in the extended profile once, in the base profile at most
 * twice more for each crash: when their client comes back, and when its first prompt joins the turn (P-KPT-4).
 */
export function askedOnce(people: readonly Person[], crashes: number): Breaches {
  const again = people.flatMap(({ name, profile, asked }) => {
    const most = profile === "extended" ? 1 : 1 + 2 * crashes;
    return moreThan(
      most,
      asked.map(({ what }) => what),
      (what) => `${name} was asked "${what}"`,
    );
  });
  const ids = new Set(people.flatMap(({ asked }) => asked.map(({ id, what }) => `${what}\n${id}`)));
  const renamed = moreThan(
    1,
    [...ids].map((text) => text.split("\n")[0]),
    (what) => `"${what}" had another id:`,
  );
  return [...again, ...renamed];
}

/** I-5: no call has two effects, or two results in the journal. */
export const ranAtMostOnce = (records: readonly JournalRecord[], effects: readonly string[]): Breaches => [
  ...moreThan(1, effects, (effect) => `${effect} was done`),
  ...moreThan(
    1,
    payloadsOf(records, "ToolResult").map(({ tool_call_id }) => tool_call_id),
    (id) => `call ${id} has a result`,
  ),
];

/** I-5: a result that was told is in the journal. */
export function toldResultsAreKept(records: readonly JournalRecord[], lines: readonly Spoken[]): Breaches {
  const kept = new Set(payloadsOf(records, "ToolResult").map((payload) => payload.tool_call_id));
  const told = lines.filter(({ message }) => message.params?.type === "ToolResult");
  const missing = told
    .map(({ message }) => message.params.payload.tool_call_id)
    .filter((id) => !kept.has(id));
  return [...new Set(missing)].map((id) => `the result of ${id} was told and is not kept`);
}

/** The result of the call that writes the file. */
export const isOfWriting = ({ type, payload }: JournalRecord) =>
  type === "ToolResult" && payload.tool_call_id === "tc-3";

/** True where nobody knows if the file was written: the process ended after that was approved. */
export function isInDoubt(records: readonly JournalRecord[]): boolean {
  const isApproved = records.some(
    ({ type, payload }) => type === "InteractionSettled" && payload.kind === "approval",
  );
  const result = records.find(isOfWriting)?.payload.return_value as { is_error?: boolean } | undefined;
  return isApproved && result?.is_error === true;
}

/**
 * The records that every run of a conversation has, in the same order, without ids and times. A call that a crash cut
 * off before the end of its step is told a second time.
 */
function essence(records: readonly JournalRecord[]): string[] {
  const told = records.flatMap(({ type, payload }) => {
    switch (type) {
      case "TurnBegin":
      case "TurnEnd":
        return [type];
      case "ToolCall":
        return [`${type} ${payload.id}`];
      case "QuestionRequest":
        return [`${type} ${payload.tool_call_id}`];
      case "InteractionSettled": {
        const { status } = payload.outcome as { status: string };
        return [`${type} ${payload.kind} ${status} ${JSON.stringify(payload.response)}`];
      }
      case "ToolResult":
        return [`${type} ${payload.tool_call_id} ${JSON.stringify(payload.return_value)}`];
      default:
        return [];
    }
  });
  return told.filter((one, index) => !one.startsWith("ToolCall ") || told.indexOf(one) === index);
}

/**
 * I-7, I-11: a journal tells the same conversation as an undisturbed one.
 *
 * @param ordered false for calls of one step, which end in any order. Default: true.
 */
export function sameConversation(
  records: readonly JournalRecord[],
  undisturbed: readonly JournalRecord[],
  ordered = true,
): Breaches {
  const read = (some: readonly JournalRecord[]) => (ordered ? essence(some) : essence(some).sort());
  const [found, expected] = [read(records), read(undisturbed)];
  const missing = expected.filter((told) => !found.includes(told));
  const more = found.filter((told) => !expected.includes(told));
  const isSame = found.join("\n") === expected.join("\n");
  return isSame
    ? []
    : [`the journal lacks ${JSON.stringify(missing)} and has ${JSON.stringify(more)} in ${found.length}`];
}

/** I-8: a prompt begins one turn, also if it is sent again; a turn ends once. */
export const oneTurnEach = (records: readonly JournalRecord[]): Breaches =>
  ["TurnOpened", "TurnEnded"].flatMap((type) =>
    moreThan(
      1,
      payloadsOf(records, type).map(({ turn_id }) => turn_id),
      (id) => `turn ${id} has a ${type}`,
    ),
  );

/** I-9: in what a model is given, each call has one result, before anything else is said. */
export function validConversation(messages: readonly Message[]): Breaches {
  const breaches: string[] = [];
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === "tool") {
      const { tool_call_id: id } = message;
      if (!open.includes(id)) breaches.push(`a result of ${id} has no call`);
      open = open.filter((other) => other !== id);
      continue;
    }
    breaches.push(...open.map((id) => `call ${id} has no result`));
    open = message.role === "assistant" ? message.tool_calls.map(({ id }) => id) : [];
  }
  return [...breaches, ...open.map((id) => `call ${id} has no result`)];
}

/** I-9: the model was given every answer that the journal has. */
export function knowsEveryAnswer(records: readonly JournalRecord[], messages: readonly Message[]): Breaches {
  const text = JSON.stringify(messages);
  return payloadsOf(records, "InteractionSettled").flatMap(({ kind, response }) => {
    if (kind !== "question") return [];
    const { answers = {} } = (response ?? {}) as { answers?: Record<string, string> };
    return Object.entries(answers)
      .filter(([, answer]) => !text.includes(answer))
      .map(([question]) => `the model does not know the answer to "${question}"`);
  });
}

/** A deadline as it was set, and as it was told after a restart, in milliseconds. */
export interface ToldDeadline {
  readonly ms: number;
  readonly left: number;
}

/** The least time for an answer after a restart, in milliseconds. */
const FLOOR_MS = 60_000;

/** I-10: nobody's time is shorter after a restart than a minute, or than it ever was. */
export const fairDeadlines = (told: readonly ToldDeadline[]): Breaches =>
  told
    .filter(({ ms, left }) => left < Math.min(ms, FLOOR_MS) || left > ms)
    .map(({ ms, left }) => `${left} ms are left of ${ms} ms`);

/** I-12: each line is a header or a record, so that Kimi's readers read the file. */
export const everyLineIsARecord = (journal: string): Breaches =>
  linesOf(journal)
    .filter((line) => !isRecord(line))
    .map((line) => `no record: ${line.slice(0, 80)}`);

function isRecord(line: string): boolean {
  try {
    const { type, timestamp, message } = JSON.parse(line);
    if (type === "metadata") return true;
    return typeof timestamp === "number" && typeof message.type === "string" && "payload" in message;
  } catch {
    return false;
  }
}

/** Each answer in the journal was said by a person, in these words. */
export function noneInvented(
  records: readonly JournalRecord[],
  said: Readonly<Record<string, string>>,
): Breaches {
  return payloadsOf(records, "InteractionSettled").flatMap(({ kind, outcome, response }) => {
    if ((outcome as { status: string }).status !== "answered") return [];
    if (kind === "approval") {
      return (response as { response?: string }).response === "approve" ? [] : ["an approval was invented"];
    }
    const { answers = {} } = (response ?? {}) as { answers?: Record<string, string> };
    return Object.entries(answers)
      .filter(([question, answer]) => said[question] !== answer)
      .map(([question]) => `an answer to "${question}" was invented`);
  });
}
