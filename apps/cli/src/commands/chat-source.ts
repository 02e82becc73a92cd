import type { ClientSession, ConnectOptions } from "@askwire/client";
import type { ChatWords } from "@askwire/client/words";
import type { HeardSession } from "@askwire/protocol";
import type { AcpChosen } from "@askwire/relays/acp";
import type { SessionChoice } from "../terminal/session-list.js";
import type { offerWaiting } from "../terminal/waiting-session.js";

export type GoesOnLater = Parameters<ChatWords["nobody"]>[0];

/** Offers to resume a session that waits for a person. Gives its id, or undefined to begin another. */
type Offer = (place: Omit<Parameters<typeof offerWaiting>[1], "agent">) => Promise<string | undefined>;

export type Choose = (newest: () => Promise<readonly HeardSession[]>) => Promise<SessionChoice | undefined>;

/** The modes in which a person is asked less. */
export interface AskingModes {
  readonly isYolo: boolean;
  readonly isAfk: boolean;
}

/** The person that a session is opened for. */
export interface OpenedFor {
  /** Asks for one of a server's sessions. Undefined: nobody is asked. */
  readonly choose: Choose | undefined;
  /** The id of a kept session. Undefined: another begins. */
  readonly goesOn: string | undefined;
  /** Told why nothing can be kept of a session that begins. */
  readonly onUnkept: (why: string) => void;
  /** Told the modes of a session in this process, and each change. Of one elsewhere they are not known. */
  readonly onModes: (modes: AskingModes) => void;
  /** Told the model and the mode of an agent that others wrote, where it tells them, and each change. */
  readonly onChosen: (chosen: AcpChosen) => void;
}

/** The agent of a conversation, and where its session continues. */
export interface ChatSource {
  /** The place where an open request continues without this client: the kept session, the other clients, or none. */
  goesOnLater(): GoesOnLater;
  /**
   * @param signal gives up.
   * @returns undefined where the person chose none.
   */
  open(
    report: (text: string) => void,
    options: ConnectOptions,
    signal: AbortSignal,
    to: OpenedFor,
  ): Promise<ClientSession | undefined>;
  /** Present where no session is named. */
  readonly waits?: Offer;
  /** The id of the session to resume, if the options name one. */
  readonly goesOn?: string | undefined;
  /** The folder of the unsent answers in a session; undefined where none are kept. */
  drafts(sessionId: string | undefined): string | undefined;
}
