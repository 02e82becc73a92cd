import { createHash } from "node:crypto";
import { defined, jsonText } from "@askwire/protocol/internal";
import { sorted } from "../requests/same-request.js";
import { validRecord } from "./entries.js";
import { beginsRecord, type RawPayload } from "./raw-record.js";

const settled = new Set(["InteractionSettled"]);
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
  if (
    !beginsRecord(line.slice(0, LINE_BEGINNING), settled) ||
    validRecord(line)?.type !== "InteractionSettled"
  )
    return undefined;
  const whole = JSON.parse(line);
  const payload = whole.message.payload as RawPayload;
  const { kind, outcome, response } = payload as { kind: unknown; outcome: RawPayload; response: unknown };
  const { principal, client, note, ...rest } = outcome;
  const { id, name, via } = (principal ?? {}) as RawPayload;
  if ((kind !== "question" && kind !== "approval") || rest.by !== "human" || ![id, name].includes(who))
    return undefined;
  const removed = defined({ principal, client, note, response });
  const without = {
    ...payload,
    outcome: { ...rest, ...(typeof note === "string" && { note: textDigest(note) }) },
    ...(response !== undefined && { response: withoutWords(kind, response as RawPayload) }),
    forgotten: { digest: textDigest(jsonText(sorted(removed) as object)), ...defined({ via }) },
  };
  const [lead] = frame.exec(line) ?? [];
  const text =
    lead === undefined
      ? jsonText({ ...whole, message: { ...whole.message, payload: without } })
      : `${lead}${jsonText(without)}}}`;
  return { text, requestId: String(payload.request_id) };
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
