import { type Outcome, outcomeWords } from "@askwire/protocol";
import { ToolError } from "./tool-error.js";

/** The result of a tool whose question has no answer (P-OUT-7). */
export const unansweredQuestion = (outcome: Outcome): ToolError =>
  new ToolError(outcomeWords(outcome, "question"));

/** The result of a tool whose approval was not given (P-OUT-6). */
export const refusedApproval = (outcome: Outcome, feedback?: string): ToolError =>
  new ToolError(outcomeWords(outcome, "approval", feedback));
