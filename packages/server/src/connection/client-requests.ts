import { errorText, eventText } from "@askwire/protocol/internal";
import { extendedProfile } from "../profiles/extended-profile.js";
import { type AnyInteraction, isForClient, type PersonRequest } from "../requests/core.js";
import type { AllowedFeatures } from "../requests/shows.js";
import type { LogEntry } from "../session/event-log.js";
import type { Opening } from "../session/opening.js";
import type { ConnectionParts } from "./client-side.js";
import { PutRequests } from "./put-requests.js";

export interface ClientRequestsOptions {
  readonly line: ConnectionParts;
  /** The id that the core knows the client by. */
  readonly recipientId: string;
  /** The features that the client can show. */
  readonly shows: AllowedFeatures;
  /** Sends a whole message; gives how many UTF-16 units that were. */
  readonly pass: (text: string) => number;
  /** Something is sent in another way. */
  readonly sent: () => void;
}

/** The requests as one extended client is sent them: a person's as events, and calls of its tools and hooks as such. */
export class ClientRequests {
  readonly #options: ClientRequestsOptions;
  readonly #calls: PutRequests;

  constructor(options: ClientRequestsOptions) {
    this.#options = options;
    const { line, recipientId } = options;
    this.#calls = new PutRequests(line, recipientId, extendedProfile);
  }

  /** True while the core has this client among those that show the request. */
  readonly isAsked = (request: AnyInteraction): boolean => {
    const { line, recipientId } = this.#options;
    return !("code" in line.session.core.find(request.id, recipientId));
  };

  /** Sends an entry of the log; gives how many UTF-16 units that were. */
  entry(entry: LogEntry, isLive: boolean): number {
    const { pass, sent } = this.#options;
    if (typeof entry === "string") return pass(entry);
    const { request } = entry;
    if (request === undefined || !this.isAsked(request)) return pass(entry.short());
    if (!isForClient(request)) return pass(this.#whole(entry, request) ?? entry.short());
    sent();
    return isLive && this.#calls.put(request, entry.marks) ? 0 : pass(entry.short());
  }

  /** Sends an open request without a number: the number of its opening was sent before. */
  again(request: AnyInteraction): void {
    const { line, shows, pass, sent } = this.#options;
    if (request.resolved) return;
    if (!this.isAsked(request)) return this.#forOthers(request);
    if (isForClient(request)) {
      sent();
      this.#calls.put(request);
      return;
    }
    const text = this.#attempt(request, () => line.session.eventLog.asked(request, shows));
    if (text === undefined) return;
    pass(text);
    const update = line.session.updateOf(request);
    if (update !== undefined) pass(eventText("InteractionUpdated", update, {}));
  }

  /** Tells the client that a request which it may have been sent is for others (P-XTO-2). */
  #forOthers(request: AnyInteraction): void {
    const to = isForClient(request) ? undefined : request.addressing?.to;
    if (to === undefined) return;
    const { id: request_id, kind } = request;
    this.#options.pass(eventText("InteractionOpened", { request_id, kind, to }, {}));
  }

  /** A program is told that no answer is awaited; a person hears of it by an event. */
  settled(request: AnyInteraction): void {
    this.#calls.settled(request, isForClient(request));
  }

  #whole(opening: Opening, request: PersonRequest): string | undefined {
    const { recipientId, shows } = this.#options;
    const text = this.#attempt(request, () => opening.whole(request, shows));
    if (text !== undefined) opening.tell(recipientId);
    return text;
  }

  /** A request that cannot be sent takes the client off it. */
  #attempt(request: PersonRequest, write: () => string): string | undefined {
    try {
      return write();
    } catch (error) {
      const { line, recipientId } = this.#options;
      const note = error instanceof Error ? error.message : errorText(error);
      line.log.warn(
        { connection: line.connection, request: request.id, note },
        "a request could not be sent",
      );
      line.session.core.fail(request.id, recipientId, "protocol_error", note);
      return undefined;
    }
  }
}
