import { defined } from "@askwire/protocol/internal";
import type { StoredDecision } from "./stored-audit.js";

/** A row of the views `decision` and `open_request`, the second of which has fewer columns. */
export interface DecisionRow {
  /** A bigint, which comes as text. */
  readonly number: string;
  /** The time to its last digit. */
  readonly place: string;
  readonly at_ms: string;
  readonly asked_at?: Date | null;
  readonly session_id: string;
  readonly title: string | null;
  readonly work_dir: string | null;
  readonly kind: "question" | "approval";
  readonly [text: string]: unknown;
}

/** A row as a decision; one without an outcome is open. */
export function decisionOf(row: DecisionRow): StoredDecision {
  const at = Number(row.at_ms);
  const isOpen = !("status" in row);
  const text = (name: string) => (row[name] as string | null | undefined) ?? undefined;
  const via = text("via");
  const client = text("client");
  return {
    session: {
      id: row.session_id,
      ...defined({ title: row.title ?? undefined, workDir: row.work_dir ?? undefined }),
    },
    at,
    ...defined({
      askedAt: isOpen ? at : row.asked_at?.getTime(),
      kind: row.kind,
      ...{ requestId: text("request_id"), callId: text("tool_call_id"), program: text("program") },
      ...{
        asked: text("asked"),
        digest: text("digest"),
        request: text("request"),
        response: text("response"),
      },
      ...{ status: text("status"), reason: text("reason"), by: text("decided_by"), rule: text("rule") },
      ...{
        answer: text("answer"),
        note: text("note"),
        answerId: text("answer_id"),
        forgotten: text("forgotten"),
      },
      who: via && {
        ...defined({ id: text("who_id"), name: text("who") }),
        via,
        ...defined({ device: text("device") }),
      },
      client: client && { name: client, ...defined({ connection: text("connection") }) },
    }),
  } as StoredDecision;
}
