import { isAsked } from "../contract/asked.js";
import { isObject } from "../contract/expectations.js";
import { payloadOf, type ServerMessage } from "./messages.js";

/** The numbers of the messages on one connection of an extended client, and the session's state by them. */
export interface Sequence {
  /** The expectation that a message with a wrong number or state broke. */
  wrongIn(message: ServerMessage): string | undefined;
}

/**
 * Messages count by one from where the client left off, or else from where its session is. A replay has no numbers, nor
 * has a request that is sent again (P-XAT-3, P-XAT-5, P-XRP-1).
 *
 * @param asked the place in the session that `initialize` names.
 * @param attached the session in its result.
 */
export function sequence(asked: unknown, attached: unknown): Sequence {
  const goesOn =
    isObject(asked) &&
    isObject(attached) &&
    typeof asked.stream === "string" &&
    typeof asked.after_seq === "number" &&
    attached.reset === false;
  const from = goesOn ? asked.after_seq : isObject(attached) ? attached.seq : undefined;
  let last = typeof from === "number" ? from : undefined;
  const state = goesOn ? undefined : statesFrom(attached);

  return {
    wrongIn(message) {
      const { method, params } = message;
      if (unnumbered.includes(method)) return undefined;
      const seq = params?.seq;
      if (params?.replayed === true) return seq === undefined ? undefined : "no seq in a replayed event";
      const mayComeAgain = method === "request" || isAsked(params?.type);
      if (seq === undefined && mayComeAgain) return undefined;
      if (!Number.isInteger(seq)) return `an integer as seq of every ${method}`;
      // Without a session nothing is counted (P-XLB-2).
      if (method === "alive") return seq === (last ?? 0) ? undefined : `${last ?? 0} as seq of this alive`;
      if (last !== undefined && seq !== last + 1) return `${last + 1} as seq of this ${method}`;
      last = seq as number;
      return state?.wrongIn(message);
    },
  };
}

/** The notifications about more than the session, and about a request of the client. */
const unnumbered: readonly unknown[] = [
  "$/cancelRequest",
  "sessions_changed",
  "requests_changed",
  "call_output",
];

/** The state of a session that a client finds idle: each message says what has changed by it (P-XST-2). */
function statesFrom(attached: unknown): Sequence | undefined {
  if (!isObject(attached) || attached.state !== "idle") return undefined;
  if (!Array.isArray(attached.pending) || attached.pending.length > 0) return undefined;
  const open = new Set<unknown>();
  let isUnderWay = false;
  let state: unknown = "idle";
  return {
    wrongIn(message) {
      const { type, state: told } = message.params ?? {};
      const { id, request_id, kind } = payloadOf(message);
      if (type === "TurnBegin") isUnderWay = true;
      if (type === "TurnEnd") isUnderWay = false;
      if (isAsked(type)) open.add(id);
      if (type === "InteractionOpened" && (kind === "question" || kind === "approval")) open.add(request_id);
      if (type === "InteractionSettled") open.delete(request_id);
      if (told !== undefined && told === state) return "no state in a message that changes none";
      state = told ?? state;
      const expected = open.size > 0 ? "waiting" : isUnderWay ? "running" : "idle";
      return state === expected ? undefined : `the state ${expected} from this ${String(type)} on`;
    },
  };
}
