import type { HeardActingClient, HeardDeadline } from "@askwire/protocol";
import type { AskedInLines } from "../terminal/person.js";

/** The person at a terminal, with a client's reports about the requests in front of them. */
export interface TerminalPerson extends AskedInLines {
  /** Set if a deadline is shown, with its effect. */
  readonly showsDeadlines: boolean;
  /** Takes the terminal already: from now on keys are for the first request. */
  takeAhead(): void;
  /** Takes the event InteractionUpdated. */
  updated(update: PersonUpdate): void;
  /** True once for each call whose answered panel left lines with its outcome. */
  hasTold(toolCallId: string): boolean;
  /** Gives the terminal back. Open and later requests fail. */
  close(): void;
}

/** A change of an open request, as InteractionUpdated reports it. */
export interface PersonUpdate {
  readonly request_id: string;
  readonly deadline: HeardDeadline | null;
  /** The other clients whose people have begun to answer. Absent: as before. */
  readonly answering?: readonly Pick<HeardActingClient, "name" | "principal">[] | undefined;
  /** The calls of the asking program that wait for the answer. Absent: as before. */
  readonly calls?: number | undefined;
  /** Those who have approved, where several people must, and how many must. Absent: as before. */
  readonly approved_by?: unknown;
  readonly quorum?: unknown;
}
