import { tenantProblem } from "../runtime/tenant-name.js";
import type { AskwireServer } from "../server/server.js";
import { checkServer } from "./check-server.js";

/**
 * The tenants of a gateway by name, such as companies or teams, each with a server of its own: no client reaches what is in
 * the server of another one (P-TEN-1). Whoever has no tenant is in the server that the gateway was made of.
 */
export type Tenants = ReadonlyMap<string, AskwireServer>;

/** The most tenants of a gateway. */
const MOST_TENANTS = 100;

/** @throws TypeError that names the tenant whose name or server does not fit. */
export function checkTenants(place: string, tenants: Tenants, own: AskwireServer): void {
  if (tenants.size > MOST_TENANTS)
    throw new TypeError(`tenants: expected at most ${MOST_TENANTS}, not ${tenants.size}`);
  const servers = new Set([own]);
  for (const [name, server] of tenants) {
    const problem = tenantProblem(String(name));
    if (problem !== undefined) throw new TypeError(`tenants: ${JSON.stringify(name)}: ${problem}`);
    checkServer(`${place}: tenants: ${name}`, server);
    if (servers.has(server))
      throw new TypeError(`tenants: ${name}: expected a server that no other tenant has`);
    servers.add(server);
  }
}
