import { CheckFailure } from "../contract/check.js";
import { inShort, isObject } from "../contract/expectations.js";
import type { Player } from "../faults/player.js";
import { standingReply } from "./server-messages.js";
import type { ExchangeLog } from "./transcript.js";
import type { Waits } from "./waits.js";

/** A message of the client, as it came: an object, of which nothing else is known yet. */
export type ClientMessage = Readonly<Record<string, unknown>>;

/** The wire to a client, of which a check plays the other side. */
export interface ClientLine {
  /** Writes messages, in one go where the transport can. */
  send(...messages: readonly object[]): void;
  /**
   * Waits for the first message that fits and was not taken yet, and takes it.
   *
   * @param expected the message, in words.
   * @throws CheckFailure when the client's output ends before, or no client may write a line of it.
   */
  take(expected: string, fits: (message: ClientMessage) => boolean): Promise<ClientMessage>;
  /** Every message of the client so far, taken or not. */
  readonly messages: readonly ClientMessage[];
}

/** The rules for every line of a client, by what the suite has said to it on any of its connections. */
export interface LineRules {
  /** Hears of each message that the suite writes. */
  told(text: string): void;
  /** Hears of a message of the client. Returns what is wrong with it. */
  heard(message: ClientMessage): CheckFailure | undefined;
}

/** The surroundings of a line to a client. */
export interface LineSurroundings {
  readonly transcript: ExchangeLog;
  readonly waits: Waits;
  /** Makes the player of faults of the next connection. Undefined where no faults are ordered. */
  readonly player: (() => Player) | undefined;
  /** Hears of each message that the check writes. */
  onSent(text: string): void;
  readonly rules: LineRules;
  /** Hears of each message of the client that no client may write. */
  onFault(fault: CheckFailure): void;
  /** The methods whose requests the check answers itself, beside those that it always does. */
  readonly takes: readonly string[];
}

/** The messages of a client on one line. */
export interface Inbox extends Pick<ClientLine, "take" | "messages"> {
  /** Reads one message. */
  hear(bytes: Uint8Array): void;
  /** Nothing more comes. Whoever waits hears how it ended. */
  finish(how: string): void;
}

/** @param answer writes the reply to a request that no check is about. */
export function inbox(
  { transcript, waits, takes, rules, onFault }: LineSurroundings,
  answer: (reply: object) => void,
): Inbox {
  const messages: ClientMessage[] = [];
  const waiting: ClientMessage[] = [];
  let over: string | undefined;
  let fault: CheckFailure | undefined;
  /** The functions to call after any change. */
  const waiters: (() => void)[] = [];
  const wake = () => {
    for (const waiter of waiters.splice(0)) waiter();
  };
  return {
    messages,
    hear(bytes) {
      const text = Buffer.from(bytes).toString();
      transcript.add("received", text);
      const message = readMessage(text);
      const wrong =
        message === undefined
          ? new CheckFailure("one JSON object on each line", `the line ${inShort(text)}`)
          : rules.heard(message);
      fault ??= wrong;
      if (wrong !== undefined) onFault(wrong);
      if (message === undefined) return wake();
      messages.push(message);
      waiting.push(message);
      const reply = takes.includes(String(message.method)) ? undefined : standingReply(message);
      if (reply !== undefined) answer(reply);
      wake();
    },
    finish(how) {
      over ??= how;
      wake();
    },
    async take(expected, fits) {
      for (;;) {
        const index = waiting.findIndex(fits);
        if (index !== -1) return waiting.splice(index, 1)[0] as ClientMessage;
        if (fault !== undefined) throw fault;
        if (over !== undefined) throw new CheckFailure(expected, over);
        await waits.on(new Promise<void>((resolve) => waiters.push(resolve)), expected);
      }
    },
  };
}

function readMessage(text: string): ClientMessage | undefined {
  try {
    const message: unknown = JSON.parse(text);
    return isObject(message) ? message : undefined;
  } catch {
    return undefined;
  }
}
