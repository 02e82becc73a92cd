import type { OutcomeReason, OutcomeStatus, SessionState } from "@askwire/protocol";

/** The kinds of requests, for observers. */
export const observedKinds = ["question", "approval", "tool_call", "hook"] as const;

/**
 * The causes of an end, for observers: a `person`; a `policy`, so that nobody was asked; the `deadline`; the `program`
 * that asked, or that brought the tool or the hook; the `shutdown` of the server; and the `server` itself, such as where
 * nobody was there to ask.
 */
export const endCauses = ["person", "policy", "deadline", "program", "shutdown", "server"] as const;
/** A value of {@link endCauses}. */
export type EndCause = (typeof endCauses)[number];

/** A request as observers know it, without its texts: the same object at its opening and at its end. */
export interface ObservedRequest {
  /** The id of the request. */
  readonly id: string;
  readonly kind: (typeof observedKinds)[number];
  readonly sessionId: string;
  /** The time of its opening, in milliseconds since 1970 by the server's clock. */
  readonly openedAt: number;
  /** True for a request that an earlier process opened: it is open, and was not opened anew. */
  readonly isRestored: boolean;
}

/** The end of a request, without its answer and its note. */
export interface ObservedEnd {
  readonly status: OutcomeStatus;
  /** Undefined for `answered`, which has none. */
  readonly reason: OutcomeReason | undefined;
  readonly by: EndCause;
  /**
   * The time from its opening to its end, in milliseconds by the server's clock; undefined for a request that ended before
   * anybody was asked, which is told without an opening.
   */
  readonly waitedMs: number | undefined;
}

/** A session as observers know it: the same object at its opening and at its close. */
export interface ObservedSession {
  readonly id: string;
  /** True for a session that outlives the process. */
  readonly isKept: boolean;
  /** Its state at the time of reading. */
  readonly state: SessionState;
}

/** A commit of a session's records to its store, or a sync of its journal on the disk (`observe` of `keepIn`). */
export interface ObservedCommit {
  /** The time from the first attempt to the end, in milliseconds by the server's clock. */
  readonly tookMs: number;
  /** The records that were committed together. */
  readonly records: number;
  /** `kept`; `fenced` where another process has taken the session; `lost` where store or disk did not take it to the end. */
  readonly result: "kept" | "fenced" | "lost";
}

/**
 * Callbacks that a server tells what happens in it, for measures and traces: `observe` of `createServer`. Each is called
 * once, at once and in the middle of the change, so act on the server later. None is given a text of a request or an
 * answer. The first exception of an observer is logged, and no exception harms a session.
 */
export interface ServerObserver {
  /** A request is open, also one of an earlier process that is put again. Called within the call that asks. */
  requestOpened?(request: ObservedRequest): void;
  /** A request is settled. */
  requestSettled?(request: ObservedRequest, end: ObservedEnd): void;
  /** A request is open no more in this process, and not settled: the next process goes on with it. */
  requestLeft?(request: ObservedRequest): void;
  /** A session is in memory. */
  sessionOpened?(session: ObservedSession): void;
  /** A session has left memory. */
  sessionClosed?(session: ObservedSession): void;
  /** Records of a session were committed to the `store` or, as `keepIn` tells, to the disk; or cannot be. */
  committed?(commit: ObservedCommit): void;
}
