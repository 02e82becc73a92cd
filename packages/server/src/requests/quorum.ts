import type { Approver, Outcome, Principal } from "@askwire/protocol";
import { BoundedMap } from "@askwire/protocol/internal";
import { addressedName } from "./addressing.js";
import type { ApprovalAnswer } from "./approval-answer.js";
import type { AnswerMessage, QuorumVote, Settlement } from "./interaction.js";

/** The approvals of which it is remembered that they counted. */
const REMEMBERED = 256;

/** The fewest and the most people who may have to approve (P-XQU-1). */
export const QUORUM = { least: 2, most: 10 };

/**
 * True for a person whom the door tells from every other one: not for a device that is nobody's, which its owner may
 * have beside another one (P-XQU-1).
 */
export const isOnePerson = (principal: Principal | undefined): principal is Principal =>
  principal !== undefined && (principal.via !== "device" || principal.device !== undefined);

/** The approvals of several people to one request, of which each person has one (P-XQU-2, P-XQU-3). */
export class Quorum {
  /** The number of people who must approve. */
  readonly needed: number;
  /** By the name by which requests name the person, oldest first: one who comes by several ways is one person. */
  readonly #votes = new Map<string, QuorumVote>();
  /** All that counted, also what another one has replaced, by the ids of client and answer. */
  readonly #counted = new BoundedMap<string, QuorumVote>(REMEMBERED);
  #tell: (() => void) | undefined;

  constructor(needed: number) {
    this.needed = needed;
  }

  /** Those who have approved, oldest first. */
  get approvedBy(): readonly Approver[] {
    return [...this.#votes.values()].map(({ by }) => by);
  }

  /** True for an answer that is not the one which others have given. A person may change their own. */
  differs({ outcome, answer }: Settlement<ApprovalAnswer>): boolean {
    if (answer === undefined || answer.response === "reject") return false;
    const own = outcome.principal === undefined ? undefined : addressedName(outcome.principal);
    return [...this.#votes].some(([key, vote]) => key !== own && !isSame(vote.answer, answer));
  }

  /** Calls the listener with each approval that counts and does not settle. One listener is enough: the core. */
  onCounted(listener: () => void): void {
    this.#tell = listener;
  }

  /** The vote that an answer is; undefined where no person is told. */
  voteOf({ outcome, answer, message }: Settlement<ApprovalAnswer>): QuorumVote | undefined {
    const { principal, client = { name: "", connection: "" }, at, note } = outcome;
    if (!isOnePerson(principal) || answer === undefined) return undefined;
    const { feedback } = answer;
    const words = { ...(note !== undefined && { note }), ...(feedback !== "" && { feedback }) };
    return { by: { ...client, principal, at, ...words }, answer, ...(message !== undefined && { message }) };
  }

  /** Takes a vote in the place of the same person's, and tells the listener. */
  take(vote: QuorumVote): void {
    this.put(vote);
    this.#tell?.();
  }

  /** Puts a vote in that an earlier process kept. */
  put(vote: QuorumVote): void {
    const { by, message } = vote;
    this.#votes.set(addressedName(by.principal), vote);
    if (message !== undefined) this.#counted.set(idOf(message), vote);
  }

  /** The approval that this answer of that client was already; undefined for a new one (P-XAN-5). */
  repeated(message: AnswerMessage): Approver | undefined {
    return this.#counted.get(idOf(message))?.by;
  }

  /** True if no more than this vote is needed. */
  isReachedBy({ by }: QuorumVote): boolean {
    return new Set([...this.#votes.keys(), addressedName(by.principal)]).size >= this.needed;
  }

  /** Takes the last vote, unless the settlement by it does not count. Returns whether it does. */
  settledBy(vote: QuorumVote, settle: () => boolean): boolean {
    const key = addressedName(vote.by.principal);
    const before = this.#votes.get(key);
    this.put(vote);
    if (settle()) return true;
    if (before === undefined) this.#votes.delete(key);
    else this.put(before);
    return false;
  }

  /** Settles by a person who does not approve, and so takes their own approval back. Returns whether that counts. */
  endedBy(
    settlement: Settlement<ApprovalAnswer>,
    settle: (whole: Settlement<ApprovalAnswer>) => boolean,
  ): boolean {
    const { principal } = settlement.outcome;
    const key = principal === undefined ? undefined : addressedName(principal);
    const others = [...this.#votes].flatMap(([name, { by }]) => (name === key ? [] : [by]));
    const outcome = { ...settlement.outcome, ...(others.length > 0 && { approved_by: others }) };
    const isSettled = settle({ ...settlement, outcome });
    if (isSettled && key !== undefined) this.#votes.delete(key);
    return isSettled;
  }

  /** The settlement by the last of all, with everybody's name. */
  settlement(settlement: Settlement<ApprovalAnswer>): Settlement<ApprovalAnswer> {
    return { ...settlement, outcome: { ...settlement.outcome, approved_by: this.approvedBy } };
  }
}

/**
 * An answer with the words of all who approved, each under their name where several said something (P-XQU-4). A rejection
 * has its own words alone.
 */
export function withAllWords(answer: ApprovalAnswer, { approved_by: approvers }: Outcome): ApprovalAnswer {
  if (approvers === undefined || answer.response === "reject") return answer;
  const said = approvers.filter(({ feedback = "" }) => feedback.trim() !== "");
  const [first] = said;
  const feedback =
    said.length > 1
      ? said.map(({ principal, feedback }) => `${principal.name}: ${feedback}`).join("\n")
      : (first?.feedback ?? "");
  return { ...answer, feedback };
}

const idOf = ({ client_id, answer_id }: AnswerMessage): string => JSON.stringify([client_id, answer_id]);

const isSame = (one: ApprovalAnswer, other: ApprovalAnswer): boolean =>
  one.response === other.response && one.option === other.option && one.edited === other.edited;
