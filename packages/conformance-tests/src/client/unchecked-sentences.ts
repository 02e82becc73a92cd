import { type UncheckedSentence, unchecked } from "../sentences.js";

/** Sentences about a client that no check of a client proves. */
export const uncheckedOnClient: readonly UncheckedSentence[] = [
  ...unchecked(
    "What an application sees of a message is not on the wire; C38 to C40 see that the client goes on.",
    ["P-MSG-9", "P-MSG-10"],
  ),
  ...unchecked("The end of a dialog is not on the wire; C33 and C37 see that the client goes on.", [
    "P-CLI-1",
  ]),
  ...unchecked("An agent that a client launches speaks over standard input and output, not over WebSocket.", [
    "P-CLI-4",
  ]),
  ...unchecked(
    "The command is told of no tool to offer; C43 to C45 see that no call of another one is left open or succeeds.",
    ["P-CLI-5"],
  ),
  ...unchecked(
    "The command is told of no hook to offer; C48 sees that another one blocks nothing and is not left open.",
    ["P-CLI-6"],
  ),
  ...unchecked("A client that answers at once never has as many requests waiting as the limit allows.", [
    "P-ENG-10",
  ]),
  ...unchecked("The command has no order to steer or to replay.", ["P-CLI-7", "P-CLI-9"]),
  ...unchecked("What an application keeps of a status is not on the wire.", ["P-CLI-8"]),
];
