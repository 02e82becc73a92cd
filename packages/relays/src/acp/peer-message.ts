/** A message of JSON-RPC, of which nothing is known yet. */
export interface PeerMessage {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** Reads a message; undefined for a text that is no JSON object. */
export function messageIn(text: string): PeerMessage | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
