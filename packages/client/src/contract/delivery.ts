import type { AnswerIssue, AnswerParams, HeardOutcome, UserInput } from "@askwire/protocol";
import type { ClientTurn } from "./turn.js";

/** The members of an `answer` in the extended profile, without its ids. */
export type AnswerWords = Pick<
  AnswerParams,
  "outcome" | "items" | "answers" | "response" | "option" | "edited" | "feedback"
>;

/**
 * The progress of something that a person sent. In the extended profile an answer ends as `taken`, `refused`, `late` or
 * `failed` (P-XCL-9); the base profile has no word on an answer, which ends as `sent`.
 */
export type DeliveryState =
  /** On its way, for less than five seconds. */
  | { readonly is: "sending" }
  /** Not delivered yet: there is no connection, or no word came for five seconds. It is sent again by itself. */
  | { readonly is: "undelivered" }
  /** Written to the connection. The base profile says no more. */
  | { readonly is: "sent" }
  /** The server has it: an answer counts, and words have reached the agent's turn. */
  | { readonly is: "taken" }
  /** The answer does not fit, by these mistakes. The request is still open. */
  | { readonly is: "refused"; readonly issues: readonly AnswerIssue[] }
  /** The request was no longer open. `outcome` is the one that stands, where the server knows it. */
  | { readonly is: "late"; readonly outcome?: HeardOutcome; readonly problem: string }
  /** It did not arrive, or nobody knows whether it did: the connection ended, or the server refused it otherwise. */
  | { readonly is: "failed"; readonly problem: string };

interface Sent<Kind extends string> {
  readonly kind: Kind;
  /** Its own id: of an answer the `answer_id` under which it is sent until there is a word. */
  readonly id: string;
  readonly state: DeliveryState;
}

/** Something that a person sent. */
export type Delivery =
  | (Sent<"answer"> & {
      /** The id of the request. */
      readonly requestId: string;
      /** The answer as sent. */
      readonly answer: AnswerWords;
    })
  | (Sent<"words"> & { readonly input: UserInput });

/**
 * Everything that the person has sent and the server has not acknowledged, oldest first. In the extended profile it has
 * answers too; words are in it in both. It is told and listed in the shape of a store, as `useStore` of
 * `@askwire/react` takes it.
 */
export interface Outbox {
  /**
   * The answers on their way, each until the word on it; and the words said by {@link Outbox.say}, `taken` ones until
   * the agent has read them (SteerInput) or the turn has ended. The same object until something changes.
   */
  current(): readonly Delivery[];
  /** Calls the listener after each change. Returns the end of that. */
  subscribe(listener: () => void): () => void;
  /**
   * Says something to the agent as `say` does, after the words before, and where the connection is lost once there is a
   * new one. Resolves and rejects as `say` does; words that fail leave the outbox, and the next ones follow.
   *
   * @param onTurn called with each turn that is asked for, before it begins. Default: nothing.
   * @param options `signal` takes the words back for as long as they wait here: this then rejects with its reason, and
   * nothing is sent. On words that are on their way it has no effect.
   * @throws LocalError INVALID_STATE where 1,000 wait, CLOSED once the session is closed.
   */
  say(
    input: UserInput,
    onTurn?: (turn: ClientTurn) => void,
    options?: { readonly signal?: AbortSignal },
  ): Promise<ClientTurn | undefined>;
}
