import type { ToolCall } from "@askwire/protocol";
import { type OptionRules, option } from "@askwire/protocol/internal";
import { addressingRules } from "../requests/addressing.js";
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
export const askSettingRules: OptionRules<AskSettings> = {
  key: option.text,
  signal: option.signal,
  ...addressingRules,
};

/**
 * Sends a request, unless it was given up before.
 *
 * @throws the reason of the signal.
 */
export function put({ wire }: AskingPlace, request: PersonRequest, signal: AbortSignal | undefined): void {
  signal?.throwIfAborted();
  wire.send(request);
}
