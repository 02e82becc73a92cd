import type { HeardDecision } from "./heard-decision.js";

/** The members of a decision as `askwire audit --json` prints them: each is there, with null where there is nothing. */
export type AuditMembers = Readonly<Record<(typeof members)[number], unknown>>;

const members = [
  ...["at", "asked_at", "session", "title", "folder", "kind", "request_id", "tool_call_id", "program"],
  ...["asked", "digest", "request", "status", "reason", "by", "rule", "answer", "response", "note", "who"],
  ...["client", "answer_id", "forgotten"],
] as const;

/** A decision as {@link AuditMembers}; with `cut: true` where the server cut it. */
export function auditMembers({ session_id: session, cut, ...row }: HeardDecision): AuditMembers {
  const given: Readonly<Record<string, unknown>> = { ...row, session };
  const all = Object.fromEntries(members.map((name) => [name, given[name] ?? null]));
  return { ...all, ...(cut && { cut }) } as AuditMembers;
}

/** The columns of a table of decisions, in their order. */
const columns = [
  ...["at", "asked_at", "kind", "status", "reason", "by", "rule", "who", "who_id", "via", "device", "client"],
  ...["program", "asked", "answer", "note", "title", "folder", "session", "request_id", "tool_call_id"],
  ...["answer_id", "digest", "forgotten"],
] as const;

/** The first line of a table of decisions as CSV, without an end of line. */
export const csvHead: string = columns.join(",");

/**
 * A decision as a line of CSV (RFC 4180), without an end of line, which is CR LF. Each cell is quoted. A text that a
 * spreadsheet would take for a formula has an apostrophe before it, also within a cell, behind a semicolon, a tab or an
 * end of line, where other separators are set.
 */
export function csvLine(decision: AuditMembers): string {
  const { id: who_id, name: who, via, device } = Object(decision.who);
  const { name: client } = Object(decision.client);
  const cells: Readonly<Record<string, unknown>> = { ...decision, who, who_id, via, device, client };
  return columns.map((name) => csvCell(cells[name])).join(",");
}

/** The characters by which spreadsheets know a formula at the beginning of a cell, or behind blanks there. */
const formula = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;
/** A formula where a spreadsheet divides cells at semicolons, tabs or ends of lines, quoted or not. */
const formulaWithin = /([;\t\r\n][\s"]*)(?=[=+\-@＝＋－＠])/g;

function csvCell(value: unknown): string {
  const text = typeof value === "string" ? value.replaceAll("\0", "\ufffd") : "";
  const told = (formula.test(text) ? `'${text}` : text).replace(formulaWithin, "$1'");
  return `"${told.replaceAll('"', '""')}"`;
}
