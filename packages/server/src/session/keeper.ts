import type { Journal } from "../journal/journal.js";
import { recordOpened, recordSettled } from "../journal/record-interaction.js";
import type { AnyInteraction } from "../requests/core.js";
import type { RequestKeeper } from "../requests/interaction.js";
import type { Clock } from "../runtime/clock.js";

/** Keeps the requests of a session in its journal: gives nothing for a request that must not be sent. */
export const keeperOf =
  (journal: Journal, clock: Clock) =>
  (request: AnyInteraction): RequestKeeper | undefined =>
    recordOpened(journal, request, clock.now()) ? requestKeeper(journal, request) : undefined;

/** Keeps what becomes of a request that the journal has. */
export const requestKeeper = (journal: Journal, request: AnyInteraction): RequestKeeper => ({
  voted: ({ by, answer, message }) =>
    journal.voted({ request_id: request.id, by, response: { ...answer }, ...message }),
  touched: () => journal.touched(request.id),
  settling(settlement) {
    const kept = recordSettled(journal, request, settlement);
    // Whatever else ends a request goes on unkept: its cause is not undone by that.
    return kept || settlement.message === undefined;
  },
  synced: journal.synced,
});
