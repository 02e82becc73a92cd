import { type UncheckedSentence, unchecked } from "../sentences.js";

/** Sentences about a server, or about both sides, that no check proves. */
export const uncheckedOnServer: readonly UncheckedSentence[] = [
  ...unchecked("a command that speaks on its standard streams has no socket to look at", [
    "P-FRM-6",
    "P-SES-1",
    "P-SES-2",
    "P-SES-3",
    "P-SES-4",
    "P-SES-5",
    "P-SES-6",
    "P-INT-6",
    "P-EXT-6",
    "P-ATT-2",
    "P-SEC-1",
    "P-SEC-2",
    "P-SEC-3",
    "P-SEC-4",
    "P-SEC-5",
    "P-SEC-6",
    "P-ERR-2",
  ]),
  ...unchecked("what is inside the server leaves no trace on the wire", [
    "P-ENG-11",
    "P-QST-2",
    "P-INT-1",
    "P-OUT-5",
    "P-KIM-6",
    "P-JRN-12",
    "P-HOK-7",
  ]),
  ...unchecked("what the model is offered, told and remembers is not on the wire to the client", [
    "P-PLN-2",
    "P-KIM-5",
    "P-STP-5",
    "P-JRN-11",
  ]),
  ...unchecked("a script says all at once, so it does not show what happens while a model still speaks", [
    "P-STP-2",
  ]),
  ...unchecked("no script brings a server to it", ["P-TRN-5", "P-ERR-3", "P-ANS-4", "P-NOT-1"]),
  ...unchecked("a scripted model has no provider behind it", ["P-MOD-3", "P-MOD-4"]),
  ...unchecked("no line of the list starts a sub-agent", [
    "P-SUB-1",
    "P-SUB-2",
    "P-SUB-3",
    "P-SUB-4",
    "P-SUB-5",
  ]),
];
