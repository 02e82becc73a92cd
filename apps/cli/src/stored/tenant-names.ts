import { join } from "node:path";
import { shareFolder, tenantProblem } from "@askwire/server";
import { usageFailure } from "../input/failure.js";
import { type StoreChoice, type StorePlace, storePlace } from "./store-place.js";

/** The options of a server with tenants. */
export interface TenantChoice {
  readonly tenant?: readonly string[];
  readonly tenantHeader?: string;
  readonly trustHeader?: string;
}

/**
 * Reads the names of the tenants that are served, each once.
 *
 * @throws Failure for a name that does not fit, and for a header that could say no tenant.
 */
export function tenantNames({ tenant = [], tenantHeader, trustHeader }: TenantChoice): readonly string[] {
  for (const name of tenant) checkTenantName("--tenant", name);
  if (tenantHeader !== undefined && trustHeader === undefined)
    throw usageFailure("--tenant-header: add --trust-header and --trust-from: it is a header of that proxy");
  if (tenantHeader !== undefined && tenant.length === 0)
    throw usageFailure("--tenant-header: add --tenant with the names of the tenants: no other is served");
  return [...new Set(tenant)];
}

/** @throws Failure for a name that no tenant has. */
export function checkTenantName(option: string, name: string): void {
  const problem = tenantProblem(name);
  if (problem !== undefined) throw usageFailure(`${option} ${name}: ${problem}`);
}

/** The folder in which the sessions of a tenant are kept on a disk, as another home of the command. */
export const tenantShare = (share: string, tenant: string): string => join(share, "tenants", tenant);

/**
 * Reads where the sessions of a tenant are kept, or those of none. Undefined for the disk.
 *
 * @throws Failure as {@link storePlace}, for a name that does not fit, and for a tenant on the disk.
 */
export function tenantPlace({
  tenant,
  ...options
}: StoreChoice & { readonly tenant?: string }): StorePlace | undefined {
  const place = storePlace(options);
  if (tenant === undefined) return place;
  checkTenantName("--tenant", tenant);
  if (place !== undefined) return { ...place, tenant };
  const home = tenantShare(shareFolder(process.env, { kimi: false }), tenant);
  throw usageFailure(
    `--tenant ${tenant}: on the disk each tenant has a home of its own: leave it out and set ASKWIRE_HOME=${home}, or add --store`,
  );
}
