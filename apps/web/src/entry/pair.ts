/** The end of an exchange: the token of this device, or the reason why there is none. */
export type Paired = { readonly token: string } | "refused" | "too_many" | "failed";

/** The time for the server's answer, in milliseconds. */
const PATIENCE_MS = 30_000;

/** Exchanges a single-use pairing code for a token of this device. */
export async function pair(code: string, request: typeof fetch): Promise<Paired> {
  try {
    const response = await request("/pair", {
      method: "POST",
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
