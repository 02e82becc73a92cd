import { addresseesInWords, isAddressee, type PersonWithRoles } from "./addressing.js";
import type { PersonRequest } from "./core.js";
import type { RequestClaims } from "./request-claims.js";

/** One who would answer a request. */
export interface WouldAnswer {
  readonly person: PersonWithRoles;
  /** The id by which they take requests (P-XCM-2). */
  readonly holderId: string;
}

/** The reason why a request is not for this person, in words; undefined where it is (P-XTO-3). */
export function notForThem({ addressing }: PersonRequest, person: PersonWithRoles): string | undefined {
  const to = addressing?.to;
  if (to === undefined || isAddressee(to, person)) return undefined;
  const named = addresseesInWords(to);
  return `the request is for ${named}: ask one of them, or have yourself be given the role`;
}

/** The reason why an answer to a request that somebody else has taken does not count now, in words (P-XTO-5). */
export function takenByAnother(
  { id, addressing }: PersonRequest,
  holderId: string,
  claims: Pick<RequestClaims, "of">,
): string | undefined {
  const held = addressing?.exclusive === true ? claims.of(id) : undefined;
  if (held === undefined || held.holder.id === holderId) return undefined;
  const { principal, name } = held.holder.by;
  const until = new Date(held.until).toISOString();
  return `${principal?.name ?? name} has taken the request, and it is exclusive: wait until they give it back, or until ${until}`;
}

/** True for a person whose answer counts now (P-XTO-3, P-XTO-5). */
export const answerCounts = (
  request: PersonRequest,
  { person, holderId }: WouldAnswer,
  claims: Pick<RequestClaims, "of">,
): boolean =>
  notForThem(request, person) === undefined && takenByAnother(request, holderId, claims) === undefined;
