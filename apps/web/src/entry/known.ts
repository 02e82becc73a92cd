/**
 * True if the server lets this browser in without a token, as behind a proxy that did the login (P-WHO-6).
 *
 * @param home the origin of the server.
 */
export async function isKnown(home: string, request: typeof fetch, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await request(`${home}/who`, { signal });
    // The proxy may answer by its own page for the login.
    const { principal }: { principal?: unknown } = response.ok ? await response.json() : {};
    return principal !== undefined;
  } catch {
    return false;
  }
}
