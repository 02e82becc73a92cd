/** A way to one client, with a count of what the client has not been waited for. */
export interface Pace {
  /** Sends a whole message. */
  pass(text: string): void;
  /** True once the client is to be waited for. */
  isFull(): boolean;
  /** Resolves once the client has taken most of it. */
  drained(): Promise<void>;
}

/**
 * @param pass sends a whole message; gives how many UTF-16 units that were.
 * @param drained resolves once at most that many bytes wait to be sent.
 * @param most UTF-16 units between two waits for the client, and the bytes that may wait after one.
 */
export function paced(
  pass: (text: string) => number,
  drained: (bytes: number) => Promise<void>,
  most: number,
): Pace {
  let unread = 0;
  return {
    pass(text) {
      unread += pass(text);
    },
    isFull: () => unread > most,
    async drained() {
      await drained(most);
      unread = 0;
    },
  };
}
