/** The time for the list to come, in milliseconds. */
const PATIENCE_MS = 30_000;

/**
 * The origins of the other servers that this page may reach, as its own server lists them (P-DEV-6). None where the
 * list does not come.
 *
 * @param home the origin of the page.
 */
export async function pageServers(home: string, request: typeof fetch): Promise<readonly string[]> {
  try {
    const response = await request("/servers.json", { signal: AbortSignal.timeout(PATIENCE_MS) });
    const list: unknown = response.ok ? await response.json() : [];
    return Array.isArray(list) ? list.filter((origin) => isOrigin(origin) && origin !== home) : [];
  } catch {
    return [];
  }
}

const isOrigin = (text: unknown) =>
  typeof text === "string" && URL.canParse(text) && new URL(text).origin === text;
