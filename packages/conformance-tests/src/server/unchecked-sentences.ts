import { type UncheckedSentence, unchecked } from "../sentences.js";

/** Sentences about a server, or about both sides, that no check of a server or gateway proves. */
export const uncheckedOnServer: readonly UncheckedSentence[] = [
  ...unchecked("it takes longer than a check may", ["P-SES-3", "P-SES-4", "P-EXT-6"]),
  ...unchecked("a check does not fill a server up to its limits", ["P-SES-5"]),
  ...unchecked("no client of a gateway makes it stop", ["P-SES-6"]),
  ...unchecked("over WebSocket one program waits for a client by itself, another where it is told to", [
    "P-ATT-2",
  ]),
  ...unchecked("what is inside the server leaves no trace on the wire", [
    "P-ENG-11",
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
  ...unchecked("the scripts of the checks call the tool of one dialect, which any server has", [
    "P-DIA-1",
    "P-DIA-2",
    "P-DIA-3",
    "P-DIA-4",
    "P-DIA-5",
    "P-DIA-6",
    "P-DIA-7",
    "P-DIA-8",
  ]),
  ...unchecked("a script says all at once, so it does not show what happens while a model still speaks", [
    "P-STP-2",
  ]),
  ...unchecked("no script brings a server to it", ["P-TRN-5", "P-ERR-3", "P-ANS-4", "P-NOT-1"]),
  ...unchecked("only the agent's own code sets a deadline, and no script does", [
    "P-XST-3",
    "P-XDL-1",
    "P-XDL-2",
    "P-XDL-4",
  ]),
  ...unchecked("the question tool of the scripts refuses two equal texts before a client could see them", [
    "P-XQS-2",
  ]),
  ...unchecked("a scripted model has no provider behind it", ["P-MOD-3", "P-MOD-4"]),
  ...unchecked("no line of the list starts a sub-agent", [
    "P-SUB-1",
    "P-SUB-2",
    "P-SUB-3",
    "P-SUB-4",
    "P-SUB-5",
  ]),
];
