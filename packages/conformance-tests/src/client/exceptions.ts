import type { LineException } from "../check.js";

const unseen = (id: string, why: string): LineException => ({ id, reason: "not visible", why });

/** The lines of the list about clients that are no check. */
export const clientExceptions: readonly LineException[] = [
  unseen("C15", "the order in which an application reads events leaves no trace on the wire"),
  unseen(
    "C16",
    "whether an application reads an event after the response behind it leaves no trace on the wire",
  ),
  unseen(
    "C31",
    "the command answers each question once; a second answer would be refused before it is written",
  ),
  unseen("C32", "the command has no order to cancel, and the end of a dialog leaves no trace on the wire"),
  unseen("C47", "an agent that is gone sees nothing of a handler that still runs"),
  unseen("C49", "the command has no order to cancel"),
  unseen("C50", "the command has no order to cancel, and an error that an application gets is not written"),
  unseen("C51", "the command sends one prompt, and what is queued or refused inside is not written"),
  unseen("C52", "the command has no order to steer"),
  unseen("C53", "the command has no order to replay"),
  unseen("C64", "the values that an application keeps are not written"),
  unseen("C66", "two sessions of one process have an agent each, and neither sees the other"),
];
