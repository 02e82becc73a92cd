import { defined } from "@askwire/protocol/internal";
import { type AskwireServer, shareFolder } from "@askwire/server";
import { processClock } from "../device/clock.js";
import { registerServer } from "../gateway/registered-servers.js";
import { lobbyAddress } from "../input/addresses.js";
import { ownName } from "../input/own-name.js";

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
    return writtenDown(address, name);
  } catch (error) {
    tell(
      `the inbox cannot find this server (${(error as Error).message}): set ASKWIRE_HOME to another folder, or use askwire inbox --connect`,
    );
    return () => {};
  }
}

const writtenDown = (address: string, name: string) =>
  registerServer(shareFolder(process.env, { kimi: false }), { address, name });

/**
 * Serves while the inbox of this person reaches a server that has one client over standard input and output: it listens
 * on this machine alone, at a free port, and writes itself down. Only where `ASKWIRE_INBOX` is set, to anything but 0.
 *
 * @param name the name of the agent, for the inbox.
 * @param person the name of the user of this machine, who answers there (P-WHO-3). Default: the system's.
 */
export async function withInbox(
  server: AskwireServer,
  { name, person }: { readonly name: string; readonly person?: string | undefined },
  serve: () => Promise<void>,
): Promise<void> {
  if (wanted() === "" || wanted() === "0") return serve();
  const close = await listening(server, (address) => registered(address, name), person);
  try {
    await serve();
  } finally {
    await close();
  }
}

/** The time for which a request waits before the inbox is let in, in milliseconds. */
const LET_IN_MS = 1_000;

/** The way of this person's inbox to a server of this process that listens nowhere. */
interface InboxDoor {
  /** A request waits now. */
  waits(): void;
  close(): Promise<void>;
}

/**
 * Lets the inbox reach a server of this process once a request has waited there for a second, unless `ASKWIRE_INBOX` is
 * 0: it then listens on this machine alone, at a free port, and writes itself down. Where it may not, it does without.
 *
 * @param name the name of the agent, for the inbox.
 */
export function inboxDoor(server: AskwireServer, name: string): InboxDoor {
  let opened: Promise<() => Promise<void>> | undefined;
  let forget: (() => void) | undefined;
  const open = () => {
    opened = listening(server, (address) => writtenDown(address, name)).catch(() => async () => {});
  };
  return {
    waits() {
      if (wanted() !== "0") forget ??= processClock.after(LET_IN_MS, open);
    },
    async close() {
      forget?.();
      await (await opened)?.();
    },
  };
}

/** Listens on this machine alone, at a free port, and writes the address down. Gives what ends both. */
async function listening(
  server: AskwireServer,
  write: (address: string) => () => void,
  person?: string,
): Promise<() => Promise<void>> {
  const { listenWebSocket } = await import("@askwire/server/websocket");
  const gateway = await listenWebSocket(server, defined({ owner: ownName({ name: person }) }));
  try {
    const end = write(lobbyAddress(gateway.address({ id: "any" })));
    return async () => {
      end();
      await gateway.close();
    };
  } catch (error) {
    await gateway.close();
    throw error;
  }
}
