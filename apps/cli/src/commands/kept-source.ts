import { join } from "node:path";
import { type ClientSession, type ConnectOptions, connect } from "@askwire/client";
import { linkedPair } from "@askwire/protocol";
import { type AgentFactory, sessionFolder } from "@askwire/server";
import { commandServer } from "../agents/agent-server.js";
import type { KeptSessions } from "../agents/kept-sessions.js";
import type { ServedAgent } from "../agents/named-agent.js";
import type { ChatOptions } from "../command-line/chat.js";
import type { GoesOnLater, OpenedFor } from "./chat-source.js";
import { inboxDoor } from "./registered.js";

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

interface Told {
  readonly report: (line: string) => void;
  readonly onModes: OpenedFor["onModes"];
}

/** Tells the modes of each session that the agent has, and each change of them. */
function watched(agent: ServedAgent["agent"], onModes: OpenedFor["onModes"]): AgentFactory {
  return (session) => {
    const tell = () => onModes({ isYolo: session.yolo, isAfk: session.attendance === "decline" });
    session.watch(() => queueMicrotask(tell));
    tell();
    return typeof agent === "function" ? agent(session) : agent;
  };
}

/** A conversation with an agent over a server in this process, which the inbox reaches while something waits there. */
export function throughServer(
  agent: ServedAgent,
  options: ChatOptions,
  { place, sessionId, onUnkept, report, onModes }: Keeping & Told,
  client: ConnectOptions,
): Promise<ClientSession> {
  const server = commandServer({
    ...agent,
    agent: watched(agent.agent, onModes),
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
  const door = inboxDoor(server, agent.agentName ?? "askwire chat");
  return connect(right, { ...client, handlers: atTheDoor(client.handlers, door.waits) }).then((session) => {
    const { close } = session;
    return Object.assign(session, {
      async close() {
        await door.close();
        await close();
        // The agent may have a process of its own.
        await closed;
      },
    });
  });
}

/** The handlers, with a word before each request that it waits. */
function atTheDoor(
  { question, approval, ...handlers }: NonNullable<ConnectOptions["handlers"]> = {},
  waits: () => void,
): NonNullable<ConnectOptions["handlers"]> {
  return {
    ...handlers,
    ...(question !== undefined && {
      question(...asked) {
        waits();
        return question(...asked);
      },
    }),
    ...(approval !== undefined && {
      approval(...asked) {
        waits();
        return approval(...asked);
      },
    }),
  };
}
