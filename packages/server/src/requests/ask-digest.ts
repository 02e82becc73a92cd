import { createHash } from "node:crypto";
import { jsonText } from "@askwire/protocol/internal";
import type { ApprovalRequest } from "./approval-request.js";
import type { PersonRequest } from "./core.js";
import type { QuestionRequest } from "./question-request.js";
import { addressedContent, approvalContent, sorted } from "./same-request.js";

/** A text that two asks share only if they ask the same, whatever their authors left out (P-XAK-4). */
export const askDigest = (request: PersonRequest): string =>
  createHash("sha256")
    .update(jsonText(request.kind === "question" ? askedQuestions(request) : askedContent(request)))
    .digest("base64url");

/**
 * The content of an approval, without the sender where that is only the name of the program that asks. People see what
 * is to be allowed by the place that it comes from (P-XAK-12).
 */
function askedContent(request: ApprovalRequest): object {
  const { personOnly: person_only, program, sender } = request;
  const approval = approvalContent(request, sender === program?.by.name ? "" : sender);
  const content = { approval: sorted(approval), person_only, origin: program?.origin };
  return { ...content, ...addressedContent(request) };
}

/** The questions alone, where they are for all: digests of earlier versions hold. */
const askedQuestions = (request: QuestionRequest): object =>
  request.addressing === undefined
    ? request.questions
    : { questions: request.questions, ...addressedContent(request) };
