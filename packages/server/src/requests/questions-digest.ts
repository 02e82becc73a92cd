import { createHash } from "node:crypto";
import { jsonText } from "@askwire/protocol/internal";
import type { QuestionRequest } from "./question-request.js";

/** A text that two requests share only if they ask the same, whatever their authors left out. */
export const questionsDigest = ({ questions }: QuestionRequest): string =>
  createHash("sha256").update(jsonText(questions)).digest("base64url");
