import { Interaction, type Settlement } from "./interaction.js";

/** The answer of a client's hook. */
export interface HookAnswer {
  readonly action: "allow" | "block";
  /** Empty if it gave none. */
  readonly reason: string;
}

/** A call of a client's hook for an event (P-HOK-2). */
export class HookCall extends Interaction<HookAnswer> {
  readonly kind = "hook";
  /** The connection that subscribed. */
  readonly recipientId: string;
  /** The tool call that is the event's subject; empty without a tool call. */
  readonly toolCallId: string;
  /** The client's own id of the subscription. */
  readonly subscriptionId: string;
  readonly event: string;
  /** The text that the matcher was searched in. */
  readonly target: string;
  /** The event in the words of Kimi's hooks (P-HOK-5). */
  readonly inputData: Readonly<Record<string, unknown>>;

  constructor(init: {
    recipientId: string;
    subscription_id: string;
    event: string;
    target: string;
    input_data: Readonly<Record<string, unknown>>;
  }) {
    super();
    const { tool_call_id } = init.input_data;
    this.recipientId = init.recipientId;
    this.toolCallId = typeof tool_call_id === "string" ? tool_call_id : "";
    this.subscriptionId = init.subscription_id;
    this.event = init.event;
    this.target = init.target;
    this.inputData = init.input_data;
  }

  /** Resolves with the settlement, and the hook's word after an answer. Never rejects. */
  wait(): Promise<Settlement<HookAnswer>> {
    return this.ended();
  }
}
