import type { Approver, Principal } from "@askwire/protocol";
import type { ApprovalAnswer } from "./approval-answer.js";
import type { QuorumVote, Settlement } from "./interaction.js";
import { personKey } from "./person-key.js";

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
  /** By the key of the person, oldest first. */
  readonly #votes = new Map<string, QuorumVote>();
  #counted: (() => void) | undefined;

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
    const own = outcome.principal === undefined ? undefined : personKey(outcome.principal);
    return [...this.#votes].some(([key, vote]) => key !== own && !isSame(vote.answer, answer));
  }

  /** Calls the listener with each approval that counts and does not settle. One listener is enough: the core. */
  onCounted(listener: () => void): void {
    this.#counted = listener;
  }

  /** The vote that an answer is; undefined where no person is told. */
  voteOf({ outcome, answer }: Settlement<ApprovalAnswer>): QuorumVote | undefined {
    const { principal, client = { name: "", connection: "" }, at, note } = outcome;
    if (!isOnePerson(principal) || answer === undefined) return undefined;
    return { by: { ...client, principal, at, ...(note !== undefined && { note }) }, answer };
  }

  /** Takes a vote in the place of the same person's, and tells the listener. */
  take(vote: QuorumVote): void {
    this.put(vote);
    this.#counted?.();
  }

  /** Puts a vote in that an earlier process kept. */
  put(vote: QuorumVote): void {
    this.#votes.set(personKey(vote.by.principal), vote);
  }

  /** True if no more than this vote is needed. */
  isReachedBy({ by }: QuorumVote): boolean {
    return new Set([...this.#votes.keys(), personKey(by.principal)]).size >= this.needed;
  }

  /** Takes the last vote, unless the settlement by it does not count. Returns whether it does. */
  settledBy(vote: QuorumVote, settle: () => boolean): boolean {
    const key = personKey(vote.by.principal);
    const before = this.#votes.get(key);
    this.put(vote);
    if (settle()) return true;
    if (before === undefined) this.#votes.delete(key);
    else this.put(before);
    return false;
  }

  /** The settlement by a person who did not approve, and so has taken their own approval back. */
  ended(settlement: Settlement<ApprovalAnswer>): Settlement<ApprovalAnswer> {
    const { principal } = settlement.outcome;
    if (principal !== undefined) this.#votes.delete(personKey(principal));
    return this.#votes.size === 0 ? settlement : this.settlement(settlement);
  }

  /** The settlement by the last of all: with everybody's name, and the words of each. */
  settlement({ outcome, answer, message }: Settlement<ApprovalAnswer>): Settlement<ApprovalAnswer> {
    const whole = answer && { ...answer, feedback: this.#words(answer) };
    return {
      outcome: { ...outcome, approved_by: this.approvedBy },
      ...(whole !== undefined && { answer: whole }),
      ...(message !== undefined && { message }),
    };
  }

  /** The words of all who approved, each under their name where several said something. A rejection has its own alone. */
  #words({ response, feedback }: ApprovalAnswer): string {
    if (response === "reject") return feedback;
    const said = [...this.#votes.values()].filter(({ answer }) => answer.feedback.trim() !== "");
    if (said.length < 2) return said[0]?.answer.feedback ?? "";
    return said.map(({ by, answer }) => `${by.principal.name}: ${answer.feedback}`).join("\n");
  }
}

const isSame = (one: ApprovalAnswer, other: ApprovalAnswer): boolean =>
  one.response === other.response && one.option === other.option && one.edited === other.edited;
