import { Addressees, OldestRequest } from "@askwire/protocol";
import * as z from "@askwire/protocol/internal";
import { addressedOf } from "../profiles/extended-profile.js";
import type { PersonRequest } from "../requests/core.js";
import { shortLine } from "../runtime/short-line.js";

/** The members of a row that say for whom a request is (P-XTO-4). */
const addressedRow = {
  to: z.optional(Addressees),
  exclusive: z.optional(z.literal(true)),
  escalated: z.optional(z.number()),
  /** The time of the next step, in ISO 8601. */
  escalates_at: z.optional(z.string()),
};

/** An open question or approval, as lists of sessions show it. */
export const ListedOpenRequest = z.looseObject({
  ...OldestRequest.shape,
  /** The end of the person's time, in ISO 8601. */
  deadline: z.optional(z.string()),
  /** The name of the connected program that asks. */
  program: z.optional(z.string()),
  /** The number of people who have to approve, where it is more than one (P-XQU-3). */
  quorum: z.optional(z.number()),
  ...addressedRow,
});
export type ListedOpenRequest = z.output<typeof ListedOpenRequest>;

/** A kept request in the members that lists show. */
export function keptRow(row: ListedOpenRequest): ListedOpenRequest {
  const { request_id, kind, text, since, deadline, program, quorum } = row;
  const { to, exclusive, escalated, escalates_at } = row;
  const more = { deadline, program, quorum, to, exclusive, escalated, escalates_at };
  return { request_id, kind, text, since, ...z.defined(more) };
}

/** The open requests of a session, oldest first, and the turn that is not over (P-KPT-1). */
export const UnfinishedSession = z.looseObject({
  turn_id: z.optional(z.string()),
  /** The name that the server has for its agent. */
  agent: z.optional(z.string()),
  open: z.array(ListedOpenRequest),
});
export type UnfinishedSession = z.output<typeof UnfinishedSession>;

/** The most UTF-16 units of the text of an open request. */
const MAX_TEXT = 200;

/** The words by which a list shows a request: the first question, or what is to be approved. */
export const requestLine = (
  request:
    | { readonly questions: readonly { readonly question: string }[] }
    | { readonly description: string; readonly action: string },
): string =>
  shortLine(
    "questions" in request
      ? (request.questions[0]?.question ?? "")
      : request.description.trim() || request.action,
    MAX_TEXT,
  );

/** An open question or approval as lists show it (P-XSE-4, P-KPT-1). */
export function openRequest(request: PersonRequest, since: number): ListedOpenRequest {
  const deadline = request.kind === "question" ? request.deadline?.wire?.at : undefined;
  const program = request.program?.by.name;
  const quorum = request.kind === "approval" ? request.quorum?.needed : undefined;
  const escalates = request.addressing?.nextAt;
  return {
    ...oldestRequest(request, since),
    ...(deadline !== undefined && { deadline }),
    ...(program !== undefined && { program: shortLine(program, MAX_TEXT) }),
    ...(quorum !== undefined && { quorum }),
    ...addressedOf(request),
    ...(escalates !== undefined && { escalates_at: new Date(escalates).toISOString() }),
  };
}

/** The oldest open request of a session, as lists on the wire show it (P-XSE-4). */
export const oldestRequest = (request: PersonRequest, since: number): OldestRequest => ({
  request_id: request.id,
  kind: request.kind,
  text: requestLine(request),
  since: new Date(since).toISOString(),
});

/** The row of a found session, as far as it tells what is left in it. */
interface LeftInRow {
  readonly turnId?: string | undefined;
  readonly agent?: string | undefined;
  readonly open: readonly ListedOpenRequest[];
}

/** The list of what is open in a found session; null where nothing is, and no turn is left. */
export const unfinishedOf = ({ turnId, agent, open }: LeftInRow): UnfinishedSession | null =>
  open.length === 0 && turnId === undefined
    ? null
    : { ...z.defined({ turn_id: turnId, agent }), open: [...open] };
