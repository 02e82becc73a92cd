import { type UncheckedSentence, unchecked } from "../contract/sentences.js";

/** Sentences about a client that no check of a client proves. */
export const uncheckedOnClient: readonly UncheckedSentence[] = [
  ...unchecked(
    "What an application sees of a message is not on the wire; C39 and C40 see that the client goes on.",
    ["P-MSG-10"],
  ),
  ...unchecked(
    "What an application is told of an address that cannot be opened is not on the wire; CX17 sees that the client ends.",
    ["P-CLI-4"],
  ),
  ...unchecked(
    "The command is told of no hook to offer; C48 sees that another one blocks nothing and is not left open.",
    ["P-CLI-6"],
  ),
  ...unchecked("How many requests may wait for an answer is a setting of the client's own.", ["P-ENG-10"]),
  ...unchecked("The person at the command has no act to ask.", ["P-XAK-9"]),
  ...unchecked("A client may do without the history, and the command of a check does not tell that.", [
    "P-XHI-4",
  ]),
  ...unchecked(
    "What a client still shows of a settled request is not on the wire; CX12 sees that no answer follows.",
    ["P-OUT-8"],
  ),
  ...unchecked("What an application keeps of a status is not on the wire.", ["P-CLI-8"]),
  ...unchecked("What a client shows of a running call is not on the wire.", ["P-XCO-2"]),
];
