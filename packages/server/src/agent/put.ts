import type { ToolCall } from "@askwire/protocol";
import { type OptionRules, option } from "@askwire/protocol/internal";
import type { PersonRequest } from "../requests/core.js";
import type { AskSettings } from "./ask-types.js";
import type { Wire } from "./wire.js";

/** The place that a request is made in. */
export interface AskingPlace {
  readonly wire: Wire;
  /** Undefined outside a tool call. */
  readonly toolCall: ToolCall | undefined;
}

/** The rules for {@link AskSettings}. */
export const askSettingRules: OptionRules<AskSettings> = { key: option.text, signal: option.signal };

/**
 * Sends a request, and takes it back when the signal is aborted.
 *
 * @throws the reason of the signal, and whatever `wait` throws.
 */
export async function put<T>(
  { wire }: AskingPlace,
  request: PersonRequest,
  signal: AbortSignal | undefined,
  wait: () => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const takeBack = () => void request.reject(signal?.reason);
  signal?.addEventListener("abort", takeBack, { once: true });
  try {
    request.sent = true;
    wire.send(request);
    return await wait();
  } catch (error) {
    if (request.outcome?.reason === "agent") signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener("abort", takeBack);
  }
}
