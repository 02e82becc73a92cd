import { type FormState, shownQuestion } from "@askwire/client/form";
import type { PanelWords } from "@askwire/client/words";
import { type CoreQuestion, sentAs } from "@askwire/protocol";
import { oneLine } from "../device/fitted-text.js";
import type { Drawing } from "./drawing.js";
import { tabLabel } from "./tab-bar.js";

/** The reason why a key did nothing, or else the value that is sent for another text. No lines without either. */
export function hintLines(form: FormState, drawing: Drawing): Iterable<string> {
  const { paint, words, texts, columns } = drawing;
  const text = hintText(form, drawing);
  if (text !== undefined) return texts.wrapped(paint("yellow", `! ${text}`), columns);
  const { question, draft } = shownQuestion(form) ?? {};
  const sent = question?.own_text ? sentAs(question.field, draft?.text.text ?? "") : undefined;
  return sent === undefined ? [] : texts.wrapped(paint("dim", words.field.sentAs(oneLine(sent))), columns);
}

function hintText(form: FormState, drawing: Drawing): string | undefined {
  const { hint, questions, tab } = form;
  const { words, ready } = drawing;
  if (hint === undefined || (!ready && hint.why !== "refused" && hint.why !== "unread")) return undefined;
  switch (hint.why) {
    case "nothing_chosen":
      return questions[tab]?.own_text === false ? words.nothingChosen : words.nothingChosenOrTyped;
    case "blank_text":
      return words.blankText;
    case "no_value":
    case "too_few":
    case "too_many":
      return expectation(questions[tab], words);
    case "text_too_long":
      return words.textTooLong;
    case "no_words_here":
      return words.noWordsHere;
    case "all_skipped":
      return words.allSkipped;
    case "enter_again":
      return words.enterAgain;
    case "enter_confirms":
      return words.enterConfirms;
    case "cleared":
      return words.cleared;
    case "unread":
      return words.unread;
    case "decline_again":
      return words.declineAgain(questions.length);
    case "unanswered":
      return words.unanswered(
        hint.questions.flatMap((index) => {
          const question = questions[index];
          return question === undefined ? [] : [tabLabel(question, index, drawing)];
        }),
      );
    case "refused":
      return words.refused(hint.messages.map(oneLine));
  }
}

/** The answers that a question takes: the values of its field, or a number of choices. */
function expectation(question: CoreQuestion | undefined, words: PanelWords): string | undefined {
  if (question === undefined) return undefined;
  const { field } = question;
  const expected = field === undefined ? words.field.choices(question) : words.field.value(field);
  return expected && words.expected(expected);
}
