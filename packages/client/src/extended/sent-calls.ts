import {
  type AskParams,
  type HeardAskResult,
  type In,
  LocalError,
  type UserInput,
  WireError,
} from "@askwire/protocol";
import { moreThan, Room, unitsOf } from "@askwire/protocol/internal";
import type { AgentPeer } from "../contract/conversation.js";

/** The calls that may wait for their reply at once, and the UTF-16 units of all. */
const MOST_WAITING = { count: 1_000, units: 64 * 1_048_576 };

/** The calls that may be sent twice and count once, each by its own name. */
interface Repeatable {
  ask: { readonly params: In<typeof AskParams>; readonly result: HeardAskResult };
  steer: {
    readonly params: { readonly user_input: UserInput; readonly steer_id: string };
    readonly result: object;
  };
}

interface Waiting {
  readonly units: number;
  send(peer: AgentPeer): Promise<unknown>;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The calls of this client that count once however often they are sent, each until its reply: every new connection
 * sends them again (P-XAK-9, P-XTR-3).
 */
export class SentCalls {
  readonly #waiting = new Set<Waiting>();
  readonly #room = new Room(MOST_WAITING);
  #peer: AgentPeer | undefined;
  #closed: LocalError | undefined;

  /**
   * Sends a call, now or when there is a connection. Resolves with the reply.
   *
   * @param signal cancels the call; the reply then says so.
   * @throws LocalError INVALID_STATE where too many wait, CLOSED once the session is closed.
   */
  call<M extends keyof Repeatable>(
    method: M,
    params: Repeatable[M]["params"],
    signal?: AbortSignal,
  ): Promise<Repeatable[M]["result"]> {
    return new Promise((resolve, reject) => {
      if (this.#closed !== undefined) throw this.#closed;
      const units = unitsOf(params);
      if (!this.#room.take(units)) {
        throw new LocalError("INVALID_STATE", `${moreThan(MOST_WAITING, "calls")} wait for their reply`);
      }
      const send = async (peer: AgentPeer) => {
        // Sent whole, what the server has withdrawn already would be asked anew (P-XAK-9).
        if (signal?.aborted && "key" in params) {
          try {
            return await peer.request(method, { key: params.key } as never, signal);
          } catch (error) {
            if (!(error instanceof WireError && error.is("UnknownRequest"))) throw error;
          }
        }
        return peer.request(method, params as never, signal);
      };
      const waiting = { units, send, resolve, reject };
      this.#waiting.add(waiting);
      this.#send(waiting);
    });
  }

  /** A new connection is attached. */
  resume(peer: AgentPeer): void {
    this.#peer = peer;
    for (const waiting of [...this.#waiting]) this.#send(waiting);
  }

  lost(): void {
    this.#peer = undefined;
  }

  /** The session ends. */
  close(cause: Error | undefined): void {
    this.#peer = undefined;
    const text = "the connection closed before the server had replied";
    this.#closed = cause instanceof LocalError ? cause : new LocalError("CLOSED", text, { cause });
    for (const { reject } of this.#waiting) reject(this.#closed);
    this.#waiting.clear();
  }

  #send(waiting: Waiting): void {
    const peer = this.#peer;
    if (peer === undefined || peer.isClosed) return;
    const end = (tell: () => void) => {
      if (!this.#waiting.delete(waiting)) return;
      this.#room.leave(waiting.units);
      tell();
    };
    waiting.send(peer).then(
      (result) => end(() => waiting.resolve(result as never)),
      (error: WireError | LocalError) => {
        // Without a connection there is no word on it yet.
        if (error instanceof WireError || !peer.isClosed) end(() => waiting.reject(error));
      },
    );
  }
}
