// Files of credentials: each has the digest of one secret and lies in its place at once, so that servers that run need no
// lock.
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The names in a folder; none where there is no folder. */
export function fileNamesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** A digest as hexadecimal digits. */
export const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** True for the secret of a digest. The time that it takes reveals nothing about either. */
export const isSecretOf = (digest: string, secret: string): boolean =>
  timingSafeEqual(Buffer.from(digest, "hex"), Buffer.from(digestOf(secret), "hex"));

/** A new secret of 256 random bits, behind the id of its file. */
export const newSecret = (id: string): string => `${id}-${randomBytes(32).toString("base64url")}`;

/**
 * Writes a value to a new file beside its place, with mode 0600, and makes the folder.
 *
 * @returns the path of the file.
 */
export function writeBeside(folder: string, name: string, value: object): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const beside = join(folder, `.${name}.new`);
  writeFileSync(beside, `${JSON.stringify(value)}\n`, { mode: 0o600, flag: "wx" });
  return beside;
}
