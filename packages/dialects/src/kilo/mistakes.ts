import type { Outcome } from "@askwire/protocol";
import {
  type DeadlineInit,
  getWire,
  type NativeResult,
  type QuestionAnswer,
  QuestionRequest,
  type ToolRun,
  wireSend,
} from "@askwire/server";
import { imagesOf } from "../said-beside.js";
import { withImages } from "../with-images.js";
import { inARow, type PersonLanguage, personWords } from "./person-words.js";
import type { Mistake } from "./read-call.js";
import { answerInText, failure } from "./render.js";

/** The mistakes in a row of one session (P-KIL-8). */
export interface MistakeCount {
  /** A call was right: the count starts anew. */
  none(): void;
  /** Tells the model a further mistake. At the limit the person decides, and the model is told the decision. */
  one(mistake: Mistake, run: ToolRun): Promise<NativeResult>;
}

/**
 * Counts mistakes.
 *
 * @param limit the number of mistakes in a row before the person is asked; 0: never.
 * @param language the language that the person is asked in.
 */
export function countMistakes(
  limit: number,
  language: PersonLanguage,
  deadline: DeadlineInit | undefined,
): MistakeCount {
  let count = 0;
  return {
    none() {
      count = 0;
    },
    async one({ shown, told }, run) {
      count += 1;
      if (limit === 0 || count < limit) return failure(told, shown);
      // At once: another call of the step may be wrong as well.
      count = 0;
      const { text, images } = await whatToDo(limit, language, run, deadline);
      return { ...failure("", shown), output: withImages(`${told}\n\n${text}`, images) };
    },
  };
}

interface WhatToDo {
  readonly text: string;
  readonly images: NonNullable<QuestionAnswer["items"][number]["attachments"]>;
}

/** Asks the person, and returns the decision. */
async function whatToDo(
  limit: number,
  language: PersonLanguage,
  run: ToolRun,
  deadline: DeadlineInit | undefined,
): Promise<WhatToDo> {
  const mistakes = inARow(limit);
  const nobody = {
    text: `Nobody could be asked what to do after ${mistakes}: go on as you judge best.`,
    images: [],
  };
  if (run.unattended || getWire() === undefined) return nobody;
  const { options, question: about } = personWords[language];
  const question = about(limit);
  const request = new QuestionRequest({
    tool_call_id: run.toolCall.id,
    questions: [{ question, options }],
    ...(deadline !== undefined && { deadline: { ...deadline, on_expiry: "cancel" } }),
  });
  wireSend(request);
  const answer = await request.waitForAnswer().catch((error) => {
    if (run.signal.aborted) throw error;
    return undefined;
  });
  const outcome = request.outcome as Outcome;
  const { status, note } = outcome;
  if (answer === undefined) return nobody;
  if (status === "declined") {
    const said = note === undefined ? "" : ` They said: ${note}`;
    return { text: `The user, asked what to do after ${mistakes}, did not say.${said}`, images: [] };
  }
  const ended = { outcome, answer };
  const text = `The user, asked what to do after ${mistakes}, said:\n<feedback>\n${answerInText(question, ended)}\n</feedback>`;
  return { text, images: imagesOf(ended) };
}
