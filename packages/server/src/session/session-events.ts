import type {
  ActingClient,
  AnsweringClient,
  Approver,
  ClaimTime,
  ExtendedEventInput,
  Outcome,
  PolicyDecision,
  SessionState,
  WireEventInput,
} from "@askwire/protocol";
import type { SlashCommand } from "../agent/agent.js";
import type { Journal } from "../journal/journal.js";
import { addressedOf } from "../profiles/extended-profile.js";
import type { AnyInteraction, PersonRequest } from "../requests/core.js";
import type { QuestionRequest } from "../requests/question-request.js";
import type { HeldClaim, RequestClaims } from "../requests/request-claims.js";
import type { Clock } from "../runtime/clock.js";
import type { Log } from "../runtime/log.js";
import type { Activity } from "./activity.js";
import { answeringClients } from "./answering-clients.js";
import type { ClientHub } from "./client-hub.js";
import { EventLog, type EventLogLimits, type EventMarks, type EventName } from "./event-log.js";
import { toldCommands } from "./told-commands.js";

/** The payload of InteractionUpdated. */
export type RequestUpdate = Extract<ExtendedEventInput, { type: "InteractionUpdated" }>["payload"];

/** The calls that wait for an ask, where there ever were several (P-XAK-10). */
export const callsOf = ({ program }: PersonRequest): number | undefined => program?.calls;

/** Those who have approved what several people must, and how many must (P-XQU-3); nothing while nobody has. */
export function givenApprovals(request: PersonRequest): { approved_by?: Approver[]; quorum?: number } {
  const quorum = request.kind === "approval" ? request.quorum : undefined;
  if (quorum === undefined || quorum.approvedBy.length === 0) return {};
  return { approved_by: [...quorum.approvedBy], quorum: quorum.needed };
}

export interface SessionEventsOptions {
  readonly clients: Pick<ClientHub, "connections">;
  readonly journal: Journal | undefined;
  readonly limits: EventLogLimits;
  /** UTF-16 units of one message, at most. */
  readonly maxText: number;
  readonly activity: Pick<Activity, "state">;
  readonly claims: Pick<RequestClaims, "of">;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
}

/** UTF-16 units that are told of a note which is too long to be told whole. */
const MAX_NOTE = 1_000;

/** Tells the events of a session: base clients in turn, extended clients by a log that they share. */
export class SessionEvents {
  readonly #options: SessionEventsOptions;
  #log: EventLog | undefined;
  /** The state that the last message told. */
  #told: SessionState = "idle";
  /** True if an event was told before there was a log. */
  #isLate = false;
  /** The settlement that was told last. */
  #settled: { readonly request_id: string; readonly marks: EventMarks } | undefined;

  constructor(options: SessionEventsOptions) {
    this.#options = options;
  }

  /** The log for extended clients, kept from the first of them on (P-XAT-7). */
  get log(): EventLog {
    if (this.#log === undefined) {
      this.#log = new EventLog(this.#options.limits, this.#options.maxText);
      this.#told = this.#options.activity.state;
    }
    return this.#log;
  }

  /** True if the log has every event of the session. */
  get isWhole(): boolean {
    return !this.#isLate && !this.log.isCut;
  }

  /** Records an event and tells every client; as {@link SessionEvents.tell}. */
  broadcast(event: WireEventInput, more?: object): void {
    this.#options.journal?.record(event);
    this.tell(event, more);
  }

  /**
   * Tells every client an event.
   *
   * @param more what extended clients are told beside it.
   */
  tell(event: WireEventInput, more?: object): void {
    for (const connection of this.#options.clients.connections()) connection.tell(event);
    if (this.#log === undefined) {
      this.#isLate = true;
      return;
    }
    const { type, payload } = event;
    this.#append(type, more === undefined ? payload : { ...payload, ...more });
  }

  /** A request was opened: extended clients that have it before them are sent it, the others that it is there (P-XST-1). */
  opened(request: AnyInteraction): void {
    this.#log?.open(request, this.#changed());
  }

  /** A request is settled (P-XST-1). */
  settled({ id, kind }: AnyInteraction, outcome: Outcome, answer: unknown): void {
    if (this.#log === undefined) return;
    this.#log.close(id);
    const settled = { request_id: id, kind, outcome };
    const whole = answer === undefined ? settled : { ...settled, response: answer };
    const marks = this.#append("InteractionSettled", whole);
    if (marks !== undefined) {
      this.#settled = { request_id: id, marks };
      return;
    }
    // The result of a tool may be too long to be told; the event ToolResult then has it cut.
    if (answer !== undefined && this.#append("InteractionSettled", settled) !== undefined) return;
    const { note, ...rest } = JSON.parse(JSON.stringify(outcome)) as Outcome;
    const shortened = { ...rest, note: note?.slice(0, MAX_NOTE) };
    this.#append("InteractionSettled", { ...settled, outcome: shortened });
  }

  /** The marks of the settlement that was told last, if that was of this request and nothing of it is left out. */
  marksOf(requestId: string): EventMarks | undefined {
    return this.#settled?.request_id === requestId ? this.#settled.marks : undefined;
  }

  /** Tells base clients, which hear of no settlement, that a question without a call of its own is over (P-XBG-2). */
  overForBase({ toolCallId: tool_call_id }: QuestionRequest): void {
    const return_value = { is_error: false, output: "", message: "", display: [], extras: null };
    for (const connection of this.#options.clients.connections()) {
      connection.tell({ type: "ToolResult", payload: { tool_call_id, return_value } });
    }
  }

  /**
   * A deadline was taken away, or runs anew, or others answer, have taken it or have approved than before (P-XST-3,
   * P-XST-5, P-XCM-4, P-XQU-3).
   *
   * @param answering the ids of the clients that answer and tell it.
   */
  updated(request: PersonRequest, answering: readonly string[] | undefined): void {
    this.#append("InteractionUpdated", this.updateOf(request, answering));
  }

  updateOf(request: PersonRequest, answering: readonly string[] | undefined): RequestUpdate {
    const deadline = request.kind === "question" ? request.deadline?.wire : undefined;
    const calls = callsOf(request);
    return {
      ...{ request_id: request.id, deadline: deadline ?? null },
      ...((answering !== undefined || this.#options.claims.of(request.id) !== undefined) && {
        answering: this.answeringOf(request.id, answering, (claim) => ({
          until: isoTime(claim.until),
          remaining_ms: Math.max(0, claim.until - this.#options.clock.now()),
        })),
      }),
      ...(calls !== undefined && { calls }),
      ...givenApprovals(request),
      ...addressedOf(request),
    };
  }

  /**
   * The clients whose persons answer a request, or have taken it.
   *
   * @param ids those that answer and tell it. Default: none.
   * @param timeOf tells the time of a claim. Default: its end alone.
   */
  answeringOf(
    requestId: string,
    ids: readonly string[] = [],
    timeOf: (claim: HeldClaim) => ClaimTime = ({ until }) => ({ until: isoTime(until) }),
  ): AnsweringClient[] {
    const { clients, claims } = this.#options;
    return answeringClients({ ids, claim: claims.of(requestId), clients: clients.connections(), timeOf });
  }

  /** A person does not want to be asked, or wants to be asked again (P-XDN-1). */
  doNotAsk(enabled: boolean, by: ActingClient | undefined): void {
    this.#append("DoNotAsk", { enabled, ...(by !== undefined && { by }) });
  }

  /** A rule has answered an approval, so that nobody was asked (P-XAO-11). */
  policyDecided(decision: PolicyDecision): void {
    this.#options.journal?.policyDecided(decision);
    this.#append("PolicyDecided", decision);
  }

  /** The agent's commands are others than before (P-SLH-3). */
  commands(commands: readonly SlashCommand[]): void {
    this.#append("CommandsChanged", { slash_commands: toldCommands(commands) });
  }

  /** The session's state where it is another one than was told last (P-XST-2). */
  #changed(): SessionState | undefined {
    const state = this.#options.activity.state;
    if (state === this.#told) return undefined;
    this.#told = state;
    return state;
  }

  /** Tells extended clients, if there was one. An event that cannot be told must not stop the turn: it has no marks. */
  #append(type: EventName, payload: unknown): EventMarks | undefined {
    const told = this.#told;
    try {
      return this.#log?.append(type, payload, this.#changed());
    } catch (error) {
      this.#told = told;
      this.#options.log.error({ type, error: String(error) }, "an event could not be sent");
      return undefined;
    }
  }
}

const isoTime = (ms: number) => new Date(ms).toISOString();
