import type { ApprovalView } from "@askwire/client";
import type { AskedWords } from "../words/asked-words.js";

/** What approving for the session covers; undefined where that is the whole action, or the server does not say. */
export function approvalCover({ covers }: ApprovalView, words: AskedWords): string | undefined {
  if (covers?.program !== undefined) return words.alsoProgram(covers.program);
  return covers?.command === undefined ? undefined : words.alsoSame;
}
