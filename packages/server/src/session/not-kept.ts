import { WireError } from "@askwire/protocol";

/**
 * The refusal of a message that cannot be written to disk, or to the store: nothing has changed by it (P-DUR-6). It tells
 * nothing of any record, so it need not wait for one.
 */
export class NotKept extends WireError {
  constructor(message: "answer" | "prompt") {
    super("Overloaded", `the ${message} cannot be saved now: send it again`, { data: { limit: "journal" } });
  }
}
