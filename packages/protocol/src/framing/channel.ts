/**
 * The seam where any transport enters: it moves whole text messages and knows no methods. Stdio makes one of
 * lines, WebSocket of text frames, a test of two arrays.
 */
export interface MessageChannel {
  /**
   * Hands one message to the transport, in order. Ignored once closed. A transport whose other side does not read
   * gives the connection up at its limit.
   */
  send(text: string): void;
  /** Starts delivery. Called once. */
  listen(sink: ChannelSink): void;
  /** Ends the connection after what was sent. `code` is one of `closeCodes`, for transports that have such. */
  close(code?: number, reason?: string): void;
  /** Resolves at once while at most `bytes` wait to be sent, else once they are sent or the channel closes. */
  drained(bytes: number): Promise<void>;
}

/** Where a channel delivers to. `closed` comes once and last. */
export interface ChannelSink {
  message(text: string): void;
  /** A message over the limit was skipped. */
  oversized(limitBytes: number): void;
  closed(cause?: Error): void;
}
