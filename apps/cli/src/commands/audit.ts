import { resolve } from "node:path";
import { csvHead, csvLine } from "@askwire/client/decisions";
import { visibleText } from "@askwire/client/text";
import type { StoredAudit, StoredDecisionQuery } from "@askwire/postgres";
import { defined } from "@askwire/protocol/internal";
import type { FoundSession } from "@askwire/server";
import { hasWords, type KeptDecision } from "@askwire/server/internal";
import { clientOf, decisionLine, decisionMembers, personOf } from "../audit/decision-lines.js";
import { decisionsAtServer } from "../audit/decisions-at-server.js";
import { mergedDecisions, type ToldDecision } from "../audit/merged-decisions.js";
import { readMoment } from "../audit/read-moment.js";
import { decisionsInStore } from "../audit/stored-decisions.js";
import type { AuditOptions } from "../command-line/audit.js";
import { HANGS, hangingRows } from "../device/hanging-rows.js";
import { columnsOf, paintFor } from "../device/paint.js";
import { checkedAddress, hasToken } from "../input/addresses.js";
import { usageFailure } from "../input/failure.js";
import { clientToken } from "../input/token.js";
import { keptSessionsAt, namedSessions } from "../sessions/found.js";
import { tenantPlace } from "../stored/tenant-names.js";
import { printLines } from "./print-lines.js";

/** The time that is told, in milliseconds since 1970: from one moment on, and before the other one. */
type TimeBounds = Pick<StoredDecisionQuery, "since" | "until">;

/**
 * Tells the decisions of kept sessions, or of a database, the oldest first. Exit code 1 where a session cannot be read.
 */
export async function audit(options: AuditOptions): Promise<void> {
  const now = Date.now();
  const moment = (option: "since" | "until") =>
    options[option] === undefined ? {} : { [option]: readMoment(`--${option}`, options[option], now) };
  const bounds = { ...moment("since"), ...moment("until") };
  checkForm(options);
  if (options.connect !== undefined) return tell(atServer(options.connect, options, bounds), options);
  const inStore = tenantPlace(options);
  if (inStore === undefined) return tell(decisionsOnDisk(options, bounds), options);
  const { openAudit, told } = await import("../stored/installed-store.js");
  const store = await openAudit(inStore);
  try {
    await told(async () =>
      tell(decisionsInStore(store, await queryOf(store, options, bounds), options.open === true), options),
    );
  } finally {
    await store.close();
  }
}

/** @throws Failure for options that do not go together. */
function checkForm(options: AuditOptions): void {
  const { connect, tokenFile, json, csv } = options;
  if (json && csv) throw usageFailure("audit: --json and --csv print different things: leave one out");
  if (connect === undefined && tokenFile !== undefined)
    throw usageFailure("audit: --token-file is the token of the server that --connect names: add --connect");
  const others = ["store", "tenant", "session", "workDir", "client", "open"] as const;
  const other = others.find((name) => options[name] !== undefined);
  if (connect !== undefined && other !== undefined)
    throw usageFailure(
      `audit: --${other === "workDir" ? "work-dir" : other} does not go with --connect: leave one out; --text finds the words of a session too`,
    );
}

function tell(decisions: AsyncIterable<ToldDecision>, { json, csv, text, connect }: AuditOptions) {
  const chosen = text === undefined || connect !== undefined ? decisions : withText(decisions, text);
  return printLines(csv === true ? csvLines(chosen) : json === true ? jsonLines(chosen) : textLines(chosen));
}

async function* withText(decisions: AsyncIterable<ToldDecision>, text: string): AsyncGenerator<ToldDecision> {
  const isWanted = hasWords(text);
  for await (const told of decisions) if (isWanted(decisionMembers(told))) yield told;
}

function atServer(
  address: string,
  { text, who, tokenFile }: AuditOptions,
  { since, until }: TimeBounds,
): AsyncGenerator<ToldDecision> {
  checkedAddress(address);
  const token = hasToken(address)
    ? undefined
    : clientToken({ ...(tokenFile !== undefined && { tokenFile }) });
  const moment = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString());
  return decisionsAtServer(
    { address, token },
    defined({ text, who, since: moment(since), until: moment(until) }),
  );
}

function decisionsOnDisk(options: AuditOptions, bounds: TimeBounds): AsyncGenerator<ToldDecision> {
  const { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = bounds;
  const { who, client } = options;
  const sessions = sessionsOf(options).filter(({ activeAt }) => activeAt >= since);
  return mergedDecisions(sessions, {
    wants: (decision) =>
      decision.at >= since &&
      decision.at < until &&
      (decision.outcome !== undefined || options.open === true) &&
      (who === undefined || isBy(decision, who)) &&
      (client === undefined || clientOf(decision)?.name === client),
    isLater: (begunAt) => begunAt >= until,
    onUnread({ folder }, problem) {
      process.exitCode = 1;
      process.stderr.write(visibleText(`askwire: audit: ${folder}: ${problem}\n`));
    },
  });
}

/** The most sessions of a database that one beginning of an id may name before it is refused. */
const MOST_NAMED = 1_000;

async function queryOf(
  store: StoredAudit,
  { session, workDir, who, client }: AuditOptions,
  bounds: TimeBounds,
): Promise<StoredDecisionQuery> {
  const ids = session === undefined ? [] : await store.sessionIds(session, MOST_NAMED);
  const named =
    session === undefined
      ? undefined
      : namedSessions(
          "audit --session",
          [session],
          ids.map((id) => ({ id })),
        )[0];
  return {
    ...bounds,
    ...(named !== undefined && { session: named.id }),
    ...(workDir !== undefined && { workDir: resolve(workDir) }),
    ...(who !== undefined && { who }),
    ...(client !== undefined && { client }),
  };
}

function sessionsOf({ session, workDir }: AuditOptions): FoundSession[] {
  const found = keptSessionsAt(workDir === undefined ? { all: true } : { workDir });
  return session === undefined ? found : namedSessions("audit --session", [session], found);
}

function isBy(decision: KeptDecision, who: string): boolean {
  const person = personOf(decision);
  return person !== undefined && [person.id, person.name].includes(who);
}

async function* jsonLines(decisions: AsyncIterable<ToldDecision>): AsyncGenerator<string> {
  for await (const decision of decisions) yield JSON.stringify(decisionMembers(decision));
}

/** Lines of CSV (RFC 4180): printed with a line feed behind them, each has a carriage return at its end. */
async function* csvLines(decisions: AsyncIterable<ToldDecision>): AsyncGenerator<string> {
  yield `${csvHead}\r`;
  for await (const decision of decisions) yield `${csvLine(decisionMembers(decision))}\r`;
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
