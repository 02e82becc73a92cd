import type { ApprovalView } from "@askwire/client";
import type { AskedWords } from "../words/asked-words.js";

/** The extent of an approval for the session. Undefined if it covers the whole action, or the server does not say. */
export function approvalCover({ covers }: ApprovalView, words: AskedWords): string | undefined {
  if (covers?.program !== undefined) return words.alsoProgram(covers.program);
  return covers?.command === undefined ? undefined : words.alsoSame;
}
