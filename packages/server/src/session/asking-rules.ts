import type { ActingClient, ApprovalKind, PolicyDecision } from "@askwire/protocol";
import type { Journal } from "../journal/journal.js";
import type { ApprovalAnswer } from "../requests/approval-answer.js";
import type { ApprovalRequest } from "../requests/approval-request.js";
import type { AnyInteraction, AskingPolicy, Attendance, PersonRequest } from "../requests/core.js";
import { outcomeNow, type Settlement } from "../requests/interaction.js";
import { Approvals } from "./approvals.js";
import { requestKeeper } from "./keeper.js";
import type { SessionOptions } from "./session-options.js";

/** The rules by which a session asks a person or does not: attendance, do not ask, and approvals without asking. */
export class AskingRules implements AskingPolicy {
  attendance: Attendance;
  /** True while the questions of an earlier process wait for somebody to come. */
  isAwaiting = false;
  subagentQuestions: boolean;
  readonly #journal: Journal | undefined;
  readonly #approvals: Approvals;
  readonly #given: Pick<SessionOptions, "attendance" | "yolo">;
  #doNotAsk: boolean;

  constructor(
    {
      attendance,
      subagentQuestions,
      yolo,
    }: Pick<SessionOptions, "attendance" | "subagentQuestions" | "yolo">,
    journal: Journal | undefined,
  ) {
    this.#given = { attendance, yolo };
    this.attendance = attendance;
    this.subagentQuestions = subagentQuestions;
    this.#journal = journal;
    this.#approvals = new Approvals(yolo);
    this.#doNotAsk = journal?.doNotAsk ?? false;
  }

  settle(request: PersonRequest): Settlement<never> | undefined {
    if (request.kind === "approval") return this.#approvals.policy(request);
    return this.#doNotAsk && isForAll(request) ? notToBeAsked() : undefined;
  }

  /** The attendance that tools are offered by. */
  get offered(): Attendance {
    return this.isAwaiting ? "hold" : this.attendance;
  }

  /** True while a session that is opened again would ask by the same rules. */
  get areKept(): boolean {
    const { attendance, yolo } = this.#given;
    return this.attendance === attendance && this.yolo === yolo && !this.#approvals.hasDecided;
  }

  get yolo(): boolean {
    return this.#approvals.yolo;
  }

  set yolo(yolo: boolean) {
    this.#approvals.yolo = yolo;
  }

  get doNotAsk(): boolean {
    return this.#doNotAsk;
  }

  /** @param by the client that says so. Default: this process. */
  setDoNotAsk(enabled: boolean, by?: ActingClient): void {
    this.#doNotAsk = enabled;
    this.#journal?.doNotAskSet(enabled, by);
  }

  /** Ends the questions among what is open, but those that are for some people alone (P-XDN-1). */
  endQuestions(open: readonly AnyInteraction[]): void {
    for (const request of open)
      if (request.kind === "question" && isForAll(request)) request.settle(notToBeAsked());
  }

  /** Keeps a decision that a person made for the session, and answers what it covers of the open approvals. */
  decided(request: ApprovalRequest, answer: ApprovalAnswer, open: readonly AnyInteraction[]): void {
    this.#approvals.decided(request, answer, open);
  }

  /** The decision of a rule about an approval, for clients (P-XAO-11). */
  decision(request: ApprovalRequest, response: ApprovalKind): PolicyDecision {
    return this.#approvals.decision(request, response);
  }

  /** Keeps that a rule let a call go on without a person: it does not run again then (P-RES-5). */
  passed(request: ApprovalRequest): void {
    const { callId, nth } = request.place ?? {};
    const journal = this.#journal;
    if (journal === undefined || callId === undefined || nth === undefined) return;
    journal.claimed({ request_id: request.id, call_id: callId, nth });
    request.keeper = requestKeeper(journal, request);
  }
}

/** True for a request without `to`: nobody says for its addressees not to be asked (P-XDN-1). */
const isForAll = ({ addressing }: PersonRequest): boolean => addressing?.to === undefined;

const notToBeAsked = (): Settlement<never> => ({
  outcome: outcomeNow("unavailable", { reason: "do_not_ask", by: "policy" }),
});
