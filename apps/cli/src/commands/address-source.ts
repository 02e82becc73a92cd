import { createHash } from "node:crypto";
import { join } from "node:path";
import type { ClientSession, ConnectOptions } from "@askwire/client";
import { WireError } from "@askwire/protocol";
import { shareFolder } from "@askwire/server";
import type { ChatOptions } from "../command-line/chat.js";
import { clientToken } from "../input/token.js";
import type { SessionChoice } from "../terminal/session-list.js";
import type { ChatSource, Choose } from "./chat-source.js";

/** An agent at the address of a server. */
export async function addressSource(address: string, options: ChatOptions): Promise<ChatSource> {
  const token = /#./s.test(address) ? undefined : clientToken(options);
  const { connectWebSocket } = await import("@askwire/client/websocket");
  const given = token === undefined ? {} : { token };
  // A script that waits for a lost server would never end.
  const reconnect = process.stdin.isTTY === true;
  const enter = (client: ConnectOptions) => connectWebSocket(address, { ...client, ...given, reconnect });
  return {
    goesOnLater: () => "before others",
    drafts: (id) => draftsAt(address, id),
    async open(_report, client, _signal, { choose }) {
      if (choose === undefined || !namesNoSession(address)) return enter(client);
      const { client: named } = client;
      const choice = await chosenSession(() => enter(named === undefined ? {} : { client: named }), choose);
      return choice && enter(choice === "new" ? client : { ...client, session: choice.id });
    },
  };
}

/** The folder of the unsent answers in a session of a server, which has the folder of the session itself. */
function draftsAt(address: string, id: string | undefined): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { host, pathname } = new URL(address);
  const session = id ?? /^\/wire\/([^/]+)$/.exec(pathname)?.[1];
  const share = shareFolder(process.env, { kimi: false });
  return session === undefined ? undefined : join(share, "drafts", hashOf(`${host} ${session}`));
}

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 32);

const namesNoSession = (address: string) => URL.canParse(address) && new URL(address).pathname === "/wire";

/**
 * Asks for one of a server's sessions over a connection of its own, whose new session is closed again. A server without
 * a list has new sessions only.
 */
async function chosenSession(
  open: () => Promise<ClientSession>,
  choose: Choose,
): Promise<SessionChoice | undefined> {
  const session = await open();
  const newest = async () => (await session.listSessions()).filter(({ id }) => id !== session.id);
  try {
    return await choose(newest);
  } catch (error) {
    if (error instanceof WireError && error.is("MethodNotFound")) return "new";
    throw error;
  } finally {
    await (session.id && session.closeSession(session.id).catch(() => {}));
    await session.close();
  }
}
