import { join } from "node:path";
import { type ClientSession, type ConnectOptions, connect } from "@askwire/client";
import { linkedPair } from "@askwire/protocol";
import { sessionFolder } from "@askwire/server";
import { commandServer } from "../agents/agent-server.js";
import type { KeptSessions } from "../agents/kept-sessions.js";
import type { ServedAgent } from "../agents/named-agent.js";
import type { ChatOptions } from "../command-line/chat.js";
import type { GoesOnLater } from "./chat-source.js";

/** The folder of the unsent answers in a kept session. */
const draftsOf = (place: KeptSessions["place"], id: string | undefined) =>
  id === undefined ? undefined : join(sessionFolder({ ...place, id }), "drafts");

interface Keeping extends KeptSessions {
  /** Told why a session that begins cannot be kept. Undefined where one is named, which then cannot be opened. */
  readonly onUnkept: ((why: string) => void) | undefined;
}

/** The place where a session is kept. Once keeping it has failed, nothing is promised and no draft is written. */
export function keepingOf(place: KeptSessions["place"]) {
  let isKept = true;
  return {
    goesOnLater: (): GoesOnLater => (isKept ? "kept" : "nowhere"),
    drafts: (id: string | undefined) => (isKept ? draftsOf(place, id) : undefined),
    of: (sessionId: string | undefined, told: (why: string) => void): Keeping => ({
      place,
      sessionId,
      onUnkept:
        sessionId === undefined
          ? (why) => {
              isKept = false;
              told(why);
            }
          : undefined,
    }),
  };
}

/** A conversation with an agent over a server in this process. */
export function throughServer(
  agent: ServedAgent,
  options: ChatOptions,
  { place, sessionId, onUnkept, report }: Keeping & { readonly report: (line: string) => void },
  client: ConnectOptions,
): Promise<ClientSession> {
  const server = commandServer({
    ...agent,
    place,
    onUnkept,
    writeLog: report,
    yolo: options.yolo ?? false,
    attendance: options.afk ? "decline" : "attended",
    resume: options.resume ?? true,
    // The reader of the error runs the agent too.
    rawErrors: true,
  });
  const { left, right } = linkedPair();
  const { closed } = server.connect(left, sessionId === undefined ? {} : { sessionId });
  return connect(right, client).then((session) => {
    const { close } = session;
    return Object.assign(session, {
      async close() {
        await close();
        // The agent may have a process of its own.
        await closed;
      },
    });
  });
}
