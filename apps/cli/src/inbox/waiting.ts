import { requestsInOrder } from "@askwire/client";
import type { HeardRequest } from "@askwire/protocol";
import type { Clock } from "../device/clock.js";
import { type ListOpener, type ServerState, ServerWatch } from "./server-watch.js";

/** A place where requests wait: a server, or the kept sessions of this machine. */
export interface Place {
  /** Tells places apart. */
  readonly key: string;
  /** The name for a person. */
  readonly name: string;
  readonly open: ListOpener;
  /**
   * Says where a request of this place is answered, and opens its session first where it has to.
   *
   * @throws Error with the next step, where it cannot be answered from here.
   */
  reach(request: HeardRequest, signal: AbortSignal): Promise<Reached>;
  /**
   * Takes a request of this place for the person, or gives it back (P-XCM-1, P-XCM-2).
   *
   * @throws Error with the reason where that is not possible.
   */
  claim(request: HeardRequest, takes: boolean): Promise<void>;
}

/** The address of the session of a request. */
export interface Reached {
  readonly address: string;
  readonly token?: string;
}

/** A request that waits, and the place to answer it. */
export interface InboxRow {
  readonly request: HeardRequest;
  readonly place: Place;
}

/** A place with its state. */
export interface PlaceState {
  readonly name: string;
  readonly state: ServerState;
  /** The number of requests that wait there. */
  readonly waiting: number;
  readonly why?: string | undefined;
}

/** The one who is told what becomes of the list. */
export interface InboxTold {
  /** Called after changes, once for those that come together. */
  readonly changed: () => void;
  /** Told of a place that is gone although requests waited there. Default: nobody. */
  readonly ended?: ((name: string, waiting: number) => void) | undefined;
}

interface WaitingOptions extends InboxTold {
  /** Gives the places as they are now; it is asked again every second. */
  readonly places: () => readonly Place[];
  readonly clock: Clock;
  /** True for the requests of this person's own sessions alone (P-XRQ-5). Default: all. */
  readonly mine?: boolean | undefined;
  /** True for the requests that are for this person alone, by name or by role (P-XTO-4). Default: all. */
  readonly toMe?: boolean | undefined;
}

/** The rows that are wanted; undefined for all. */
function wantedBy({
  mine = false,
  toMe = false,
}: WaitingOptions): ((row: HeardRequest) => boolean) | undefined {
  if (!mine && !toMe) return undefined;
  return (row) => (!mine || row.mine === true) && (!toMe || row.to_me === true);
}

/** The time between two looks for places, and in which changes are gathered, in milliseconds. */
const LOOK_MS = 1_000;
const GATHER_MS = 50;

/** Everything that waits for this person, at all places. */
export class Waiting {
  readonly #options: WaitingOptions;
  readonly #watches = new Map<string, { readonly place: Place; readonly watch: ServerWatch }>();
  #stopLook = () => {};
  #stopGather: (() => void) | undefined;

  constructor(options: WaitingOptions) {
    this.#options = options;
    this.#look();
  }

  /** The requests with a deadline first, then the oldest. One that two places list is there once. */
  get rows(): readonly InboxRow[] {
    const rows = new Map<string, InboxRow["request"] & { readonly place: Place }>();
    for (const { place, watch } of this.#watches.values()) {
      for (const request of watch.rows) {
        const key = rowKey(request);
        if (rows.get(key)?.state !== "open") rows.set(key, { ...request, place });
      }
    }
    return requestsInOrder([...rows.values()]).map(({ place, ...request }) => ({ place, request }));
  }

  /** The number of requests that wait, where places have more than {@link rows} shows of them. */
  get all(): number {
    const beyond = [...this.#watches.values()].map(({ watch }) => watch.waiting - watch.rows.length);
    return beyond.reduce((sum, more) => sum + more, this.rows.length);
  }

  get places(): readonly PlaceState[] {
    return [...this.#watches.values()].map(({ place: { name }, watch: { state, waiting, why } }) => ({
      name,
      state,
      waiting,
      ...(why !== undefined && { why }),
    }));
  }

  /** Set once each place has said what waits there, or that it does not. */
  get isWhole(): boolean {
    return [...this.#watches.values()].every(({ watch }) => watch.state !== "connecting");
  }

  close(): void {
    this.#stopLook();
    this.#stopGather?.();
    for (const { watch } of this.#watches.values()) watch.close();
    this.#watches.clear();
  }

  #look(): void {
    const { places, clock, ended } = this.#options;
    const found = places();
    const keys = new Set(found.map(({ key }) => key));
    for (const [key, { place, watch }] of this.#watches) {
      if (keys.has(key)) continue;
      if (watch.lastKnown > 0) ended?.(place.name, watch.lastKnown);
      watch.close();
      this.#watches.delete(key);
      this.#tell();
    }
    for (const place of found) {
      if (this.#watches.has(place.key)) continue;
      const watch = new ServerWatch(place.open, clock, () => this.#tell(), wantedBy(this.#options));
      this.#watches.set(place.key, { place, watch });
      this.#tell();
    }
    this.#stopLook = clock.after(LOOK_MS, () => this.#look());
  }

  #tell(): void {
    const { clock, changed } = this.#options;
    this.#stopGather ??= clock.after(GATHER_MS, () => {
      this.#stopGather = undefined;
      changed();
    });
  }
}

/** All that waits, with what ends the watch, and the agents that were started for it. */
export interface Watched {
  readonly waiting: Waiting;
  close(): void;
}

/** Ids are unique in a session. */
export const rowKey = ({ session_id, request_id }: HeardRequest): string => `${session_id} ${request_id}`;
