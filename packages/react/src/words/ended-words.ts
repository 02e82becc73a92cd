import type { HeardOutcome, OutcomeReason, OutcomeStatus } from "@askwire/protocol";

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
type Way = keyof EndedWords;

const byReason = new Map<string | undefined, Way>(
  Object.entries({
    dismissed: "declined",
    discuss: "discussed",
    deadline: "expired",
    interrupted: "cancelled",
    superseded: "givenUp",
    session_closed: "closed",
    shutdown: "closed",
    agent: "givenUp",
    unsupported: "givenUp",
    unattended: "givenUp",
    client_lost: "givenUp",
    subagent: "givenUp",
    limit: "givenUp",
    protocol_error: "givenUp",
    do_not_ask: "givenUp",
    not_kept: "givenUp",
  } satisfies Record<OutcomeReason, Way>),
);

/** The ways where the reason is a newer server's, or there is none. */
const byStatus = new Map<string, Way>(
  Object.entries({
    answered: "answered",
    declined: "declined",
    expired: "expired",
    withdrawn: "givenUp",
    unavailable: "givenUp",
  } satisfies Record<OutcomeStatus, Way>),
);

/** Tells the end of a request in these words. */
export const inEndedWords =
  (words: EndedWords) =>
  ({ status, reason }: HeardOutcome): string =>
    words[byReason.get(reason) ?? byStatus.get(status) ?? "givenUp"];
