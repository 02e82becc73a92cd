/**
 * The seam for any transport: a channel moves whole text messages and knows no methods. Stdio makes a channel of lines,
 * WebSocket of text frames, a test of two arrays.
 */
export interface MessageChannel {
  /**
   * True if an id must be a string, as on the lines of Kimi's server (P-FRM-5). Default: false, so integers are ids too.
   * Read at each message, since the first bytes decide the framing.
   */
  readonly stringIds?: boolean;
  /**
   * Hands a message to the transport, in order. Ignored once closed. A transport closes the connection at its limit if
   * the other side does not read.
   *
   * @param isAhead set for a message that goes ahead of those that wait for something else than the transport. Ignored by
   * channels where none does.
   */
  send(text: string, isAhead?: true | undefined): void;
  /** Starts delivery. Called once. */
  listen(sink: ChannelSink): void;
  /**
   * Ends the connection after all sent messages. `code` is a value of `closeCodes`, for transports with close codes.
   */
  close(code?: number, reason?: string): void;
  /**
   * Takes no further input until the promise settles, so that the other side waits too. Messages of input that was
   * taken are still delivered. Left out by transports that cannot wait.
   */
  hold?(until: Promise<unknown>): void;
  /** The bytes so far, those of unfinished messages too. Left out by transports that cannot count them. */
  readonly bytesRead?: number;
  /** Resolves at once while at most `bytes` wait to be sent, else once they are sent or the channel closes. */
  drained(bytes: number): Promise<void>;
}

/** The receiver of a channel's messages. `closed` comes once and last. */
export interface ChannelSink {
  /** Takes a whole message. */
  message(text: string): void;
  /** A message over the limit was skipped. */
  oversized(limitBytes: number): void;
  /** Reports that the input can no longer be cut into messages, in some framings only. The channel then closes. */
  unreadable?(problem: string): void;
  /** Reports that the channel has ended, with the cause unless the end was orderly. */
  closed(cause?: Error): void;
}
