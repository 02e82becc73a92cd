import type { AuditMembers } from "@askwire/client/decisions";
import { answeredWords, askedWords, type KeptDecision, requestDigest } from "@askwire/server/internal";
import { oneLine } from "../device/fitted-text.js";
import { HANGS } from "../device/hanging-rows.js";
import type { Paint } from "../device/paint.js";
import type { DecisionWords, ToldDecision } from "./merged-decisions.js";

/** The words for those who end a request where no person does, by `by` of its outcome. */
const causes = { policy: "a rule", timer: "the deadline", system: "the server", hook: "a hook" } as const;

/** The person by the word of the server's door, as far as an outcome has one. */
export function personOf({ outcome }: KeptDecision) {
  const principal = outcome?.by === "human" ? outcome.principal : undefined;
  return typeof principal?.name === "string" ? principal : undefined;
}

/** The name that the client gives itself that answered. */
export const clientOf = ({ outcome }: KeptDecision) => (outcome?.by === "human" ? outcome.client : undefined);

/** The words of a decision: those of its request and its answer, or those that stand in their place. */
function wordsOf({ decision, words }: ToldDecision): DecisionWords {
  const { request, response } = decision;
  return {
    ...words,
    ...(request !== undefined && { asked: askedWords(request), digest: requestDigest(request) }),
    ...(response !== undefined && words?.answer === undefined && { answer: answeredWords(decision) }),
  };
}

/** The members of a decision, which docs/audit.md has. Each is there, with null where there is nothing. */
export function decisionMembers(told: ToldDecision): AuditMembers {
  const { session, decision, isCut } = told;
  const { at, askedAt, request, outcome } = decision;
  const { asked, digest, answer } = wordsOf(told);
  const person = personOf(decision);
  return {
    at: outcome === undefined ? null : isoTime(at),
    asked_at: askedAt === undefined ? null : isoTime(askedAt),
    session: session.id,
    title: session.title ?? null,
    folder: session.workDir ?? null,
    kind: decision.kind,
    request_id: decision.requestId ?? null,
    tool_call_id: decision.callId ?? null,
    program: decision.program ?? null,
    asked: asked ?? null,
    digest: digest ?? null,
    request: request ?? null,
    status: outcome?.status ?? "open",
    reason: outcome?.reason ?? null,
    by: outcome?.by ?? null,
    rule: decision.rule ?? null,
    answer: answer || null,
    response: decision.response ?? null,
    note: outcome?.note ?? null,
    who: person ?? (decision.forgotten?.via === undefined ? null : { via: decision.forgotten.via }),
    client: clientOf(decision) ?? null,
    answer_id: decision.answerId ?? null,
    forgotten: decision.forgotten?.digest ?? null,
    ...(isCut && { cut: true }),
  };
}

const isoTime = (at: number) => new Date(at).toISOString();

/** The widths of the columns before the words. */
const STATUS_WIDTH = 11;
const WHO_WIDTH = 20;

/** A decision as a line for people, with a mark from which on it hangs at a terminal. */
export function decisionLine(told: ToldDecision, paint: Paint): string {
  const { session, decision } = told;
  const { asked, answer = "" } = wordsOf(told);
  const status = statusText(decision);
  const lead = [
    localTime(decision.at),
    paint(colourOf(status), status.padEnd(STATUS_WIDTH)),
    oneLine(whoText(decision)).padEnd(WHO_WIDTH),
  ].join("  ");
  const question = oneLine(asked || "a request that the session does not have");
  const said = paint("dim", `[${oneLine(session.title ?? session.id)}]`);
  return `${lead}  ${HANGS}${question}${oneLine(cameText(decision, answer))}  ${said}`;
}

function statusText({ kind, outcome, response }: KeptDecision): string {
  const { status = "open" } = outcome ?? {};
  if (kind === "question" || status !== "answered") return status;
  return (response as { response?: unknown } | undefined)?.response === "reject" ? "rejected" : "approved";
}

const colourOf = (status: string) =>
  status === "answered" || status === "approved" ? "green" : status === "rejected" ? "red" : "yellow";

function whoText(decision: KeptDecision): string {
  const { outcome, rule, forgotten } = decision;
  if (outcome === undefined) return "";
  if (rule !== undefined) return `a rule: ${rule}`;
  if (outcome.by !== "human") return causes[outcome.by];
  const person = personOf(decision);
  if (person !== undefined) return `${person.name} (${person.device ?? person.via})`;
  if (forgotten !== undefined) return `removed${forgotten.via === undefined ? "" : ` (${forgotten.via})`}`;
  const client = clientOf(decision);
  return client === undefined ? "somebody" : `says to be ${client.name}`;
}

function cameText(decision: KeptDecision, words: string): string {
  const answer = words === statusText(decision) ? "" : words;
  const why = [decision.outcome?.reason, decision.outcome?.note].filter((text) => text !== undefined);
  return `${answer === "" ? "" : ` → ${answer}`}${why.length === 0 ? "" : ` (${why.join(": ")})`}`;
}

/** A time of this machine, to the minute. */
function localTime(at: number): string {
  const date = new Date(at);
  const two = (number: number) => String(number).padStart(2, "0");
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-");
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
