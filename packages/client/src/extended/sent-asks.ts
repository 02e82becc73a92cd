import { type AskParams, type HeardAskResult, type In, LocalError, WireError } from "@askwire/protocol";
import type { AgentPeer } from "../contract/conversation.js";

/** The asks that may wait for their outcome at once. */
const MOST_WAITING = 1_000;

interface Waiting {
  readonly params: In<typeof AskParams>;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (result: HeardAskResult) => void;
  readonly reject: (error: unknown) => void;
}

/** The asks of this client, each until its reply: every new connection sends them again under their keys (P-XAK-9). */
export class SentAsks {
  readonly #waiting = new Set<Waiting>();
  #peer: AgentPeer | undefined;
  #closed: LocalError | undefined;

  /**
   * Sends an ask, now or when there is a connection. Resolves with the reply.
   *
   * @param signal withdraws the questions; the reply then says so.
   * @throws LocalError INVALID_STATE where too many wait, CLOSED once the session is closed.
   */
  ask(params: In<typeof AskParams>, signal?: AbortSignal): Promise<HeardAskResult> {
    return new Promise((resolve, reject) => {
      if (this.#closed !== undefined) throw this.#closed;
      if (this.#waiting.size >= MOST_WAITING) {
        throw new LocalError("INVALID_STATE", `more than ${MOST_WAITING} asks wait for their outcome`);
      }
      const waiting = { params, signal, resolve, reject };
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
    const text = 'the connection closed before "ask" was answered';
    this.#closed = cause instanceof LocalError ? cause : new LocalError("CLOSED", text, { cause });
    for (const { reject } of this.#waiting) reject(this.#closed);
    this.#waiting.clear();
  }

  #send(waiting: Waiting): void {
    const peer = this.#peer;
    if (peer === undefined || peer.isClosed) return;
    const end = (tell: () => void) => {
      if (this.#waiting.delete(waiting)) tell();
    };
    try {
      peer.request("ask", waiting.params, waiting.signal).then(
        (result) => end(() => waiting.resolve(result)),
        (error: WireError | LocalError) => {
          // Without a connection there is no word on it yet.
          if (error instanceof WireError || !peer.isClosed) end(() => waiting.reject(error));
        },
      );
    } catch (error) {
      end(() => waiting.reject(error));
    }
  }
}
