import { Interaction, type Settlement } from "./interaction.js";

/** What a client's hook said. */
export interface HookAnswer {
  readonly action: "allow" | "block";
  /** Empty if it gave none. */
  readonly reason: string;
}

/** Asks one client what its hook says to an event (P-HOK-2). */
export class HookCall extends Interaction<HookAnswer> {
  readonly kind = "hook";
  /** The connection that subscribed. */
  readonly recipientId: string;
  /** The tool call that the event is about; empty where there is none. */
  readonly toolCallId: string;
  /** The client's own id of the subscription. */
  readonly subscriptionId: string;
  readonly event: string;
  /** What the matcher was searched in. */
  readonly target: string;
  /** What the event tells, in the words of Kimi's hooks (P-HOK-5). */
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

  /** How it ended; with what the hook said if it was answered. Never rejects. */
  wait(): Promise<Settlement<HookAnswer>> {
    return this.settled((settlement) => settlement);
  }
}
