import { type ListedDecision, WireError } from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";
import type { DecisionPage, SessionStore } from "@askwire/server";
import { answeredWords, DecisionRows } from "@askwire/server/internal";
import type { StoredDecision } from "./stored-audit.js";
import { type DecisionRow, decisionOf } from "./stored-decision.js";
import type { TenantPool } from "./tenant-pool.js";

/** The decisions in which words are looked for, for one page at most. */
const MOST_SEARCHED = 20_000;

type Query = Parameters<NonNullable<SessionStore["decisions"]>>[0];

/** A row of a page, with the place up to which words were looked for; where none is found, one that has that alone. */
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
  if (kinds !== undefined) wanted.push(`kind = any(${value(kinds)})`);
  if (status !== undefined) wanted.push(`status = ${value(status)}`);
  if (who !== undefined) wanted.push(`lower(${value(who)}) in (lower(who_id), lower(who))`);
  if (since !== undefined) wanted.push(`at >= ${time(since)}`);
  if (until !== undefined) wanted.push(`at < ${time(until)}`);
  if (after !== undefined) {
    const [at, number] = placeOfRow(after);
    wanted.push(`(at, number) < (${value(at)}::timestamptz, ${value(number)}::bigint)`);
  }
  const looked = (query.text ?? "").trim();
  const has = looked === "" ? "true" : `strpos(${words}, lower(${value(looked)})) > 0`;
  // A page that words choose is found in a bounded part; one more row says that there are more.
  const searched = looked === "" ? Math.min(limit + 1, MOST_SEARCHED) : MOST_SEARCHED;
  const text = `with part as materialized (
      select number, at, ${has} as has from ${schema}.decision where ${wanted.join(" and ")}
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

/** @throws WireError InvalidParams for a text that no page gave. */
function placeOfRow(after: string): readonly [at: string, number: string] {
  try {
    const place: unknown = JSON.parse(after);
    const isPlace =
      Array.isArray(place) &&
      place.length === 2 &&
      /^\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d[-+.:\d]*$/.test(String(place[0])) &&
      /^\d{1,18}$/.test(String(place[1]));
    if (isPlace) return [String(place[0]), String(place[1])];
  } catch {
    // As below.
  }
  throw new WireError("InvalidParams", "after: expected the `next` of the page before");
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
