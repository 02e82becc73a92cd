import { visibleLine } from "@askwire/client/text";
import { shareFolder } from "@askwire/server";
import type { GrantListOptions, GrantOptions, RevokeGrantOptions } from "../command-line/admin.js";
import { paintFor } from "../device/paint.js";
import { CommandFailure, failing, usageFailure } from "../input/failure.js";
import { givenName } from "../input/given-name.js";
import { addGrant, grantsFolder, keptGrants, removeGrants } from "../reach/kept-grants.js";
import { ageText } from "../sessions/amounts.js";

const folder = () => grantsFolder(shareFolder(process.env, { kimi: false }));

/** Lists who has which role. Names each file that is damaged, and fails then. */
export function listGrants({ json }: GrantListOptions): void {
  const { grants, damaged } = failing("admin list", () => keptGrants(folder()));
  const paint = paintFor(process.stdout, process.env);
  const now = Date.now();
  for (const { name, role, may, grantedAt } of grants) {
    const facts = [`granted ${ageText(now - grantedAt)} ago`, ...(may === "see" ? ["sees only"] : [])];
    const granted_at = new Date(grantedAt).toISOString();
    const line = json
      ? JSON.stringify({ name, role, may, granted_at })
      : `${visibleLine(name)}  ${visibleLine(role)}  ${paint("dim", facts.join(", "))}`;
    process.stdout.write(`${line}\n`);
  }
  if (grants.length === 0 && !json)
    process.stderr.write("nobody has a role: askwire admin grant NAME --role ROLE\n");
  if (damaged.length === 0) return;
  throw new CommandFailure(
    `admin: damaged, so that it gives nobody a role: ${damaged.join(", ")}: restore it, or remove it and grant the role again`,
  );
}

/** Gives a person a role. */
export function grantRole(name: string, { role, may }: GrantOptions): void {
  const grant = {
    name: givenName("admin grant: the name", name),
    role: givenName("admin grant: --role", role),
    may,
  };
  failing("admin grant", () => addGrant(folder(), grant));
  const what = may === "see" ? "sees what is for" : "answers what is for";
  process.stdout.write(`${visibleLine(grant.name)} ${what} ${visibleLine(grant.role)}\n`);
}

/** Takes a role of a person away, or all of them. */
export function revokeRole(name: string, { role }: RevokeGrantOptions): void {
  const given = givenName("admin revoke: the name", name);
  const one = role === undefined ? undefined : givenName("admin revoke: --role", role);
  const taken = failing("admin revoke", () => removeGrants(folder(), given, one));
  if (taken.length === 0)
    throw usageFailure(
      `admin revoke ${name}: this person has no ${one === undefined ? "role" : `role ${one}`}: askwire admin lists who has which`,
    );
  for (const each of taken)
    process.stdout.write(`${visibleLine(given)} has no role ${visibleLine(each)} any more\n`);
}
