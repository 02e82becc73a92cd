// The messages of a client as an agent reads them: a newer client's own words take nothing else with them.

import { request } from "./contract.js";
import { HookSubscription, InitializeParams, InitializeResult } from "./messages/handshake.js";
import { allAgentMethods } from "./methods.js";
import * as z from "./zod.js";

/** The decision where a hook fails: a newer client's own word is the stricter one (P-HOK-4). */
const HookFailure = z.pipe(
  z.string(),
  z.transform((said: string): "allow" | "block" => (said === "allow" ? "allow" : "block")),
);

/** The methods of an agent with their params as it reads them: its side of a peer. */
export const servedAgentMethods = {
  ...allAgentMethods,
  initialize: request(
    z.looseObject({
      ...InitializeParams.shape,
      hooks: z.optional(
        z.nullable(
          z.array(z.looseObject({ ...HookSubscription.shape, on_failure: z.optional(HookFailure) })),
        ),
      ),
    }),
    InitializeResult,
  ),
} as const;

/** The type of {@link servedAgentMethods}, for the answers of an agent's `Handlers`. */
export type ServedAgentMethods = typeof servedAgentMethods;
