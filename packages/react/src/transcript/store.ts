import type { ClientHandlers, ClientTurn, HistoryHandlers } from "@askwire/client";
import type { Unrecognized, WireEvent } from "@askwire/protocol";
import { type Store, store } from "../hooks/store.js";
import {
  type Bounds,
  type Conversation,
  empty,
  type KeptConversation,
  kept,
  withTold,
} from "./conversation.js";
import { turnAsks } from "./turn-so-far.js";
import { withPrinted } from "./with-event.js";
import { approvalAsked, questionAsked, withRequest } from "./with-request.js";

/** The conversation of a connection, for a user interface. Listeners are told at most once a frame, and of what was said before once all of it has come. */
export interface TranscriptStore extends Store<Conversation> {
  /** The handlers to give to the connection: the given ones, which are called too, and those of the conversation. */
  readonly handlers: ClientHandlers & Required<Pick<ClientHandlers, "event" | "history" | "callOutput">>;
  /** Marks a turn as prompted by this page. Returns the turn. */
  prompting(turn: ClientTurn): ClientTurn;
  /**
   * Forgets all. To be called where the connection is open again with `reset`, after which the conversation comes anew.
   */
  reset(): void;
}

/** The circumstances of a {@link transcript}. Every member is optional. */
export interface TranscriptOptions {
  /** Handlers that are called too, such as those of `openRequests()`. Their requests are told in the conversation. */
  readonly handlers?: ClientHandlers;
  /** The parts that are kept, and the characters of all. Default: 2,000 and 8 Mi; older parts are left out. */
  readonly bounds?: Partial<Bounds>;
  /** Calls back at the next redraw. Default: `requestAnimationFrame`, and at once after the event where there is none. */
  readonly onFrame?: (redraw: () => void) => void;
  /** The time in milliseconds since 1970, for the ends of turns. Default: `Date.now`. */
  readonly now?: () => number;
}

/** The prompts of this page that are remembered by the ids of their turns. */
const OWN_TURNS = 1_000;

const nextFrame = (redraw: () => void): void => {
  if (typeof requestAnimationFrame === "function") requestAnimationFrame(redraw);
  else queueMicrotask(redraw);
};

/** Collects the conversation of a connection: first the earlier part, then the rest as it comes, without repeats. */
export function transcript(options: TranscriptOptions = {}): TranscriptStore {
  const { handlers: inner = {}, onFrame = nextFrame, now = Date.now } = options;
  const bounds: Bounds = { entries: 2_000, characters: 8 * 1024 * 1024, ...options.bounds };
  let latest: KeptConversation = empty;
  let isAwaited = false;
  const own = new Set<string>();
  const { current, subscribe, set } = store<Conversation>(empty);

  function become(next: KeptConversation): void {
    if (next === latest) return;
    latest = next;
    // Earlier turns are shown at once: drawn piece by piece, a long conversation holds up all else.
    const isToldLater = next.isComing && current().isComing;
    if (isAwaited || isToldLater) return;
    isAwaited = true;
    onFrame(() => {
      isAwaited = false;
      set(latest);
    });
  }

  const tell = (event: WireEvent | Unrecognized) =>
    become(withTold(latest, event, { isOwn: isOwn(event, own), bounds, now: now() }));
  const ask = (request: Parameters<typeof withRequest>[1]) =>
    become(kept(latest, withRequest(latest.entries, request), bounds));

  /** A request of the agent to this person, for which its turn waits. Others may be of a program. */
  function waits(id: string, callId: string | null | undefined): void {
    const isOfTurn = latest.isRunning && typeof callId === "string" && callId !== "";
    if (isOfTurn) become({ ...latest, turn: turnAsks(latest.turn, id, now()) });
  }

  /** A history that begins takes the place of what was told. */
  function comes(): void {
    if (!latest.isComing) become({ ...empty, isComing: true });
  }

  const history: HistoryHandlers = {
    event(event) {
      comes();
      tell(event);
      inner.history?.event?.(event);
    },
    request(request) {
      comes();
      if (request.type === "QuestionRequest") ask(questionAsked(request.payload));
      if (request.type === "ApprovalRequest") ask(approvalAsked(request.payload));
      inner.history?.request?.(request);
    },
    end(whole) {
      comes();
      become({ ...latest, isComing: false, isCut: latest.isCut || !whole });
      inner.history?.end?.(whole);
    },
  };

  const { question, approval } = inner;
  return {
    handlers: {
      ...inner,
      history,
      event(event) {
        tell(event);
        inner.event?.(event);
      },
      callOutput(output) {
        become(kept(latest, withPrinted(latest.entries, output), bounds));
        inner.callOutput?.(output);
      },
      ...(question !== undefined && {
        question(request, context) {
          ask(questionAsked(request));
          waits(request.id, request.tool_call_id);
          return question(request, context);
        },
      }),
      ...(approval !== undefined && {
        approval(request, context) {
          ask(approvalAsked(request));
          waits(request.id, request.tool_call_id);
          return approval(request, context);
        },
      }),
    },
    current,
    subscribe,
    prompting(turn) {
      if (turn.id !== undefined) own.add(turn.id);
      const [oldest] = own;
      if (own.size > OWN_TURNS && oldest !== undefined) own.delete(oldest);
      return turn;
    },
    reset: () => become(empty),
  };
}

/** True for the beginning of a turn that this page asked for. */
const isOwn = (event: WireEvent | Unrecognized, own: ReadonlySet<string>) =>
  event.type === "TurnBegin" && event.payload.turn_id !== undefined && own.has(event.payload.turn_id);
