import type {
  Addressees,
  AnsweringClient,
  ListedRequest,
  Principal,
  RequestNumbers,
} from "@askwire/protocol";
import { isAddressee, isForPerson, type PersonWithRoles } from "../requests/addressing.js";
import { personKey } from "../requests/person-key.js";

/** The part of a list that a client wants. */
export interface WantedPart {
  /** The `next` of the page before. Default: the first page. */
  readonly after?: string | undefined;
  /** From 1 to 200. Default: 50. */
  readonly limit?: number | undefined;
}

/** The rows that a client wants (P-XRQ-1). */
export interface RequestFilter extends WantedPart {
  readonly kinds?: readonly ListedRequest["kind"][] | undefined;
  readonly text?: string | undefined;
  readonly state?: ListedRequest["state"] | undefined;
  /** True for the rows of the person who asks alone (P-XRQ-5). Default: false. */
  readonly mine?: boolean | undefined;
  /** True for the rows that are for the person who asks alone (P-XTO-4). Default: false. */
  readonly to_me?: boolean | undefined;
  /** True to have all wanted rows counted, those of other pages too (P-XRQ-4). Default: false. */
  readonly counts?: boolean | undefined;
}

/** A part of what waits, and where the rest begins; without `next` there is no more. */
export type RequestPage = { requests: ListedRequest[]; next?: string; counts?: RequestNumbers };

/** The open questions and approvals of all sessions of a server, as clients may list and watch them (P-XRQ-1 to P-XRQ-5). */
export interface RequestLists {
  /**
   * @param reader the one who asks. Default: nobody, and nothing is theirs.
   * @throws WireError InvalidParams for an `after` that is no `next`, and what finding kept sessions throws.
   */
  page(wanted: RequestFilter, reader?: RowReader): RequestPage | Promise<RequestPage>;
  /** True for a session whose running turn, or last one, that person began (P-XRQ-5). */
  isOf(sessionId: string, person: Principal | undefined): boolean;
  /** The requests of the sessions in memory: those with a deadline first, then the oldest. */
  open(): ListedRequest[];
  /** The requests of one session in memory; empty for one that is gone. */
  of(sessionId: string): readonly ListedRequest[];
  /** Calls `changed` with the id of each session of which {@link of} gives something else than before. */
  watch(changed: (sessionId: string) => void): () => void;
}

/** The one who is told rows. */
export interface RowReader {
  /** The id of the connection. */
  readonly connection: string;
  /** The person behind it; undefined where the door knows nobody. */
  readonly principal: Principal | undefined;
  /** That person, with the roles of this moment (P-XTO-4). */
  readonly person: () => PersonWithRoles;
}

/**
 * The rows of one session as a person is told them: with `mine` where they are theirs (P-XRQ-5), and `own` where they
 * have taken them (P-XCM-4).
 */
export function toldTo(
  rows: readonly ListedRequest[],
  sessionId: string,
  reader: RowReader | undefined,
  requests: Pick<RequestLists, "isOf">,
): readonly ListedRequest[] {
  const told = reader === undefined ? rows : rows.map((row) => addressedTo(withOwn(row, reader), reader));
  return requests.isOf(sessionId, reader?.principal) ? told.map((row) => ({ ...row, mine: true })) : told;
}

/** The addressees of a row; undefined for one that anybody may answer. */
export const rowTo = ({ to }: ListedRequest): Addressees | undefined => to as Addressees | undefined;

/** A row with what it is to a person (P-XTO-4). One that anybody may answer stays as it is. */
function addressedTo(row: ListedRequest, reader: RowReader): ListedRequest {
  const to = rowTo(row);
  if (to === undefined) return row;
  const person = reader.person();
  return {
    ...row,
    ...(isForPerson(to, person) && { to_me: true }),
    ...(!isAddressee(to, person) && { may_answer: false }),
  };
}

function withOwn(row: ListedRequest, reader: RowReader): ListedRequest {
  const holding = row.answering?.find(({ claim }) => claim !== undefined) as AnsweringClient | undefined;
  if (holding?.claim === undefined || !isOf(holding, reader)) return row;
  const own = { ...holding, claim: { ...holding.claim, own: true as const } };
  return { ...row, answering: row.answering?.map((one) => (one === holding ? own : one)) };
}

const isOf = ({ connection, principal }: AnsweringClient, reader: RowReader): boolean =>
  principal === undefined
    ? reader.principal === undefined && connection === reader.connection
    : reader.principal !== undefined && personKey(principal) === personKey(reader.principal);
