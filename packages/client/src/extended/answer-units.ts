import type { AnswerParams } from "@askwire/protocol";

/** The UTF-16 units of the words and pictures in an answer. All else in it is short. */
export function answerUnits({ items = [], feedback, edited, outcome }: AnswerParams): number {
  return items.reduce(
    (sum, { own_text, note, attachments = [] }) =>
      attachments.reduce(
        (all, part) => all + (part.type === "image_url" ? part.image_url.url.length : 0),
        sum + lengths(own_text, note),
      ),
    lengths(feedback, edited, outcome.note),
  );
}

const lengths = (...texts: readonly (string | undefined)[]) =>
  texts.reduce((sum, text = "") => sum + text.length, 0);
