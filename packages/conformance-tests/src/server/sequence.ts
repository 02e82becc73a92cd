import { isObject } from "../expectations.js";
import type { Message } from "./messages.js";

/** The numbers of the events on one connection of an extended client. */
export interface Sequence {
  /** The expected number of a message whose number is wrong; else undefined. */
  wrongIn(message: Message): string | undefined;
}

/**
 * Checks the numbers of events and requests (P-XAT-3, P-XAT-5, P-XRP-1). Events count by one from the client's last
 * number, else from the session's. A request has the number of the event before it, and a replay none.
 *
 * @param asked the session in `initialize`.
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
