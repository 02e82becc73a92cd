import type { FormState } from "@askwire/client/form";
import type { CardWords } from "@askwire/client/words";

/** The reason why a button did nothing, in words. Undefined without a reason. */
export function hintText(form: FormState, words: CardWords): string | undefined {
  const { hint, questions, tab } = form;
  const question = questions[tab];
  switch (hint?.why) {
    case undefined:
    // Of keys and of a full text that a page does not have.
    case "no_words_here":
    case "enter_again":
    case "enter_confirms":
    case "decline_again":
    case "cleared":
    case "unread":
      return undefined;
    case "nothing_chosen":
      return question?.own_text === false ? words.nothingChosen : words.nothingChosenOrTyped;
    case "blank_text":
      return words.blankText;
    case "no_value":
      return question?.field && words.expects(words.field.value(question.field));
    case "too_few":
    case "too_many": {
      const choices = question && words.field.choices(question);
      return choices && words.expects(choices);
    }
    case "text_too_long":
      return words.textTooLong;
    case "all_skipped":
      return words.allSkipped;
    case "unanswered":
      return words.unanswered(hint.questions.map((at) => questions[at]?.header || words.tab(at + 1)));
    case "refused":
      return words.refused(hint.messages);
  }
}
