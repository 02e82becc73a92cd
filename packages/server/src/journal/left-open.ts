import { defined } from "@askwire/protocol/internal";
import { type AskOpened, type InteractionOpened, type JournalRecord, validRecord } from "./entries.js";
import { type ListedOpenRequest, requestLine, type UnfinishedSession } from "./open-requests.js";
import { readPart } from "./read-part.js";

/** The bytes at the end of a journal that are looked at: what was open before is in the file of open requests. */
const TAIL_BYTES = 64 * 1024;

const relevant = /"(?:QuestionRequest|InteractionOpened|InteractionSettled|AskOpened|TurnBegin|TurnEnd)"/;

/**
 * The open requests of a session whose process ended without closing it: those that it noted last, brought up to date
 * by the end of its journal. Questions of programs outlive every turn (P-XAK-8).
 */
export function leftOpen(journal: string, noted: UnfinishedSession | undefined): UnfinishedSession {
  const open = new Map<string, ListedOpenRequest>();
  const programs = new Map<string, string>();
  const addressed = new Map<string, Pick<ListedOpenRequest, "to" | "exclusive">>();
  for (const request of noted?.open ?? []) open.set(request.request_id, request);
  let turnId = noted?.turn_id;
  for (const line of readPart(journal, { bytes: TAIL_BYTES, from: "end" }).split("\n")) {
    if (!relevant.test(line)) continue;
    // The first line may be cut, and so may the last.
    const record = validRecord(line);
    if (record === undefined) continue;
    const { type, payload } = record;
    if (type === "AskOpened") {
      const { request_id, name = "" } = payload as AskOpened;
      programs.set(request_id, name);
    } else if (type === "InteractionSettled") open.delete((payload as { request_id: string }).request_id);
    else if (type === "TurnBegin" || type === "TurnEnd") {
      for (const [id, { program }] of open) if (program === undefined) open.delete(id);
      turnId = type === "TurnBegin" ? noted?.turn_id : undefined;
    } else {
      // A question has a record of its own after this one, without its addressees.
      if (type === "InteractionOpened")
        addressed.set((payload as InteractionOpened).request_id, rowOf(payload));
      const request = openedBy(record);
      if (request === undefined || open.has(request.request_id)) continue;
      const { request_id: id } = request;
      open.set(id, { ...request, ...defined({ program: programs.get(id) }), ...addressed.get(id) });
    }
  }
  return { ...defined({ agent: noted?.agent, turn_id: turnId }), open: [...open.values()] };
}

/** The members of a row that say for whom a request is (P-XTO-4). */
function rowOf(payload: JournalRecord["payload"]): Pick<ListedOpenRequest, "to" | "exclusive"> {
  const { to, exclusive } = (payload as InteractionOpened).addressed ?? {};
  return { ...defined({ to }), ...(exclusive === true && { exclusive }) };
}

/** The request that a record reports; undefined for calls of tools and hooks, which no person answers. */
function openedBy({ type, payload, timestamp }: Omit<JournalRecord, "line">): ListedOpenRequest | undefined {
  const since = new Date(timestamp * 1000).toISOString();
  if (type === "QuestionRequest") {
    const question = payload as { readonly id: string } & Parameters<typeof requestLine>[0];
    return { request_id: question.id, kind: "question", text: requestLine(question), since };
  }
  if (type !== "InteractionOpened") return undefined;
  const { request_id, kind, request } = payload as InteractionOpened & {
    readonly request: Parameters<typeof requestLine>[0] & { readonly quorum?: number };
  };
  if (kind !== "approval") return undefined;
  return { request_id, kind, text: requestLine(request), since, ...defined({ quorum: request.quorum }) };
}
