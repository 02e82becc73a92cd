import type { ClientSession, ConnectOptions } from "@askwire/client";
import type { ChatWords } from "@askwire/client/words";
import type { HeardSession } from "@askwire/protocol";
import type { SessionChoice } from "../terminal/session-list.js";
import type { offerWaiting } from "../terminal/waiting-session.js";

export type GoesOnLater = Parameters<ChatWords["nobody"]>[0];

/** Offers to resume a session that waits for a person. Gives its id, or undefined to begin another. */
type Offer = (place: Omit<Parameters<typeof offerWaiting>[1], "agent">) => Promise<string | undefined>;

export type Choose = (newest: () => Promise<readonly HeardSession[]>) => Promise<SessionChoice | undefined>;

/** The agent of a conversation, and where its session continues. */
export interface ChatSource {
  /** The place where an open request continues without this client: the kept session, the other clients, or none. */
  goesOnLater(): GoesOnLater;
  /**
   * @param signal gives up.
   * @param to.choose asks the person for one of a server's sessions. Default: nobody is asked.
   * @param to.goesOn the id of a kept session. Default: another begins.
   * @param to.onUnkept told why nothing can be kept of a session that begins.
   * @returns undefined where the person chose none.
   */
  open(
    report: (text: string) => void,
    options: ConnectOptions,
    signal: AbortSignal,
    to: {
      readonly choose: Choose | undefined;
      readonly goesOn: string | undefined;
      readonly onUnkept: (why: string) => void;
    },
  ): Promise<ClientSession | undefined>;
  /** Present where no session is named. */
  readonly waits?: Offer;
  /** The id of the session to resume, if the options name one. */
  readonly goesOn?: string | undefined;
  /** The folder of the unsent answers in a session; undefined where none are kept. */
  drafts(sessionId: string | undefined): string | undefined;
}
