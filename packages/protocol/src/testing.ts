import type { MessageChannel } from "./framing/channel.js";
import { linkedPair as bareLinkedPair, type Sniffer } from "./framing/linked-pair.js";

export {
  type LinkedChannels,
  type RunTest,
  type TransportSuiteOptions,
  transportSuite,
} from "./transport-suite.js";

/** Makes two linked channels with a check of every message. Default: each is one JSON-RPC 2.0 object. */
export function linkedPair(sniff: Sniffer = assertEnvelope): {
  left: MessageChannel;
  right: MessageChannel;
} {
  return bareLinkedPair(sniff);
}

/** Checks that a text on the wire is one JSON object without raw line separators. Throws with any other text. */
export function assertEnvelope(_from: string, text: string): void {
  const message = JSON.parse(text) as unknown;
  const object = typeof message === "object" && message !== null && !Array.isArray(message);
  if (!object || (message as { jsonrpc?: unknown }).jsonrpc !== "2.0" || /[\n\r\u2028\u2029]/.test(text)) {
    throw new Error(`not a message of the wire: ${text}`);
  }
}
