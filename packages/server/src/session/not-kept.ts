import { WireError } from "@askwire/protocol";

/** The refusal of a message that cannot be written to disk: nothing has changed by it (P-DUR-6). */
export const notKept = (message: "answer" | "prompt"): WireError =>
  new WireError(
    "Overloaded",
    `the ${message} cannot be saved now, as the disk cannot be written: send it again`,
    { data: { limit: "journal" } },
  );
