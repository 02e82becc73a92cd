import type { EntryProblem } from "./fragment.js";

/** The end of an exchange: the token of this device, or the reason why there is none. */
export type Paired = { readonly token: string } | "refused" | "too_many" | "failed";

/** The reason why an entry led to no session. */
export type EntranceProblem = Exclude<Paired, { token: string }> | EntryProblem;

/** The time for the server's answer, in milliseconds. */
const PATIENCE_MS = 30_000;

/**
 * Exchanges a single-use pairing code for a token of this device.
 *
 * @param origin the server that made the code. Nobody else is told it.
 */
export async function pair(code: string, origin: string, request: typeof fetch): Promise<Paired> {
  try {
    const response = await request(`${origin}/pair`, {
      method: "POST",
      credentials: "omit",
      redirect: "error",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (response.status === 403) return "refused";
    if (response.status === 429) return "too_many";
    const { token }: { token?: unknown } = response.ok ? await response.json() : {};
    return typeof token === "string" && token !== "" ? { token } : "failed";
  } catch {
    return "failed";
  }
}
