// The tokens of persons, a file each under the digest of the name. Every change is to one file, so several servers and
// `askwire tokens` need no lock.
import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { NamedToken, NamedTokens } from "@askwire/server/websocket";
import * as z from "zod/mini";
import { digestOf, fileNamesIn, isSecretOf, newSecret, writeBeside } from "./secret-files.js";

/** A token that is kept, as lists show it. */
interface KeptToken extends Pick<NamedToken, "name" | "role" | "tenant"> {
  /** The time at which the secret was made, in milliseconds since 1970. */
  readonly createdAt: number;
}

const TokenFile = z.object({
  name: z.string(),
  token_sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  created_at: z.iso.datetime(),
  role: z.optional(z.literal("answer")),
  tenant: z.optional(z.string()),
});

/** The most tokens that are kept. */
const MOST_TOKENS = 10_000;
/** The time by which a token that another process revokes is no longer let in, in milliseconds. */
const LOOK_MS = 1_000;

const FILE = /^[0-9a-f]{16}\.json$/;
const TOKEN = /^([0-9a-f]{16})-[\w-]{43}$/;

/** The folder of the tokens beside the kept sessions. */
export const tokensFolder = (share: string): string => join(share, "tokens");

/** A name, and the tenant that has it: each tenant has names of its own. */
type TokenName = Pick<KeptToken, "name" | "tenant">;

/** The name of a token's file. Names that differ in case alone are one. No name has the control between the two. */
const idOf = ({ name, tenant }: TokenName) =>
  digestOf(`${tenant === undefined ? "" : `${tenant}\0`}${name.normalize("NFC").toLowerCase()}`).slice(0, 16);
const fileOf = (folder: string, id: string) => join(folder, `${id}.json`);

/** The tokens by name, and the files that are damaged. */
export function keptTokens(folder: string): { tokens: KeptToken[]; damaged: string[] } {
  const [tokens, damaged]: [KeptToken[], string[]] = [[], []];
  for (const file of filesIn(folder)) {
    const read = readToken(join(folder, file));
    if (typeof read === "object") tokens.push(read.token);
    else if (read === "damaged") damaged.push(join(folder, file));
  }
  return { tokens: tokens.sort((a, b) => (listed(a) < listed(b) ? -1 : 1)), damaged };
}

/** The place of a token in a list: by tenant, then by name. */
const listed = ({ name, tenant = "" }: TokenName) => `${tenant}\0${name}`;

const filesIn = (folder: string) => fileNamesIn(folder).filter((name) => FILE.test(name));

function readToken(file: string): { token: KeptToken; digest: string } | "absent" | "damaged" {
  try {
    const { name, role, tenant, created_at, token_sha256 } = TokenFile.parse(
      JSON.parse(readFileSync(file, "utf8")),
    );
    return { token: { name, role, tenant, createdAt: Date.parse(created_at) }, digest: token_sha256 };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? "absent" : "damaged";
  }
}

/**
 * Keeps a new token, of which nothing but the result has the secret.
 *
 * @returns the secret; undefined where the name has a token already, also one whose file is damaged.
 * @throws Error above 10,000 tokens, and the system's error if the file cannot be written.
 */
export function addToken(folder: string, token: Omit<KeptToken, "createdAt">): string | undefined {
  if (filesIn(folder).length >= MOST_TOKENS) throw new Error(`there are ${MOST_TOKENS} tokens: revoke some`);
  return written(folder, token, (from, to) => {
    try {
      linkSync(from, to);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
      throw error;
    } finally {
      rmSync(from, { force: true });
    }
  });
}

/**
 * Makes another secret for a name, with its role. The old one no longer counts, in servers that run too.
 *
 * @returns the secret; a word on why there is none.
 */
export function rotateToken(
  folder: string,
  name: TokenName,
): { secret: string } | { problem: "absent" | "damaged" } {
  const read = readToken(fileOf(folder, idOf(name)));
  if (typeof read !== "object") return { problem: read };
  const secret = written(folder, read.token, (from, to) => {
    renameSync(from, to);
    return true;
  });
  return { secret: secret as string };
}

/** Revokes the token of a name, also one whose file is damaged. False where it has none. */
export function revokeToken(folder: string, name: TokenName): boolean {
  const file = fileOf(folder, idOf(name));
  const isThere = statSync(file, { throwIfNoEntry: false }) !== undefined;
  rmSync(file, { force: true });
  return isThere;
}

/** Writes a token beside its place, and moves it there. Undefined where it is not moved. */
function written(
  folder: string,
  { name, role, tenant }: Omit<KeptToken, "createdAt">,
  place: (from: string, to: string) => boolean,
): string | undefined {
  const id = idOf({ name, tenant });
  const secret = newSecret(id);
  const created_at = new Date().toISOString();
  const kept: z.input<typeof TokenFile> = { name, token_sha256: digestOf(secret), created_at, role, tenant };
  const beside = writeBeside(folder, `${id}.${randomBytes(4).toString("hex")}`, kept);
  return place(beside, fileOf(folder, id)) ? secret : undefined;
}

/** The tokens of a folder, as a gateway lets them in. */
export function servedTokens(folder: string): NamedTokens {
  /** By key: the file of a token that has let somebody in, its digest, and how the file looked then. */
  const known = new Map<string, { file: string; digest: string; look: string }>();
  /** Each gateway that has these tokens is told of what any of them finds revoked. */
  const watchers = new Set<(key: string) => void>();
  return {
    match(secret) {
      const id = TOKEN.exec(secret)?.[1];
      if (id === undefined) return undefined;
      const file = fileOf(folder, id);
      const look = lookOf(file);
      const read = readToken(file);
      if (typeof read !== "object") return undefined;
      if (!isSecretOf(read.digest, secret)) return undefined;
      const key = `${id} ${read.digest.slice(0, 16)}`;
      known.set(key, { file, digest: read.digest, look });
      const { name, role, tenant } = read.token;
      return { key, name, role, tenant };
    },
    watchRevoked(revoked) {
      const lookAgain = () => {
        for (const [key, token] of known) {
          const look = lookOf(token.file);
          if (look === token.look) continue;
          const read = readToken(token.file);
          // A damaged file lets nobody in, and says nothing of those who are.
          if (read === "damaged") continue;
          if (read !== "absent" && read.digest === token.digest) token.look = look;
          else {
            known.delete(key);
            for (const tell of watchers) tell(key);
          }
        }
      };
      watchers.add(revoked);
      const timer = setInterval(lookAgain, LOOK_MS).unref();
      return () => {
        watchers.delete(revoked);
        clearInterval(timer);
      };
    },
  };
}

/** A text that is another one once a file is written anew or gone. */
function lookOf(file: string): string {
  try {
    const { ino, mtimeMs } = statSync(file);
    return `${ino} ${mtimeMs}`;
  } catch {
    return "";
  }
}
