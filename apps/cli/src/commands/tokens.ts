import { visibleLine } from "@askwire/client/text";
import { shareFolder } from "@askwire/server";
import type { AddTokenOptions, OneTokenOptions, TokenListOptions } from "../command-line/tokens.js";
import { paintFor } from "../device/paint.js";
import { CommandFailure, failing, usageFailure } from "../input/failure.js";
import { givenName } from "../input/given-name.js";
import { addToken, keptTokens, revokeToken, rotateToken, tokensFolder } from "../reach/kept-tokens.js";
import { ageText, counted } from "../sessions/amounts.js";
import { checkTenantName } from "../stored/tenant-names.js";

const folder = () => tokensFolder(shareFolder(process.env, { kimi: false }));

/** Lists who has a token. Names each file that is damaged, and fails then. */
export function listTokens({ json }: TokenListOptions): void {
  const { tokens, damaged } = failing("tokens list", () => keptTokens(folder()));
  const paint = paintFor(process.stdout, process.env);
  const now = Date.now();
  for (const { name, role, tenant, createdAt } of tokens) {
    const facts = [
      ...(tenant === undefined ? [] : [`of ${visibleLine(tenant)}`]),
      `made ${ageText(now - createdAt)} ago`,
      ...(role === "answer" ? ["answers only"] : []),
    ];
    const created_at = new Date(createdAt).toISOString();
    const line = json
      ? JSON.stringify({ name, tenant, role: role ?? "all", created_at })
      : `${visibleLine(name)}  ${paint("dim", facts.join(", "))}`;
    process.stdout.write(`${line}\n`);
  }
  if (tokens.length === 0 && !json) process.stderr.write("nobody has a token: askwire tokens add NAME\n");
  if (damaged.length === 0) return;
  throw new CommandFailure(
    `tokens: damaged, so that it lets nobody in: ${damaged.join(", ")}: restore it, or revoke that name and add it again`,
  );
}

/** Makes a token and prints it. */
export function addNamedToken(name: string, { role, tenant }: AddTokenOptions): void {
  const given = givenName("tokens add: the name", name);
  if (tenant !== undefined) checkTenantName("--tenant", tenant);
  const secret = failing("tokens add", () =>
    addToken(folder(), { name: given, role: role === "answer" ? role : undefined, tenant }),
  );
  if (secret === undefined)
    throw usageFailure(`tokens add ${name}: that name has a token: rotate it, or revoke it first`);
  process.stdout.write(`${secret}\n`);
}

/** Makes another token for a name and prints it. */
export function rotateNamedToken(name: string, { tenant }: OneTokenOptions): void {
  const given = givenName("tokens rotate: the name", name);
  if (tenant !== undefined) checkTenantName("--tenant", tenant);
  const made = failing("tokens rotate", () => rotateToken(folder(), { name: given, tenant }));
  if ("secret" in made) return void process.stdout.write(`${made.secret}\n`);
  if (made.problem === "absent") throw unknownName("rotate", name, tenant);
  throw new CommandFailure(
    `tokens rotate ${name}: its file is damaged: askwire tokens list names it; revoke the name and add it again`,
  );
}

/** Revokes tokens by name, and names one that nobody has. */
export function revokeTokens(names: readonly string[], { tenant }: OneTokenOptions): void {
  if (tenant !== undefined) checkTenantName("--tenant", tenant);
  const given = [...new Set(names.map((name) => givenName("tokens revoke: the name", name)))];
  const revoked = failing("tokens revoke", () =>
    given.filter((name) => revokeToken(folder(), { name, tenant })),
  );
  if (revoked.length > 0) process.stdout.write(`${counted(revoked.length, "token")} revoked\n`);
  const unknown = given.find((name) => !revoked.includes(name));
  if (unknown !== undefined) throw unknownName("revoke", unknown, tenant);
}

const unknownName = (what: string, name: string, tenant: string | undefined) =>
  usageFailure(
    `tokens ${what} ${name}: nobody of this name${tenant === undefined ? "" : ` in ${tenant}`} has a token: askwire tokens lists them`,
  );
