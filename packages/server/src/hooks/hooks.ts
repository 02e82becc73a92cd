import {
  type HookEvent,
  hookEvents,
  type InitializeParams,
  type Outcome,
  type WireEventInput,
} from "@askwire/protocol";
import type { ClientHook } from "../agent/agent-session.js";
import type { HookDetails, HookVerdict } from "../agent/turn-hooks.js";
import { type HookAnswer, HookCall } from "../requests/hook-call.js";
import { outcomeNow } from "../requests/interaction.js";
import { type BoundedTime, boundedTime } from "../runtime/bounded-time.js";
import type { Clock } from "../runtime/clock.js";
import type { Log } from "../runtime/log.js";
import { type HookMatcher, matching, readMatcher } from "./hook-matcher.js";
import { hookWords } from "./hook-words.js";

/** A subscription as a client declares it. */
export type SubscribedHook = NonNullable<InitializeParams["hooks"]>[number];

export interface HooksOptions {
  readonly sessionId: string;
  /** Told to every hook as `cwd`. */
  readonly workDir: string;
  /** Sends every client an event. */
  readonly emit: (event: WireEventInput) => void;
  readonly clock: Clock;
  readonly log: Log;
}

type Send = (call: HookCall) => void;

interface Subscription {
  readonly ownerId: string;
  readonly id: string;
  readonly event: HookEvent;
  readonly matcher: HookMatcher;
  readonly timeoutMs: number;
  /** True if a hook blocks when it fails, or gives no answer in time. */
  readonly strict: boolean;
}

/** Subscriptions of one connection. */
const MAX_SUBSCRIPTIONS = 128;
/** The time limit of all matchers of an event, in milliseconds. */
const MATCH_MS = 50;
/** The characters of an event's subject that clients are told. Matchers are searched in all of it. */
const MAX_TARGET = 2000;
/** The bounds of a timeout, in seconds. */
const TIMEOUT = { least: 1, most: 86_400 };

/** The hooks that clients subscribed in a session (P-HOK-1 to P-HOK-8). */
export class Hooks {
  readonly #options: HooksOptions;
  /** Made, as are the two after it, with the first that needs it: most sessions have no hooks, and keep 0.6 kB less. */
  #subscriptionsOf: Map<string, readonly Subscription[]> | undefined;
  #within: BoundedTime | undefined;
  #events: ReadonlySet<HookEvent> | undefined;

  constructor(options: HooksOptions) {
    this.#options = options;
  }

  /**
   * Takes a connection's subscriptions, instead of those that it had. Of two with one id the later one counts.
   *
   * @returns how many of each event are in force: those of unknown events and with unusable matchers are not.
   */
  subscribe(ownerId: string, subscriptions: readonly SubscribedHook[]): Record<string, number> {
    const own = new Map<string, Subscription>();
    for (const declared of subscriptions) {
      own.delete(declared.id);
      const read = this.#read(ownerId, declared);
      if (read === undefined) continue;
      if (own.size < MAX_SUBSCRIPTIONS) own.set(declared.id, read);
      else this.#dropped(ownerId, declared.id, `a client may subscribe at most ${MAX_SUBSCRIPTIONS} hooks`);
    }
    if (own.size > 0) {
      this.#subscriptionsOf ??= new Map();
      this.#subscriptionsOf.set(ownerId, [...own.values()]);
      this.#indexEvents();
    } else this.release(ownerId);
    return this.configured(ownerId);
  }

  /** Counts the active subscriptions of a client, by event. */
  configured(ownerId: string): Record<string, number> {
    const configured: Record<string, number> = {};
    for (const { event } of this.#subscriptionsOf?.get(ownerId) ?? []) {
      configured[event] = (configured[event] ?? 0) + 1;
    }
    return configured;
  }

  /** Takes a connection's subscriptions away. */
  release(ownerId: string): void {
    if (this.#subscriptionsOf?.delete(ownerId) === true) this.#indexEvents();
  }

  /**
   * The subscriptions in force, for an agent that has another one call them.
   *
   * @param send registers a call in its scope, and sends it.
   */
  offered(send: Send): ClientHook[] {
    return this.#subscriptions().map((subscription) => ({
      event: subscription.event,
      matcher: subscription.matcher.source,
      timeoutMs: subscription.timeoutMs,
      strict: subscription.strict,
      call: async (target, input) => (await this.#call(subscription, target, input, send)) ?? overtaken,
    }));
  }

  /** True if a client subscribed that event. */
  has(event: HookEvent): boolean {
    return this.#events?.has(event) === true;
  }

  /**
   * Runs all matching hooks at once, and tells the clients before and after. A blocking hook blocks, with the first
   * reason in the order of subscription. Never rejects. Blocks if the surrounding turn or session has ended meanwhile,
   * so that waiting work does not continue.
   *
   * @param send registers a call in its scope, and sends it.
   * @param signal aborted at the end of the scope: nothing is sent or told afterwards. Default: never aborted.
   */
  async run<E extends HookEvent>(
    event: E,
    details: HookDetails[E],
    send: Send,
    signal?: AbortSignal,
  ): Promise<HookVerdict> {
    if (!this.has(event)) return allowed;
    if (isOver(signal)) return overtaken;
    const { sessionId, workDir, emit, clock } = this.#options;
    const words = hookWords[event];
    const matched = words.target(details);
    const called = this.#matching(event, matched);
    if (called.length === 0) return allowed;
    const target = matched.slice(0, MAX_TARGET);

    emit({ type: "HookTriggered", payload: { event, target, hook_count: called.length } });
    const began = clock.now();
    const base = { hook_event_name: event, session_id: sessionId, cwd: workDir };
    const input_data = { ...base, ...words.input(details) };
    const verdicts = await Promise.all(
      called.map((subscription) => this.#call(subscription, target, input_data, send)),
    );
    if (isOver(signal) || verdicts.includes(undefined)) return overtaken;
    const verdict = verdicts.find((one) => one?.action === "block") ?? allowed;
    const { action, reason } = { reason: "", ...verdict };
    const duration_ms = Math.max(0, Math.round(clock.now() - began));
    emit({ type: "HookResolved", payload: { event, target, action, reason, duration_ms } });
    return verdict;
  }

  /** Calls a hook; undefined if the surrounding turn or session has ended. */
  async #call(
    { ownerId, id, event, timeoutMs, strict }: Subscription,
    target: string,
    input_data: Readonly<Record<string, unknown>>,
    send: Send,
  ): Promise<HookVerdict | undefined> {
    const call = new HookCall({ recipientId: ownerId, subscription_id: id, event, target, input_data });
    const cancel = this.#options.clock.after(timeoutMs, () => {
      call.settle({ outcome: outcomeNow("expired", { reason: "deadline", by: "timer" }) });
    });
    call.onSettled(cancel);
    send(call);
    const { outcome, answer } = await call.wait();
    if (outcome.status === "withdrawn") return undefined;
    return answer === undefined ? this.#failed(id, event, strict, outcome) : read(answer);
  }

  #failed(id: string, event: HookEvent, strict: boolean, outcome: Outcome): HookVerdict {
    const why = outcome.status === "expired" ? "it gave no answer in time" : (outcome.note ?? outcome.reason);
    this.#options.log.warn({ subscription: id, event, outcome }, "a hook failed");
    return strict ? { action: "block", reason: `the hook ${id} failed: ${why}` } : allowed;
  }

  #matching(event: HookEvent, target: string): Subscription[] {
    const candidates = this.#subscriptions().filter((one) => one.event === event);
    this.#within ??= boundedTime(MATCH_MS);
    return matching(candidates, target, this.#within, ({ id, matcher }) => {
      const details = { subscription: id, matcher: matcher.source };
      this.#options.log.warn(details, "a hook's matcher takes too long, and counts as a match from now on");
    });
  }

  #read(ownerId: string, declared: SubscribedHook): Subscription | undefined {
    const { id, timeout } = declared;
    const event = hookEvents.find((known) => known === declared.event);
    if (event === undefined) return undefined;
    const matcher = readMatcher(declared.matcher);
    if (typeof matcher === "string") return this.#dropped(ownerId, id, `matcher: ${matcher}`);
    const seconds = Math.min(Math.max(timeout, TIMEOUT.least), TIMEOUT.most);
    const strict = declared.on_failure === "block";
    return { ownerId, id, event, matcher, timeoutMs: seconds * 1000, strict };
  }

  #dropped(ownerId: string, id: string, why: string): undefined {
    this.#options.log.warn({ connection: ownerId, subscription: id, why }, "a hook is not in force");
  }

  #subscriptions(): Subscription[] {
    return [...(this.#subscriptionsOf?.values() ?? [])].flat();
  }

  #indexEvents(): void {
    this.#events = new Set(this.#subscriptions().map(({ event }) => event));
  }
}

const isOver = (signal: AbortSignal | undefined) => signal?.aborted === true;
const allowed: HookVerdict = { action: "allow" };
const overtaken: HookVerdict = { action: "block", reason: "what the hook ran in has ended" };

function read({ action, reason }: HookAnswer): HookVerdict {
  return action === "block" ? { action, reason } : allowed;
}
