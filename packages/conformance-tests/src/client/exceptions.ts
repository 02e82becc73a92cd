import type { LineException } from "../contract/check.js";

const unseen = (id: string, why: string): LineException => ({ id, reason: "not visible", why });

/** The lines of the list about clients that are no check. */
export const clientExceptions: readonly LineException[] = [
  unseen("C15", "the order in which an application reads events leaves no trace on the wire"),
  unseen(
    "C16",
    "whether an application reads an event after the response behind it leaves no trace on the wire",
  ),
  unseen("C32", "the end of a dialog leaves no trace on the wire"),
  unseen("C47", "an agent that is gone sees nothing of a handler that still runs"),
  unseen("C50", "an error that an application gets is not written"),
  unseen("C51", "a second prompt may be queued, refused inside, or sent and refused by the server"),
  unseen("C64", "the values that an application keeps are not written"),
  unseen("C66", "two sessions of one process have an agent each, and neither sees the other"),
];
