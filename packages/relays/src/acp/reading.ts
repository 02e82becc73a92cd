import { validate } from "@askwire/protocol";
import type * as z from "@askwire/protocol/internal";
import { AcpError } from "./acp-error.js";

/**
 * Reads the parameters of a request of an agent.
 *
 * @throws AcpError invalid params, which names the place.
 */
export function readParams<S extends z.ZodMiniType>(schema: S, params: unknown): z.output<S> {
  const parsed = validate(schema, params);
  if (parsed.ok) return parsed.value as z.output<S>;
  throw new AcpError("invalidParams", `Invalid params: ${parsed.problem}`);
}
