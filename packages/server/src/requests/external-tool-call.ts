import type { ToolReturnValue } from "@askwire/protocol";
import { Interaction, type Settlement } from "./interaction.js";

/** A call of a client's own tool, sent to that client alone (P-EXT-4). */
export class ExternalToolCall extends Interaction<ToolReturnValue> {
  readonly kind = "tool_call";
  /** The connection that registered the tool. */
  readonly recipientId: string;
  /** The model's id of the call. Models repeat ids. */
  readonly toolCallId: string;
  /** The tool's. */
  readonly name: string;
  /** JSON text as the model wrote it. */
  readonly arguments: string | null;

  constructor(init: { recipientId: string; tool_call_id: string; name: string; arguments: string | null }) {
    super();
    this.recipientId = init.recipientId;
    this.toolCallId = init.tool_call_id;
    this.name = init.name;
    this.arguments = init.arguments;
  }

  /** Resolves with the settlement, and the client's value after an answer. Never rejects. */
  wait(): Promise<Settlement<ToolReturnValue>> {
    return this.ended();
  }
}

/** A result that tells the model that the tool failed, and the person in a word. */
export function failedToolResult(message: string, brief: string): ToolReturnValue {
  return { is_error: true, output: "", message, display: [{ type: "brief", text: brief }], extras: null };
}
