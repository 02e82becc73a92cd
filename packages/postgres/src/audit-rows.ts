import { defined, jsonText } from "@askwire/protocol/internal";
import type { StoredCommit } from "@askwire/server";
import { answeredWords, askedWords, decisionInLine, requestDigest } from "@askwire/server/internal";

/** A row of the table `audit`, by the names of its columns, without those of its session. */
type AuditRow = Readonly<Record<string, string | number | undefined>>;

/** The rows that the lines of commits make, as JSON; undefined where no line has a part of a decision. */
export function auditRows(commits: readonly StoredCommit[]): string | undefined {
  const rows = commits.flatMap(({ lines }, n) =>
    lines.flatMap((line, place) => {
      const row = auditRow(line);
      return row === undefined ? [] : [{ commit: n + 1, place, ...row }];
    }),
  );
  return rows.length === 0 ? undefined : jsonText(rows.map(withoutNul));
}

function auditRow(line: string): AuditRow | undefined {
  const record = decisionInLine(line);
  if (record === undefined) return undefined;
  const { what, kind, requestId, callId, request, outcome, rule, answerId } = record;
  const principal = outcome?.by === "human" ? outcome.principal : undefined;
  return {
    ...{ what, kind },
    ...defined({ request_id: requestId, tool_call_id: callId, rule, answer_id: answerId }),
    ...(request !== undefined && { asked: askedWords(request), digest: requestDigest(request) }),
    ...defined({
      status: outcome?.status,
      reason: outcome?.reason,
      decided_by: outcome?.by,
      note: outcome?.note,
    }),
    // An answer is told by the request that it belongs to, of which this line may have nothing.
    ...(outcome?.status === "answered" && { answer: answeredWords(record) }),
    ...defined({
      who_id: principal?.id,
      who: principal?.name,
      via: principal?.via,
      device: principal?.device,
      client: outcome?.by === "human" ? outcome.client?.name : undefined,
    }),
  };
}

/** The engine holds no U+0000 in a text. */
const withoutNul = (row: AuditRow): AuditRow =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === "string" ? value.replaceAll("\0", "\ufffd") : value,
    ]),
  );
