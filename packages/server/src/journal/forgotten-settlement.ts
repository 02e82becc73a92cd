import { createHash } from "node:crypto";
import { defined, jsonText } from "@askwire/protocol/internal";
import { sorted } from "../requests/same-request.js";
import { validRecord } from "./entries.js";
import { beginsRecord, type RawPayload } from "./raw-record.js";

const relevant = new Set(["InteractionSettled", "InteractionVoted"]);
/** The UTF-16 units at the beginning of a line by which its type is told. */
const LINE_BEGINNING = 100;
/** The beginning of a record up to its payload, as we write it. */
const frame = /^\{"timestamp": ?[\d.]+, ?"message": ?\{"type": ?"\w+", ?"payload": ?(?=\{)/;

/** A line without the words of a person, and the id of its request. */
export interface ForgottenLine {
  readonly text: string;
  readonly requestId: string;
}

/**
 * A line of a journal without the name and the words of one person: the digests stay in their place. Undefined for a line
 * that has no answer of that person.
 *
 * @param who the id or the name of a person by the word of the server's door.
 */
export function forgottenLine(line: string, who: string): ForgottenLine | undefined {
  if (!beginsRecord(line.slice(0, LINE_BEGINNING), relevant)) return undefined;
  const type = validRecord(line)?.type;
  if (type !== "InteractionSettled" && type !== "InteractionVoted") return undefined;
  const whole = JSON.parse(line);
  const payload = whole.message.payload as RawPayload;
  const without = type === "InteractionVoted" ? voteWithout(payload, who) : settlementWithout(payload, who);
  if (without === undefined) return undefined;
  const [lead] = frame.exec(line) ?? [];
  const text =
    lead === undefined
      ? jsonText({ ...whole, message: { ...whole.message, payload: without } })
      : `${lead}${jsonText(without)}}}`;
  return { text, requestId: String(payload.request_id) };
}

const isOf = (principal: unknown, who: string): boolean => {
  const { id, name } = (principal ?? {}) as RawPayload;
  return id === who || name === who;
};

/** A settlement without a person who answered, or who was one of several to approve. */
function settlementWithout(payload: RawPayload, who: string): object | undefined {
  const { kind, outcome, response } = payload as { kind: unknown; outcome: RawPayload; response: unknown };
  const { principal, client, note, ...others } = outcome;
  const approvers = (others.approved_by ?? []) as RawPayload[];
  const approvedBy = approvers.map((by) => (isOf(by.principal, who) ? approverWithout(by) : by));
  const rest: RawPayload = { ...others, ...(approvers.length > 0 && { approved_by: approvedBy }) };
  if ((kind !== "question" && kind !== "approval") || rest.by !== "human") return undefined;
  if (!isOf(principal, who))
    return approvers.some((by) => isOf(by.principal, who))
      ? { ...payload, outcome: { ...outcome, ...rest } }
      : undefined;
  const { via } = (principal ?? {}) as RawPayload;
  const removed = defined({ principal, client, note, response });
  return {
    ...payload,
    outcome: { ...rest, ...(typeof note === "string" && { note: textDigest(note) }) },
    ...(response !== undefined && { response: withoutWords(kind, response as RawPayload) }),
    forgotten: { digest: textDigest(jsonText(sorted(removed) as object)), ...defined({ via }) },
  };
}

/** The approval of one of several without that person. */
function voteWithout(payload: RawPayload, who: string): object | undefined {
  const { by, response } = payload as { by: RawPayload; response: RawPayload };
  if (!isOf(by.principal, who)) return undefined;
  const { via } = by.principal as RawPayload;
  return {
    ...payload,
    by: approverWithout(by),
    response: withoutWords("approval", response),
    forgotten: { digest: textDigest(jsonText(sorted({ by, response }) as object)), ...defined({ via }) },
  };
}

/** One of several who approved, by the digest of their id. */
function approverWithout({ principal, at, note, feedback }: RawPayload): object {
  const { id, via } = principal as RawPayload;
  const digest = textDigest(String(id));
  const person = { id: digest, name: digest, via };
  return {
    ...{ name: "", connection: "", principal: person, at },
    ...(typeof note === "string" && { note: textDigest(note) }),
    ...(typeof feedback === "string" && { feedback: textDigest(feedback) }),
  };
}

/** The SHA-256 of a text, as it stands in the place of the text. */
const textDigest = (text: string): string => `sha256:${createHash("sha256").update(text).digest("hex")}`;

/** An answer of the same form, which resumption and clients read as before. That an approval was given stays. */
function withoutWords(kind: "question" | "approval", answer: RawPayload): object {
  if (kind === "approval") {
    const { response, feedback } = answer;
    return {
      response,
      feedback: typeof feedback === "string" && feedback !== "" ? textDigest(feedback) : "",
    };
  }
  const answers = Object.entries((answer.answers ?? {}) as RawPayload).map(([question, text]) => [
    question,
    textDigest(String(text)),
  ]);
  return { answers: Object.fromEntries(answers), items: [] };
}
