/**
 * The seam where any transport enters: it moves whole text messages and knows no methods. Stdio makes one of
 * lines, WebSocket of text frames, a test of two arrays.
 */
export interface MessageChannel {
  /**
   * Whether ids may be integers here too, as under `Content-Length` framing (P-FRM-5); asked at each message, since
   * the first bytes tell the framing. Default: false.
   */
  readonly integerIds?: boolean;
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
  /** One whole message. */
  message(text: string): void;
  /** A message over the limit was skipped. */
  oversized(limitBytes: number): void;
  /** What came cannot be cut into messages any more: the channel closes after this. Only some framings know such. */
  unreadable?(problem: string): void;
  /** Nothing more will come; with the cause if it was not an orderly end. */
  closed(cause?: Error): void;
}
