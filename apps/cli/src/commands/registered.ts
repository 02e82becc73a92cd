import { type AskwireServer, shareFolder } from "@askwire/server";
import { registerServer } from "../gateway/registered-servers.js";
import { lobbyAddress } from "../inbox/addresses.js";

const tell = (line: string) => void process.stderr.write(`askwire: ${line}\n`);

/** The setting: 0 keeps a server out of the inbox, and anything else lets in one that has standard streams alone. */
const wanted = () => process.env.ASKWIRE_INBOX ?? "";

/**
 * Writes a server down for the inbox of this person, unless `ASKWIRE_INBOX` is 0. Returns what takes that back. A disk
 * that takes nothing is told.
 */
export function registered(address: string, name: string): () => void {
  if (wanted() === "0") return () => {};
  try {
    return registerServer(shareFolder(process.env, { kimi: false }), { address, name });
  } catch (error) {
    tell(
      `the inbox cannot find this server (${(error as Error).message}): set ASKWIRE_HOME to another folder, or use askwire inbox --connect`,
    );
    return () => {};
  }
}

/**
 * Serves while the inbox of this person reaches a server that has one client over standard input and output: it listens
 * on this machine alone, at a free port, and writes itself down. Only where `ASKWIRE_INBOX` is set, to anything but 0.
 *
 * @param name the name of the agent, for the inbox.
 */
export async function withInbox(
  server: AskwireServer,
  name: string,
  serve: () => Promise<void>,
): Promise<void> {
  if (wanted() === "" || wanted() === "0") return serve();
  const { listenWebSocket } = await import("@askwire/server/websocket");
  const gateway = await listenWebSocket(server, {});
  const end = registered(lobbyAddress(gateway.address({ id: "any" })), name);
  try {
    await serve();
  } finally {
    end();
    await gateway.close();
  }
}
