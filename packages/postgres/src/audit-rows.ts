import { defined, jsonText } from "@askwire/protocol/internal";
import type { StoredCommit } from "@askwire/server";
import {
  answeredWords,
  askedWords,
  type DecisionRecord,
  decisionInLine,
  requestDigest,
} from "@askwire/server/internal";

/** A row of the table `audit`, by the names of its columns, without those of its session. */
export type AuditRow = Readonly<Record<string, string | number | undefined>>;

/** The rows that the lines of commits make, as JSON; undefined where no line has a part of a decision. */
export function auditRows(commits: readonly StoredCommit[]): string | undefined {
  const rows = commits.flatMap(({ lines }, n) => {
    const audited = new AuditedLines();
    return lines.flatMap((line, place) => {
      const row = audited.row(line);
      return row === undefined ? [] : [{ commit: n + 1, place, ...row }];
    });
  });
  return rows.length === 0 ? undefined : rowsText(rows);
}

/** Rows as the functions of the schema read them. */
export const rowsText = (rows: readonly AuditRow[]): string => jsonText(rows);

/** Makes rows of the lines of one session, in their order. */
export class AuditedLines {
  /** The program that asks, of the line right before its request. */
  #program: Pick<DecisionRecord, "requestId" | "program"> | undefined;

  /** The row of a line; undefined where it has no part of a decision. */
  row(line: string): AuditRow | undefined {
    const record = decisionInLine(line);
    if (record === undefined) return undefined;
    if (record.what === "program") {
      this.#program = record;
      return undefined;
    }
    const program = this.#program?.requestId === record.requestId ? this.#program?.program : undefined;
    return withoutNul({ ...auditRow(record), ...defined({ program }) });
  }
}

function auditRow(record: DecisionRecord): AuditRow {
  const { what, kind, requestId, callId, request, outcome, rule, answerId, response, forgotten } = record;
  const principal = outcome?.by === "human" ? outcome.principal : undefined;
  const client = outcome?.by === "human" ? outcome.client : undefined;
  return {
    ...{ what, kind },
    ...defined({ request_id: requestId, tool_call_id: callId, rule, answer_id: answerId }),
    ...(request !== undefined && {
      ...{ asked: askedWords(request), digest: requestDigest(request), request: jsonText(request) },
    }),
    ...(response !== undefined && { response: jsonText(response as object) }),
    ...defined({
      status: outcome?.status,
      reason: outcome?.reason,
      decided_by: outcome?.by,
      note: outcome?.note,
    }),
    // An answer is told by the request that it belongs to, of which this line may have nothing.
    ...((outcome?.status === "answered" || what === "voted") && { answer: answeredWords(record) }),
    ...defined({
      who_id: principal?.id,
      who: principal?.name,
      via: principal?.via ?? forgotten?.via,
      device: principal?.device,
      client: client?.name,
      connection: client?.connection,
      forgotten: forgotten?.digest,
    }),
  };
}

/** A row as the engine can keep it: it holds no U+0000 in a text. */
const withoutNul = (row: AuditRow): AuditRow =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === "string" ? value.replaceAll("\0", "\ufffd") : value,
    ]),
  );
