/** The address of the wire on the server that served this page (P-SES-1). */
export function wireAddress(
  { protocol, host }: Pick<Location, "protocol" | "host">,
  session?: string,
): string {
  const scheme = protocol === "https:" ? "wss" : "ws";
  return `${scheme}://${host}/wire${session === undefined ? "" : `/${encodeURIComponent(session)}`}`;
}

/** True where others on the way can read what is said, the token among it. */
export const isReadable = ({ protocol, hostname }: Pick<Location, "protocol" | "hostname">): boolean =>
  protocol === "http:" && !["localhost", "127.0.0.1", "[::1]"].includes(hostname);
