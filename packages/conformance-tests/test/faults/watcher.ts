import { type ClientHandlers, type ConnectOptions, connect } from "@askwire/client";
import { linkedPair } from "@askwire/protocol/testing";
import type { Company } from "./conversation.js";
import { normalised } from "./normalised.js";

/** The view of a client that is there all the time. */
export interface Seen {
  /** Every event, in its order. */
  readonly events: string[];
  /** Of each request that was before this person: why it was taken away. */
  readonly taken: unknown[];
}

/** A watcher's treatment of questions and approvals. */
const ways = {
  "is not asked": () => ({}),
  "never answers": ({ taken }) => {
    const untilTaken = (_request: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise<never>((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          taken.push(signal.reason);
          reject(signal.reason);
        });
      });
    return { question: untilTaken, approval: untilTaken };
  },
  "answers at once": () => ({
    question: ({ questions }) => ({
      items: questions.map(({ id, options: [first] }) => ({ question_id: id, selected: [first?.id ?? ""] })),
    }),
    approval: () => "approve",
  }),
} satisfies Record<string, (seen: Seen) => ClientHandlers>;

/** A client whose own connection never breaks. */
export function watcher(
  profile: NonNullable<ConnectOptions["profile"]>,
  way: keyof typeof ways,
  seen: Seen,
): Company {
  return async (server, session) => {
    const text = normalised();
    const { left, right } = linkedPair();
    server.connect(left, { session });
    const client = await connect(right, {
      client: { name: `a watcher, ${profile}` },
      profile,
      handlers: {
        ...ways[way](seen),
        event: (event) => void (event.type === "InteractionOpened" || seen.events.push(text(event))),
      },
    });
    return { leave: () => client.close() };
  };
}
