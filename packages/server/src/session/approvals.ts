import {
  type ApprovalKind,
  type ApprovalOption,
  type ApprovalScope,
  isLasting,
  type PolicyDecision,
} from "@askwire/protocol";
import type { ApprovalAnswer } from "../requests/approval-answer.js";
import type { ApprovalRequest } from "../requests/approval-request.js";
import type { AnyInteraction } from "../requests/core.js";
import { outcomeNow, type Settlement } from "../requests/interaction.js";
import { Remembered } from "../runtime/remembered.js";

/** Decisions that are remembered at least. */
const REMEMBERED = 1_000;

/**
 * The approvals that a session answers without asking: everything, or what a person decided for the session (P-APR-3,
 * P-APR-4, P-XAO-4).
 */
export class Approvals {
  /** Approves every approval by policy. Questions are still asked. */
  yolo: boolean;
  /** The decisions that last, by scope. A person is asked again about a forgotten one. */
  #decided: Remembered<ApprovalOption["kind"]> | undefined;

  constructor(yolo: boolean) {
    this.yolo = yolo;
  }

  /** True once a person has decided something that lasts. */
  get hasDecided(): boolean {
    return this.#decided !== undefined;
  }

  /** The settlement of a request that nobody needs to be asked about (P-XAO-10). */
  policy(request: ApprovalRequest): Settlement<never> | undefined {
    if (request.personOnly) return undefined;
    return (this.#covered(request) ?? (this.yolo ? approved(request) : undefined)) as
      | Settlement<never>
      | undefined;
  }

  /** What {@link policy} decided about the request, and by which rule (P-XAO-11). */
  decision(request: ApprovalRequest, response: ApprovalKind): PolicyDecision {
    const { toolCallId: tool_call_id, action, description } = request;
    const rule = this.#covered(request) === undefined ? "approve_all" : "decided_before";
    return {
      tool_call_id,
      action,
      description,
      response: response === "reject" ? "reject" : "approve",
      rule,
    };
  }

  /** Keeps a decision that lasts, and answers what it covers of the open approvals at this moment. */
  decided(request: ApprovalRequest, answer: ApprovalAnswer, open: readonly AnyInteraction[]): void {
    const scope = lastingScope(request, answer);
    if (scope === undefined) return;
    this.#decided ??= new Remembered(REMEMBERED);
    this.#decided.set(scope, answer.response === "reject" ? "reject" : "allow");
    for (const other of open) {
      const covered = other.kind === "approval" && !other.personOnly ? this.#covered(other) : undefined;
      if (covered !== undefined) other.settle(covered as Settlement<never>);
    }
  }

  /** The answer by an earlier decision; where decisions differ, the rejection counts. */
  #covered(request: ApprovalRequest): Settlement<ApprovalAnswer> | undefined {
    const decided = this.#decided;
    if (decided === undefined) return undefined;
    const { options } = request;
    if (options === undefined) {
      const kind = decided.get(keyOf(request));
      return kind && byPolicy({ response: kind === "allow" ? "approve" : "reject", feedback: "" });
    }
    const covering = options.filter(
      (option) => isLasting(option.scope) && decided.get(keyOf(request, option.scope)) === option.kind,
    );
    const option = covering.find(({ kind }) => kind === "reject") ?? covering[0];
    return option && byOption(option);
  }
}

/**
 * The key of the scope that an answer covers in the rest of the session; undefined for this call alone. A changed text
 * that is the value of the scope is covered as it was changed.
 */
function lastingScope(
  request: ApprovalRequest,
  { response, option: id, edited }: ApprovalAnswer,
): string | undefined {
  if (id === undefined) return response === "approve_for_session" ? keyOf(request) : undefined;
  const { scope } = request.option(id);
  if (scope === undefined || !isLasting(scope)) return undefined;
  const isChanged = edited !== undefined && scope.value === request.edit?.content;
  return keyOf(request, isChanged ? { ...scope, value: edited } : scope);
}

/**
 * The key that equal scopes of one action share, by the agent, or by one program for one host and folder (P-XAK-12).
 * Default: the whole action.
 */
const keyOf = (
  { action, program }: ApprovalRequest,
  { kind, value }: Pick<ApprovalScope, "kind" | "value"> = { kind: "action" },
): string => JSON.stringify([action, kind, value ?? null, ...placeOf(program)]);

const placeOf = (program: ApprovalRequest["program"]) =>
  program === undefined
    ? []
    : [program.by.name, program.origin?.host ?? null, program.origin?.folder ?? null];

/**
 * Approves this call alone. Undefined where that is for a person to say: several options would do so, so that one has to
 * be chosen, or none without covering more.
 */
function approved({ options }: ApprovalRequest): Settlement<ApprovalAnswer> | undefined {
  if (options === undefined) return byPolicy({ response: "approve", feedback: "" });
  const [once, ...others] = options.filter(({ kind, scope }) => kind === "allow" && !isLasting(scope));
  return once === undefined || others.length > 0 ? undefined : byOption(once);
}

const byOption = ({ id, kind }: ApprovalOption): Settlement<ApprovalAnswer> =>
  byPolicy({ response: kind === "allow" ? "approve" : "reject", feedback: "", option: id });

const byPolicy = (answer: ApprovalAnswer): Settlement<ApprovalAnswer> => ({
  outcome: outcomeNow("answered", { by: "policy" }),
  answer,
});

/** The response told to clients after a settled approval. Every outcome but an answer is a rejection. */
export function approvalResponse(answer: unknown): { response: ApprovalKind; feedback: string } {
  return (answer as ApprovalAnswer | undefined) ?? { response: "reject", feedback: "" };
}
