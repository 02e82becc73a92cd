import type { HeardOutcome, OutcomeReason } from "@askwire/protocol";

/** The ways in which a request ends, as a person is told them. */
export interface EndedWords {
  readonly answered: string;
  readonly declined: string;
  readonly discussed: string;
  readonly expired: string;
  readonly closed: string;
  readonly cancelled: string;
  readonly givenUp: string;
}
/** The reasons that a person is not told apart: the status says enough. */
type Unsaid =
  | "dismissed"
  | "deadline"
  | "superseded"
  | "agent"
  | "unsupported"
  | "unattended"
  | "client_lost"
  | "subagent"
  | "limit"
  | "protocol_error"
  | "do_not_ask"
  | "not_kept";

const byReason = new Map<string | undefined, keyof EndedWords>(
  Object.entries({
    discuss: "discussed",
    interrupted: "cancelled",
    session_closed: "closed",
    shutdown: "closed",
  } satisfies Record<Exclude<OutcomeReason, Unsaid>, keyof EndedWords>),
);

/** Tells the end of a request in these words. */
export const inEndedWords =
  (words: EndedWords) =>
  ({ status, reason }: HeardOutcome): string => {
    if (status === "answered") return words.answered;
    if (status === "declined") return reason === "discuss" ? words.discussed : words.declined;
    if (status === "expired") return words.expired;
    return words[byReason.get(reason) ?? "givenUp"];
  };
