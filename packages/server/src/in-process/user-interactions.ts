import { EXTENDED_REVISION, LocalError } from "@askwire/protocol";
import { errorText } from "@askwire/protocol/internal";
import { getWire } from "../agent/context.js";
import { nobodyKnown } from "../requests/addressing.js";
import { type AnyInteraction, isForClient, type PersonRequest } from "../requests/core.js";
import type { Settlement } from "../requests/interaction.js";
import type { AllowedFeatures } from "../requests/shows.js";
import { uuid } from "../runtime/uuid.js";
import { type ServedSession, servedSession } from "../session/served-session.js";
import type { Session } from "../session/session.js";
import type { UserInteractionOptions, UserInteractions } from "./interaction-channel.js";
import { requestOf, shownInteraction } from "./interaction-request.js";
import { responseOf, saidBy } from "./interaction-response.js";
import type { UserInteractionRequest } from "./interaction-shapes.js";
import { ChannelRequests, type Shown } from "./shown-requests.js";

/** Nearly everything that a question can have is shown; images and fields have no form here. */
const shows: AllowedFeatures = {
  scopes: true,
  revision: EXTENDED_REVISION,
  previews: true,
  notes: true,
  skip: true,
  attachments: false,
  deadline: false,
  fields: false,
  approval_options: true,
  edits: false,
};

/**
 * Opens a channel to a session for a program that shows its questions and approvals itself, in klaude-code's shapes
 * (P-KLA-7 to P-KLA-10, L-01 to L-14). The channel counts as a client that can ask, in any dialect.
 *
 * @throws LocalError CLOSED for a session that has ended.
 */
export function userInteractions(of: Session, options: UserInteractionOptions = {}): UserInteractions {
  return new Channel(servedSession(of), options);
}

/** A channel's side of its session. Its functions are fields, so that a program may take them apart. */
class Channel implements UserInteractions {
  readonly #session: ServedSession;
  readonly #options: UserInteractionOptions;
  readonly #id = uuid();
  readonly #shown: ChannelRequests;
  /** The names of requests on this channel, by their own ids. */
  readonly #names = new Map<string, string>();
  readonly #leave: () => void;
  #hasJoined = false;

  constructor(session: ServedSession, options: UserInteractionOptions) {
    this.#session = session;
    this.#options = options;
    this.#shown = new ChannelRequests(session.id);
    this.#leave = session.join({
      id: this.#id,
      canShow: () => true,
      show: (request) => this.#show(request),
      settled() {},
      closed: () => this.#shown.close(),
    });
    this.#hasJoined = true;
  }

  get pending(): number {
    return this.#shown.size;
  }

  readonly request: UserInteractions["request"] = async (init) => {
    if (this.#shown.isClosed) throw new LocalError("CLOSED", "the channel is closed");
    const request = requestOf(init);
    if (init.request_id !== undefined) this.#name(request, init.request_id);
    const ended = ending(request);
    const wire = getWire();
    try {
      if (wire === undefined) this.#session.open(request);
      else wire.send(request);
      return responseOf(request, await ended);
    } finally {
      this.#names.delete(request.id);
    }
  };

  readonly respond: UserInteractions["respond"] = (requestId, sessionId, response) =>
    this.#answer(this.#shown.find(requestId, sessionId), response);

  readonly outcome: UserInteractions["outcome"] = async (requestId) =>
    this.#shown.outcome(requestId) ??
    (await ending(this.#shown.find(requestId, this.#session.id).request)).outcome;

  readonly cancelPending: UserInteractions["cancelPending"] = (sessionId = this.#session.id) => {
    if (sessionId !== this.#session.id || this.#shown.size === 0) return false;
    for (const shown of this.#shown.all()) {
      const isOpen = this.#shown.isOpen(shown.event.request_id);
      if (isOpen) this.#answer(shown, { status: "cancelled", payload: null });
    }
    return true;
  };

  readonly nextRequest: UserInteractions["nextRequest"] = (signal) => this.#shown.next(signal);

  readonly close = (): void => {
    this.#leave();
    this.#shown.close();
  };

  #show(request: AnyInteraction): void {
    if (isForClient(request)) return;
    const event = shownInteraction(request, this.#session.id, this.#names.get(request.id) ?? request.id);
    this.#shown.add({ request, event });
    if (this.#hasJoined) void this.#tell(request, event);
    // Earlier open requests are told once the channel's maker has it.
    else queueMicrotask(() => this.#shown.isOpen(event.request_id) && void this.#tell(request, event));
  }

  async #tell(request: PersonRequest, event: UserInteractionRequest): Promise<void> {
    try {
      await this.#options.onRequest?.(event);
    } catch (error) {
      this.#shown.remove(event.request_id);
      this.#session.core.fail(request.id, this.#id, "protocol_error", errorText(error));
    }
  }

  #answer({ request }: Shown, response: unknown): void {
    const { name = "klaude" } = this.#options;
    const client = { name, connection: this.#id };
    const params = { ...saidBy(request, response), request_id: request.id, answer_id: uuid() };
    this.#session.answers.answer(params, {
      recipientId: this.#id,
      client,
      person: nobodyKnown,
      shows,
      may: () => true,
    });
  }

  /** Names a request as its maker does. */
  #name(request: PersonRequest, id: string): void {
    const isUsed = this.#shown.knows(id) || [...this.#names.values()].includes(id);
    if (isUsed || this.#session.core.knows(id)) {
      throw new LocalError("INVALID_STATE", `Duplicate user interaction request id: ${id}`);
    }
    this.#names.set(request.id, id);
  }
}

const ending = (request: PersonRequest): Promise<Settlement<unknown>> => request.ended();
