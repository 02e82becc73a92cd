import type { ListedDecision } from "@askwire/protocol";
import { defined, jsonText } from "@askwire/protocol/internal";
import { answeredWords, askedWords } from "./decision-words.js";
import { type KeptDecision, requestDigest } from "./decisions.js";

/** The longest texts of a row, in UTF-16 units: what was asked and said, names, and a request or an answer as JSON. */
const WORDS = 4_000;
const NAME = 400;
const WHOLE = 16_384;
/** The rows of a page as JSON, in UTF-16 units, of which the first is always there. */
const PAGE = 1_048_576;

/** The session that a decision belongs to. */
export interface DecidedIn {
  readonly id: string;
  readonly title?: string | undefined;
  readonly workDir?: string | undefined;
}

/** A decision of a journal as a row; undefined for a request that is open. */
export function listedDecision(session: DecidedIn, decision: KeptDecision): ListedDecision | undefined {
  const { at, askedAt, kind, requestId, callId, program, request, outcome, response, rule } = decision;
  if (outcome === undefined) return undefined;
  const { principal, client } = outcome.by === "human" ? outcome : {};
  const via = decision.forgotten?.via;
  return {
    ...{ at: iso(at), session_id: session.id, kind, status: outcome.status },
    ...defined({
      ...{ asked_at: askedAt === undefined ? undefined : iso(askedAt), title: session.title },
      ...{ folder: session.workDir, request_id: requestId, tool_call_id: callId, program, request, rule },
      asked: request && askedWords(request),
      digest: request && requestDigest(request),
      ...{ reason: outcome.reason, by: outcome.by, note: outcome.note, response },
      answer: (response !== undefined && answeredWords(decision)) || undefined,
      who: principal ? { ...principal } : via === undefined ? undefined : { via },
      ...{ client, answer_id: decision.answerId, forgotten: decision.forgotten?.digest },
    }),
  };
}

const iso = (at: number) => new Date(at).toISOString();

/** A row whose texts have their bounds, and that says so where one was cut. */
function boundedDecision(whole: ListedDecision): ListedDecision {
  let isCut = false;
  const text = (words: string | undefined, most: number) => {
    if (words === undefined || words.length <= most) return words;
    isCut = true;
    return `${words.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "")}…`;
  };
  const value = (given: unknown) => {
    if (given === undefined || jsonText(given as object).length <= WHOLE) return given;
    isCut = true;
    return undefined;
  };
  const names = <T extends object>(given: T | undefined) =>
    given &&
    (Object.fromEntries(
      Object.entries(given).map(([name, one]) => [name, typeof one === "string" ? text(one, NAME) : one]),
    ) as T);
  const { asked, answer, note, request, response, title, folder, program, who, client, ...rest } = whole;
  const bounded = defined({
    ...{ asked: text(asked, WORDS), answer: text(answer, WORDS), note: text(note, WORDS) },
    ...{ title: text(title, NAME), folder: text(folder, NAME), program: text(program, NAME) },
    ...{ who: names(who), client: names(client), request: value(request), response: value(response) },
  });
  const row = { ...names(rest), ...bounded } as ListedDecision;
  return isCut ? { ...row, cut: true } : row;
}

/** The parts of a decision in which words are looked for. */
type SaidParts = Readonly<
  Partial<Record<"asked" | "answer" | "note" | "title" | "folder" | "program" | "who" | "client", unknown>>
>;

/** Tells decisions with words from others, in any case; no mark in them means anything but itself. */
export function hasWords(text: string): (decision: SaidParts) => boolean {
  const words = text.trim().toLowerCase();
  return ({ asked, answer, note, title, folder, program, who, client }) => {
    const person = Object(who);
    const parts = [asked, answer, note, title, folder, program, person.name, person.id, Object(client).name];
    return words === "" || parts.some((one) => typeof one === "string" && one.toLowerCase().includes(words));
  };
}

/** True for a person of this id or name, in any case. */
export const isDecidedBy = ({ who: person }: ListedDecision, who: string): boolean =>
  [person?.id, person?.name].some((one) => one?.toLowerCase() === who.toLowerCase());

/** The rows of a page, up to a number and a length. */
export class DecisionRows {
  readonly rows: ListedDecision[] = [];
  readonly #limit: number;
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Takes a row. Returns false where there is no room for it. */
  take(whole: ListedDecision): boolean {
    if (this.rows.length >= this.#limit) return false;
    const row = boundedDecision(whole);
    const { length } = jsonText(row);
    if (this.rows.length > 0 && this.#length + length > PAGE) return false;
    this.rows.push(row);
    this.#length += length;
    return true;
  }
}
