import type { ClientSession, QuestionView } from "@askwire/client";
import { CommandFailure } from "../input/failure.js";

/** The place of a gateway. The address may have the token. */
export interface Located {
  readonly address: string;
  readonly token?: string | undefined;
  /** The process of a gateway that may be replaced; undefined for a server that only comes back by itself. */
  readonly pid?: number;
}

/**
 * Connects to a gateway, and to the one that takes its place when it is gone.
 *
 * @param locate finds the gateway, and may start one.
 * @param tell told what goes wrong, in a line without a secret.
 * @throws Failure for a server that does not let programs ask.
 */
export async function connectGateway(
  asker: string,
  locate: () => Promise<Located>,
  tell: (line: string) => void,
): Promise<ClientSession> {
  const { connectWebSocket } = await import("@askwire/client/websocket");
  const first = await locate();
  const { address, token } = first;
  let { pid } = first;
  let isLooking = false;

  async function follow(session: ClientSession): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    try {
      const next = await locate();
      if (next.address !== address) return void (await session.close());
      // A gateway that still runs is tried again after a wait, which grows.
      if (next.pid !== pid) session.reconnect();
      pid = next.pid;
    } catch (error) {
      tell((error as Error).message);
    } finally {
      isLooking = false;
    }
  }

  let opened: ClientSession | undefined;
  const session = await connectWebSocket(address, {
    client: { name: asker, version: __ASKWIRE_VERSION__ },
    ...(token !== undefined && { token }),
    onConnection({ state }) {
      if (state === "lost" && opened !== undefined) void follow(opened);
    },
  });
  opened = session;
  if (session.server?.capabilities?.askwire?.ask === true) return session;
  await session.close();
  throw new CommandFailure(
    `${address.replace(/#.*/s, "")}: this server does not let programs ask: expected the address of "askwire serve --listen"`,
  );
}

/** The features of questions that can be looked at. */
const everything = {
  previews: true,
  notes: true,
  attachments: true,
  skip: true,
  deadline: true,
  fields: true,
};

/** Looks at the questions that are open at a gateway, oldest first, and answers none. */
export async function openAt(
  asker: string,
  locate: () => Promise<Located>,
): Promise<readonly QuestionView[]> {
  const { connectWebSocket } = await import("@askwire/client/websocket");
  const { address, token } = await locate();
  const open: QuestionView[] = [];
  const looker = await connectWebSocket(address, {
    client: { name: asker, version: __ASKWIRE_VERSION__ },
    ...(token !== undefined && { token }),
    shows: everything,
    handlers: {
      question(view) {
        open.push(view);
        return new Promise(() => {});
      },
    },
  });
  try {
    // The server reports open questions before it replies (P-XAT-5).
    await looker.listSessions();
  } finally {
    await looker.close();
  }
  return open;
}
