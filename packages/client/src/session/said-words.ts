import { LocalError, type UserInput } from "@askwire/protocol";
import { errorText, moreThan, Room, randomId } from "@askwire/protocol/internal";
import type { Deliveries, DeliveryEntry } from "../contract/deliveries.js";
import type { Outbox } from "../contract/delivery.js";
import type { AnyEvent } from "../contract/observer.js";
import type { ClientSession } from "../contract/session.js";
import type { ClientTurn } from "../contract/turn.js";
import { say } from "./say.js";

/** The messages that may wait, for the server or for the agent, and the UTF-16 units of all. */
const MOST_WAITING = { count: 1_000, units: 64 * 1_048_576 };

/** Words that wait at the server, or in a turn of the agent that has not read them. */
interface Unread {
  readonly text: string;
  readonly entry: DeliveryEntry;
  isTaken: boolean;
  /** True once none of them waits. */
  isGone: boolean;
}

/** The words that a person says, one after the other. */
export class SaidWords {
  readonly #deliveries: Deliveries;
  #unread: Unread[] = [];
  readonly #room = new Room(MOST_WAITING);
  #last: Promise<unknown> = Promise.resolve();

  constructor(deliveries: Deliveries) {
    this.#deliveries = deliveries;
  }

  outbox(session: Parameters<typeof say>[0]): Outbox {
    const { current, subscribe } = this.#deliveries;
    return {
      current,
      subscribe,
      say: (input, onTurn, options) => this.#say(session, input, onTurn, options),
    };
  }

  /** Takes the words off that the agent has read, and those that it will no longer read. */
  heard(event: AnyEvent): void {
    if (this.#unread.length === 0) return;
    if (event.type === "TurnEnd")
      for (const unread of this.#unread.filter(({ isTaken }) => isTaken)) this.#end(unread);
    if (event.type !== "SteerInput") return;
    const said = JSON.stringify(event.payload.user_input);
    const read = this.#unread.find(({ text }) => text === said);
    if (read !== undefined) this.#end(read);
  }

  async #say(
    session: Pick<ClientSession, "prompt" | "steer" | "slashCommands">,
    input: UserInput,
    onTurn?: (turn: ClientTurn) => void,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<ClientTurn | undefined> {
    const text = JSON.stringify(input);
    if (!this.#room.take(text.length)) {
      throw new LocalError("INVALID_STATE", `${moreThan(MOST_WAITING, "messages")} wait for the agent`);
    }
    const entry = this.#deliveries.add({ kind: "words", id: randomId(), input });
    const unread: Unread = { text, entry, isTaken: false, isGone: false };
    const waits = this.#last.then(() => this.#deliveries.connection());
    const said = untilTakenBack(waits, signal).then(async () => {
      // The agent may have read them before the reply is handled.
      this.#unread.push(unread);
      return await say(session, input, onTurn);
    });
    // Words that were taken back let the next ones wait for those before.
    this.#last = said.catch(() => {}).then(() => waits.catch(() => {}));
    try {
      const turn = await said;
      if (turn !== undefined) this.#end(unread);
      else {
        unread.isTaken = true;
        entry.taken();
      }
      return turn;
    } catch (error) {
      this.#forget(unread);
      entry.end({ is: "failed", problem: error instanceof Error ? error.message : errorText(error) });
      throw error;
    }
  }

  #end(unread: Unread): void {
    this.#forget(unread);
    unread.entry.end({ is: "taken" });
  }

  #forget(unread: Unread): void {
    if (unread.isGone) return;
    unread.isGone = true;
    this.#room.leave(unread.text.length);
    this.#unread = this.#unread.filter((other) => other !== unread);
  }
}

/** Waits as given, and rejects with the signal's reason where that comes first. */
function untilTakenBack(waits: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return waits;
  return new Promise((resolve, reject) => {
    const takeBack = () => reject(signal.reason);
    if (signal.aborted) takeBack();
    signal.addEventListener("abort", takeBack, { once: true });
    waits.then(resolve, reject).finally(() => signal.removeEventListener("abort", takeBack));
  });
}
