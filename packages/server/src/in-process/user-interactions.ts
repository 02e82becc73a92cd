import { EXTENDED_REVISION, LocalError, type Outcome, WireError } from "@askwire/protocol";
import { errorText } from "@askwire/protocol/internal";
import { getWire } from "../agent/context.js";
import { isForClient, type PersonRequest } from "../requests/core.js";
import type { Settlement } from "../requests/interaction.js";
import type { Shows } from "../requests/shows.js";
import { Remembered } from "../runtime/remembered.js";
import { uuid } from "../runtime/uuid.js";
import type { InProcessClient } from "../session/client.js";
import { servedSession } from "../session/served-session.js";
import type { Session } from "../session/session.js";
import type { UserInteractionOptions, UserInteractions } from "./interaction-channel.js";
import { requestOf, shown } from "./interaction-request.js";
import { responseOf, said } from "./interaction-response.js";
import type { UserInteractionRequest } from "./interaction-shapes.js";
import { createNews } from "./news.js";

/** Settled requests that are remembered at least, to refuse late answers. */
const REMEMBERED = 256;

/** Nearly everything that a question can have is shown; images and fields have no form here. */
const shows: Shows = {
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

interface Open {
  readonly request: PersonRequest;
  readonly event: UserInteractionRequest;
  taken: boolean;
}

/**
 * Opens a channel to a session for a program that shows its questions and approvals itself, in klaude-code's shapes
 * (P-KLA-7 to P-KLA-10, L-01 to L-14). The channel counts as a client that can ask, in any dialect.
 *
 * @throws LocalError CLOSED for a session that has ended.
 */
export function userInteractions(of: Session, options: UserInteractionOptions = {}): UserInteractions {
  const session = servedSession(of);
  const { name = "klaude", onRequest } = options;
  const recipientId = uuid();
  const client = { name, connection: recipientId };
  const open = new Map<string, Open>();
  const settled = new Remembered<Outcome>(REMEMBERED);
  /** The names of requests on this channel, by their own ids. */
  const names = new Map<string, string>();
  const news = createNews();
  let hasJoined = false;
  let isClosed = false;

  function end(): void {
    isClosed = true;
    open.clear();
    news.wake();
  }

  async function tell(request: PersonRequest, event: UserInteractionRequest): Promise<void> {
    try {
      await onRequest?.(event);
    } catch (error) {
      open.delete(event.request_id);
      session.core.fail(request.id, recipientId, "protocol_error", errorText(error));
    }
  }

  const recipient: InProcessClient = {
    id: recipientId,
    canShow: () => true,
    show(request) {
      if (isForClient(request)) return;
      const event = shown(request, session.id, names.get(request.id) ?? request.id);
      open.set(event.request_id, { request, event, taken: false });
      // By the request itself: how it ends is remembered also where the channel is off it by then.
      request.onSettled(({ outcome }: Settlement<unknown>) => {
        open.delete(event.request_id);
        settled.set(event.request_id, outcome);
      });
      news.wake();
      if (hasJoined) void tell(request, event);
      // Earlier open requests are told once the channel's maker has it.
      else queueMicrotask(() => open.has(event.request_id) && void tell(request, event));
    },
    settled() {},
    closed: end,
  };

  function answer({ request }: Open, response: unknown): void {
    const params = { ...said(request, response), request_id: request.id, answer_id: uuid() };
    session.answers.answer(params, { recipientId, client, shows, may: () => true });
  }

  function find(requestId: string, sessionId: string): Open {
    const found = open.get(requestId);
    const outcome = settled.get(requestId);
    if ((found !== undefined || outcome !== undefined) && sessionId !== session.id) {
      throw new WireError("SessionMismatch", "Session mismatch for pending user interaction");
    }
    if (found !== undefined) return found;
    if (outcome !== undefined) {
      const why = "User interaction request is already resolved";
      throw new WireError("AlreadyResolved", why, { data: { outcome } });
    }
    const why = open.size === 0 ? "No pending user interaction" : "Unknown user interaction request id";
    throw new WireError("UnknownRequest", why);
  }

  const ending = (request: PersonRequest): Promise<Settlement<unknown>> => request.ended();

  const leave = session.join(recipient);
  hasJoined = true;
  return {
    get pending() {
      return open.size;
    },
    async request(init) {
      if (isClosed) throw new LocalError("CLOSED", "the channel is closed");
      const request = requestOf(init);
      const { request_id: id } = init;
      if (id !== undefined) {
        const isUsed = open.has(id) || settled.get(id) !== undefined || [...names.values()].includes(id);
        if (isUsed || session.core.knows(id)) {
          throw new LocalError("INVALID_STATE", `Duplicate user interaction request id: ${id}`);
        }
        names.set(request.id, id);
      }
      const ended = ending(request);
      const wire = getWire();
      try {
        if (wire === undefined) session.open(request);
        else wire.send(request);
        return responseOf(request, await ended);
      } finally {
        names.delete(request.id);
      }
    },
    respond: (requestId, sessionId, response) => answer(find(requestId, sessionId), response),
    async outcome(requestId) {
      const known = settled.get(requestId);
      return known ?? (await ending(find(requestId, session.id).request)).outcome;
    },
    cancelPending(sessionId = session.id) {
      if (sessionId !== session.id || open.size === 0) return false;
      for (const [id, entry] of [...open]) {
        if (open.has(id)) answer(entry, { status: "cancelled", payload: null });
      }
      return true;
    },
    async nextRequest(signal) {
      for (;;) {
        signal?.throwIfAborted();
        const next = [...open.values()].find(({ taken }) => !taken);
        if (next !== undefined) {
          next.taken = true;
          return next.event;
        }
        if (isClosed) return undefined;
        await news.next(signal);
      }
    },
    close() {
      leave();
      end();
    },
  };
}
