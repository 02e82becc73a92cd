import { visibleText } from "@askwire/client/text";
import type { FoundSession } from "@askwire/server";
import type { KeptDecision } from "@askwire/server/internal";
import { clientOf, decisionJson, decisionLine, personOf } from "../audit/decision-lines.js";
import { mergedDecisions, type ToldDecision } from "../audit/merged-decisions.js";
import { readMoment } from "../audit/read-moment.js";
import type { AuditOptions } from "../command-line/audit.js";
import { HANGS, hangingRows } from "../device/hanging-rows.js";
import { columnsOf, paintFor } from "../device/paint.js";
import { keptSessionsAt, namedSessions } from "../sessions/found.js";
import { printLines } from "./print-lines.js";

/** Tells the decisions of kept sessions, the oldest first. Exit code 1 where a session cannot be read. */
export async function audit(options: AuditOptions): Promise<void> {
  const now = Date.now();
  const moment = (option: string, text: string | undefined) =>
    text === undefined ? undefined : readMoment(option, text, now);
  const since = moment("--since", options.since) ?? Number.NEGATIVE_INFINITY;
  const until = moment("--until", options.until) ?? Number.POSITIVE_INFINITY;
  const sessions = sessionsOf(options).filter(({ activeAt }) => activeAt >= since);
  const decisions = mergedDecisions(sessions, {
    wants: (decision) =>
      decision.at >= since &&
      decision.at < until &&
      (decision.outcome !== undefined || options.open === true) &&
      (options.who === undefined || isBy(decision, options.who)),
    isLater: (begunAt) => begunAt >= until,
    onUnread({ folder }, problem) {
      process.exitCode = 1;
      process.stderr.write(visibleText(`askwire: audit: ${folder}: ${problem}\n`));
    },
  });
  await printLines(options.json === true ? jsonLines(decisions) : textLines(decisions));
}

function sessionsOf({ session, workDir }: AuditOptions): FoundSession[] {
  const found = keptSessionsAt(workDir === undefined ? { all: true } : { workDir });
  return session === undefined ? found : namedSessions("audit --session", [session], found);
}

function isBy(decision: KeptDecision, who: string): boolean {
  const person = personOf(decision);
  return [person?.id, person?.name, clientOf(decision)?.name].includes(who);
}

async function* jsonLines(decisions: AsyncIterable<ToldDecision>): AsyncGenerator<string> {
  for await (const decision of decisions) yield decisionJson(decision);
}

async function* textLines(decisions: AsyncIterable<ToldDecision>): AsyncGenerator<string> {
  const paint = paintFor(process.stdout, process.env);
  let isEmpty = true;
  for await (const decision of decisions) {
    isEmpty = false;
    const line = decisionLine(decision, paint);
    const columns = columnsOf(process.stdout, process.env);
    if (columns === undefined) yield line.replace(HANGS, "");
    else yield* hangingRows(line, columns);
  }
  if (isEmpty) process.stderr.write("no decision is kept\n");
}
