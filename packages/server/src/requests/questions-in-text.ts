import type { CoreQuestion } from "@askwire/protocol";
import { asText } from "./as-text.js";

/** Questions as a message, for a person whose client shows no questions: the reply is what they say next. */
export const questionsInText = (questions: readonly CoreQuestion[]): string =>
  questions.map(inText).join("\n\n");

function inText(asked: CoreQuestion): string {
  const { question, body, options } = asText(asked);
  const rows = options.map(
    ({ label, description }) => `- ${description ? `${label}: ${description}` : label}`,
  );
  return [question, body, ...rows].filter((line) => line !== "").join("\n");
}
