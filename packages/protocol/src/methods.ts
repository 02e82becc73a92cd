import * as z from "zod/mini";
import { request, taggedNotification, taggedRequest } from "./contract.js";
import { UserInput } from "./messages/content.js";
import { events, olderEventNames } from "./messages/events.js";
import { InitializeParams, InitializeResult } from "./messages/handshake.js";
import { requests } from "./messages/requests.js";

/** How a turn ended. `steps` is present where the limit of steps was reached. */
export const PromptResult = z.looseObject({
  status: z.literal(["finished", "cancelled", "max_steps_reached"]),
  steps: z.optional(z.int()),
});
export type PromptResult = z.output<typeof PromptResult>;

const anything = z.optional(z.unknown());
const UserInputParams = z.looseObject({ user_input: UserInput });

/**
 * What a client asks of an agent. The key is the method's name on the wire and is spelled nowhere else
 * (P-MSG-3).
 */
export const agentMethods = {
  initialize: request(InitializeParams, InitializeResult),
  prompt: request(UserInputParams, PromptResult),
  steer: request(UserInputParams, z.looseObject({ status: z.literal("steered") })),
  replay: request(
    anything,
    z.looseObject({ status: z.literal(["finished", "cancelled"]), events: z.int(), requests: z.int() }),
  ),
  set_plan_mode: request(
    z.looseObject({ enabled: z.boolean() }),
    z.looseObject({ status: z.literal("ok"), plan_mode: z.boolean() }),
  ),
  cancel: request(anything, z.looseObject({})),
} as const;

/** What an agent tells (`event`) and asks (`request`) a client. */
export const clientMethods = {
  event: taggedNotification(events, olderEventNames),
  request: taggedRequest(requests),
} as const;

/** The type of {@link agentMethods}: what a `Peer` calls, or `Handlers` answer. */
export type AgentMethods = typeof agentMethods;
/** The type of {@link clientMethods}, likewise. */
export type ClientMethods = typeof clientMethods;
