/** The address of the wire at the origin of a server (P-SES-1). */
export const wireAddress = (origin: string, session?: string): string =>
  `${origin.replace(/^http/, "ws")}/wire${session === undefined ? "" : `/${encodeURIComponent(session)}`}`;

/** True where others on the way can read what is said, the token among it. */
export function isReadable(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol === "http:" && !["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}
