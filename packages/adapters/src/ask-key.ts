/** The longest key of an ask, in UTF-16 units (P-XAK-4). */
const MOST = 128;

/**
 * The key of an ask, of the ids that tell it from every other. Two lists of ids never have the same key. Keys that
 * would be too long are a SHA-256 in hexadecimal digits.
 */
export async function askKey(...ids: readonly string[]): Promise<string> {
  const key = ids.map((id) => id.replaceAll("%", "%25").replaceAll(":", "%3A")).join(":");
  if (key.length <= MOST) return key;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
