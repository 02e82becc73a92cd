import type { FormState, QuestionDraft } from "@askwire/client/form";
import { answerChoices } from "@askwire/client/text";
import type { CardWords } from "@askwire/client/words";
import type { CoreQuestion } from "@askwire/protocol";
import type { ReactNode } from "react";
import { Choices } from "./choices.js";
import { Foreign } from "./foreign-text.js";

/** Lists the answers to be sent, and the questions that are open. */
export const ReviewPage = ({
  form,
  words,
  onShow,
}: {
  readonly form: FormState;
  readonly words: CardWords;
  onShow(tab: number): void;
}): ReactNode => (
  <>
    <h3>{words.reviewHeading}</h3>
    <dl className="askwire-review">
      {form.questions.map((question, index) => {
        const draft = form.drafts[index] as QuestionDraft;
        return (
          <div key={question.id}>
            <dt>
              <button type="button" onClick={() => onShow(index)}>
                <Foreign text={question.question} /> <span>{words.change}</span>
              </button>
            </dt>
            <dd>{answerText(question, draft, words)}</dd>
          </div>
        );
      })}
    </dl>
  </>
);

/** The answer that was confirmed. */
function answerText(question: CoreQuestion, { confirmed }: QuestionDraft, words: CardWords): ReactNode {
  if (confirmed === undefined) return <em>{words.open}</em>;
  const { attachments: { length: pictures } = [] } = confirmed;
  const parts = [
    ...answerChoices(question, confirmed),
    ...(pictures === 0 ? [] : [words.pictures(pictures)]),
  ];
  return (
    <>
      {confirmed.skipped === true ? <em>{words.leftOut}</em> : <Choices choices={parts} />}
      {confirmed.note !== undefined && (
        <small>
          {" "}
          — <Foreign text={confirmed.note} />
        </small>
      )}
    </>
  );
}
