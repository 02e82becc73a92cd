import { type ListedDecision, WireError } from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";
import type { DecisionPage, SessionStore } from "@askwire/server";
import { answeredWords, DecisionRows } from "@askwire/server/internal";
import type { StoredDecision } from "./stored-audit.js";
import { type DecisionRow, decisionOf } from "./stored-decision.js";
import type { TenantPool } from "./tenant-pool.js";

/** The decisions among which some are chosen, for one page at most. */
const MOST_SEARCHED = 20_000;

type Query = Parameters<NonNullable<SessionStore["decisions"]>>[0];

/** A row of a page, with the place up to which it was looked for; where none is found, one that has that alone. */
type FoundRow = DecisionRow & {
  readonly searched: string;
  readonly last_place: string;
  readonly last_number: string;
};

/** A page of the decisions in a work directory, the newest first, by an index on their time (P-XPD-1). */
export async function decisionPage(pool: TenantPool, schema: string, query: Query): Promise<DecisionPage> {
  const { text, values } = statement(schema, query, pool.tenant);
  const found = (await pool.query<FoundRow>(text, values)).rows;
  const page = new DecisionRows(query.limit);
  let last: readonly [string, string] | undefined;
  for (const row of found) {
    if (row.session_id === null) break;
    if (!page.take(listed(decisionOf(row)))) return { decisions: page.rows, next: JSON.stringify(last) };
    last = [row.place, row.number];
  }
  const [first] = found;
  const isWhole = first === undefined || Number(first.searched) < MOST_SEARCHED;
  if (isWhole) return { decisions: page.rows };
  return { decisions: page.rows, next: JSON.stringify([first.last_place, first.last_number]) };
}

/** The words of a decision, in any case. */
const words = `lower(concat_ws(' ', asked, answer, note, title, work_dir, program, who, who_id, client))`;

function statement(schema: string, query: Query, tenant: string): { text: string; values: unknown[] } {
  const { workDir, kinds, who, status, since, until, after, limit } = query;
  const values: unknown[] = [];
  const value = (given: unknown) => `$${values.push(given)}`;
  const time = (ms: number) => `to_timestamp(${value(ms)}::double precision / 1000)`;
  const wanted = [`tenant = ${value(tenant)}`, `work_dir = ${value(workDir)}`];
  if (since !== undefined) wanted.push(`at >= ${time(since)}`);
  if (until !== undefined) wanted.push(`at < ${time(until)}`);
  if (after !== undefined) {
    const [at, number] = placeOfRow(after);
    wanted.push(`(at, number) < (${value(at)}::timestamptz, ${value(number)}::bigint)`);
  }
  const looked = (query.text ?? "").trim();
  const chosen: string[] = [];
  if (kinds !== undefined) chosen.push(`kind = any(${value(kinds)})`);
  if (status !== undefined) chosen.push(`status = ${value(status)}`);
  if (who !== undefined) chosen.push(`lower(${value(storable("who", who))}) in (lower(who_id), lower(who))`);
  if (looked !== "") chosen.push(`strpos(${words}, lower(${value(storable("text", looked))})) > 0`);
  const has = chosen.length === 0 ? "true" : `coalesce(${chosen.join(" and ")}, false)`;
  // A page of chosen rows is found in a bounded part; of all rows, one more says that there are more.
  const searched = chosen.length === 0 ? Math.min(limit + 1, MOST_SEARCHED) : MOST_SEARCHED;
  // Words alone are also in what was asked, which the view looks up for each row.
  const from = looked === "" ? "audit" : "decision";
  if (looked === "") wanted.push("what <> 'asked'");
  const text = `with part as materialized (
      select number, at, ${has} as has from ${schema}.${from} where ${wanted.join(" and ")}
      order by at desc, number desc limit ${searched}
    )
    select d.*, d.at::text as place, extract(epoch from d.at) * 1000 as at_ms,
      count.searched, last.at::text as last_place, last.number as last_number
    from (select count(*) as searched from part) count
    cross join (select at, number from part order by at, number limit 1) last
    left join (select number, at from part where has order by at desc, number desc limit ${limit + 1}) chosen on true
    left join ${schema}.decision d on d.number = chosen.number
    order by chosen.at desc, chosen.number desc`;
  return { text, values };
}

/** @throws WireError InvalidParams for words that no text of the engine has. */
function storable(field: "text" | "who", words: string): string {
  if (!words.includes("\0")) return words;
  throw new WireError("InvalidParams", `${field}: expected words without the character NUL: leave it out`);
}

/** @throws WireError InvalidParams for a text that no page gave. */
function placeOfRow(after: string): readonly [at: string, number: string] {
  try {
    const place: unknown = JSON.parse(after);
    if (Array.isArray(place) && place.length === 2) {
      const [at, number] = place.map(String) as [string, string];
      if (isTime(at) && /^\d{1,18}$/.test(number)) return [at, number];
    }
  } catch {
    // As below.
  }
  throw new WireError("InvalidParams", "after: expected the `next` of the page before");
}

/** True for a time as the engine tells it, of a day that there is: `2026-11-01 09:30:00.25+00`. */
function isTime(text: string): boolean {
  const [, day, time] =
    /^((?!0000)\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.\d{1,6})?[-+](?:0\d|1[0-5])(?::[0-5]\d){0,2}$/.exec(
      text,
    ) ?? [];
  const ms = Date.parse(`${day}T${time}Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(`${day}T${time}`);
}

function listed(stored: StoredDecision): ListedDecision {
  const {
    session,
    at,
    askedAt,
    kind,
    asked,
    digest,
    status,
    reason,
    by,
    rule,
    note,
    who,
    client,
    forgotten,
  } = stored;
  const { request, response } = { request: parsed(stored.request), response: parsed(stored.response) };
  const isKept = request !== undefined && response !== undefined && forgotten === undefined;
  const answer = isKept
    ? answeredWords({ kind, request: request as object as never, response })
    : stored.answer;
  return {
    ...{ at: new Date(at).toISOString(), session_id: session.id, kind, status: status ?? "" },
    ...defined({
      asked_at: askedAt === undefined ? undefined : new Date(askedAt).toISOString(),
      ...{
        title: session.title,
        folder: session.workDir,
        request_id: stored.requestId,
        tool_call_id: stored.callId,
      },
      ...{
        program: stored.program,
        asked,
        digest,
        request,
        reason,
        by: by as ListedDecision["by"],
        rule,
        response,
        note,
      },
      ...{ answer: answer || undefined, who: who && { ...who }, client: client && { ...client } },
      ...{ answer_id: stored.answerId, forgotten },
    }),
  };
}

const parsed = (text: string | undefined): unknown => (text === undefined ? undefined : JSON.parse(text));
