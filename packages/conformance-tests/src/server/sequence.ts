import { isObject } from "../expectations.js";
import type { Message } from "./messages.js";

/** The numbers of the events on one connection of an extended client. */
export interface Sequence {
  /** What was expected of a message whose number is wrong. */
  wrongIn(message: Message): string | undefined;
}

/**
 * Events count by one from where the client left off, or else from where its session is; a request carries the number
 * of the event before it, and a replay none (P-XAT-3, P-XAT-5, P-XRP-1).
 *
 * @param asked what `initialize` said of the session.
 * @param attached what its result said of it.
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

  return {
    wrongIn({ method, params }) {
      if (method === "$/cancelRequest") return undefined;
      const seq = params?.seq;
      if (params?.replayed === true) return seq === undefined ? undefined : "no seq in a replayed event";
      if (!Number.isInteger(seq)) return `an integer as seq of every ${method}`;
      const next = last === undefined ? seq : method === "event" ? last + 1 : last;
      if (seq !== next) return `${next} as seq of this ${method}`;
      last = seq as number;
      return undefined;
    },
  };
}
