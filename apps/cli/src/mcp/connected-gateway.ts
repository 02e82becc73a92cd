import type { ClientSession, ConnectionChange } from "@askwire/client";
import type { FindGatewayOptions } from "@askwire/client/gateway";
import { LocalError } from "@askwire/protocol";
import { CommandFailure } from "../input/failure.js";

/** The place to ask at: a server that runs, whose address may have the token, or the gateway of this person. */
export type AskedPlace =
  | { readonly address: string; readonly token: string | undefined }
  | { readonly gateway: FindGatewayOptions };

/**
 * Connects to a server where programs ask. Of a person's gateway the one that takes its place is found when it is gone.
 *
 * @param tell told why no gateway can be started, in a line without a secret.
 * @param signal gives up when aborted. Default: none.
 * @throws Failure for a server that does not let programs ask.
 */
export async function connectPlace(
  asker: string,
  place: AskedPlace,
  tell: (line: string) => void,
  signal?: AbortSignal,
): Promise<ClientSession> {
  const session = await connected(asker, place, tell, signal);
  if (session.server?.capabilities?.askwire?.ask === true) return session;
  await session.close();
  const where = "address" in place ? place.address.replace(/#.*/s, "") : "the gateway";
  throw new CommandFailure(
    `${where}: this server does not let programs ask: expected the address of "askwire serve --listen"`,
  );
}

async function connected(
  asker: string,
  place: AskedPlace,
  tell: (line: string) => void,
  signal: AbortSignal | undefined,
): Promise<ClientSession> {
  const stop = signal === undefined ? {} : { signal };
  const program = { name: asker, version: __ASKWIRE_VERSION__ };
  if ("address" in place) {
    const { connectWebSocket } = await import("@askwire/client/websocket");
    const { address, token } = place;
    return connectWebSocket(address, { client: program, ...stop, ...(token !== undefined && { token }) });
  }
  const { connectGateway } = await import("@askwire/client/gateway");
  const onConnection = (change: ConnectionChange) => {
    const { cause } = change.state === "lost" ? change : {};
    if (cause instanceof LocalError && cause.code !== "CLOSED") tell(cause.message);
  };
  return connectGateway({ ...place.gateway, ...program, ...stop, onConnection });
}

/** The features of questions that can be looked at. */
const everything = {
  previews: true,
  notes: true,
  attachments: true,
  skip: true,
  deadline: true,
  fields: true,
  approvalOptions: true,
};

/** A request that is open, with the key of the program that asks. */
export interface OpenAtPlace {
  readonly key: string | undefined;
  readonly texts: readonly string[];
}

/** Looks at the requests that are open at a place, oldest first, and answers none. */
export async function openAt(asker: string, place: AskedPlace): Promise<readonly OpenAtPlace[]> {
  const { connectWebSocket } = await import("@askwire/client/websocket");
  const { findGateway } = await import("@askwire/client/gateway");
  const { address, token } = "address" in place ? place : await findGateway(place.gateway);
  const open: OpenAtPlace[] = [];
  const looker = await connectWebSocket(address, {
    client: { name: asker, version: __ASKWIRE_VERSION__ },
    ...(token !== undefined && { token }),
    shows: everything,
    handlers: {
      question({ program, questions }) {
        open.push({ key: program?.key, texts: questions.map(({ question }) => question) });
        return new Promise(() => {});
      },
      approval({ program, description }) {
        open.push({ key: program?.key, texts: [description] });
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
