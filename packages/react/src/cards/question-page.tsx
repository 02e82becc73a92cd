import {
  type FormAction,
  type FormState,
  hasReview,
  isChosen,
  type QuestionDraft,
  questionRows,
  shownQuestion,
} from "@askwire/client/form";
import { visibleText } from "@askwire/client/text";
import type { CardWords } from "@askwire/client/words";
import type { CoreQuestion } from "@askwire/protocol";
import { sentAs } from "@askwire/protocol/fields";
import { type ReactNode, type RefObject, useState } from "react";
import { Foreign, type RenderMarkdown } from "./foreign-text.js";
import { NoteField } from "./note-field.js";
import { Options } from "./options.js";
import type { Attachments } from "./picture.js";
import { Pictures } from "./pictures.js";
import { usePictures } from "./use-pictures.js";
import { isInput, isShownAsText, wordsControl } from "./words-control.js";

interface PageProps {
  readonly id: string;
  readonly form: FormState;
  readonly words: CardWords;
  readonly notes: boolean;
  readonly pictures: boolean;
  readonly renderMarkdown: RenderMarkdown;
  act(...actions: FormAction[]): void;
  /** Shows the preview of an option, which is no act of the person. */
  look(row: number): void;
  /** True if the server refused the last answer to this question. */
  readonly isRefused: boolean;
  readonly hintId: string;
  /** True while pictures are being read. */
  readonly reading: RefObject<boolean>;
  /** The hint, which stands below what it is about. */
  readonly children: ReactNode;
}

const none: Attachments = [];

/** The shown question: its text, options, own words and note. */
export function QuestionPage(props: PageProps): ReactNode {
  const { id, form, words, renderMarkdown, act, hintId } = props;
  const shown = shownQuestion(form);
  const attachments = shown?.draft.attachments ?? none;
  const taken = usePictures(
    attachments,
    (next) => act({ type: "attach", attachments: next }),
    words,
    props.reading,
  );
  if (shown === undefined) return null;
  const { question, draft } = shown;
  const { multi_select, options, body } = question;
  const choices = words.field.choices(question);
  const cursor = shown.row.is === "option" ? options[shown.row.index] : undefined;
  const previewName = visibleText(words.preview(cursor?.label ?? ""));
  const { picture: isWanted = false } = question;
  // Beside yes or no, a number or a date, a picture says nothing. One that is there already can be taken away.
  const isPlain = (question.field?.type ?? "text") === "text" || attachments.length > 0;
  const takesPictures = props.pictures && (isPlain || isWanted);
  const isWrong = props.isRefused || form.hint?.why === "no_value";
  return (
    <fieldset
      className="askwire-question"
      aria-describedby={hintId}
      {...(takesPictures && taken.listeners)}
      {...(isWrong && { "aria-invalid": true as const })}
    >
      <legend>
        <Foreign text={question.question} />
        {multi_select && <small> ({choices ?? words.several})</small>}
        {hasReview(form) && isRequired(question) && <small> ({words.field.required})</small>}
      </legend>
      {body !== "" && renderMarkdown(body)}
      <div className="askwire-options">
        <Options {...{ id, question, draft, words, act }} onLook={props.look} />
        {question.own_text && <OwnText {...props} {...{ question, draft, isWrong }} />}
      </div>
      {options.some(({ preview }) => preview !== undefined) && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to take the focus
        <section className="askwire-preview" aria-label={previewName} tabIndex={0}>
          {cursor?.preview !== undefined && renderMarkdown(cursor.preview)}
        </section>
      )}
      {props.children}
      <div className="askwire-extras">
        {props.notes && (
          <NoteField
            id={`${id}note`}
            note={draft.note ?? ""}
            onChange={(text) => act({ type: "note", text })}
            words={words}
          />
        )}
        {takesPictures && (
          <Pictures
            {...{ id, attachments, words, taken, isWanted }}
            onAttach={(next) => act({ type: "attach", attachments: next })}
          />
        )}
      </div>
    </fieldset>
  );
}

/** Own words: a text area, next to a radio button where there are options, or an input for a typed field. */
function OwnText({
  id,
  question,
  draft,
  words,
  act,
  isWrong,
  hintId,
}: PageProps & {
  readonly question: CoreQuestion;
  readonly draft: QuestionDraft;
  readonly isWrong: boolean;
}): ReactNode {
  const { field, options, multi_select } = question;
  const row = questionRows(question).findIndex(({ is }) => is === "own_text");
  const { text } = draft.text;
  // A text that its input would not show is typed as text.
  const [isTyped] = useState(() => isShownAsText(question, draft));
  const control = wordsControl(question, draft, isTyped, act);
  const sent = sentAs(field, text);
  const isRadio = options.length > 0 && !multi_select;
  const own = field === undefined ? words.ownWords : words.answer;
  const label = question.other_label === "" ? own : question.other_label;
  const expectation =
    field && `${words.field.value(field)}${field.required === false ? ` (${words.field.mayBeEmpty})` : ""}`;
  const common = {
    ...control,
    id: `${id}w`,
    placeholder: visibleText(words.told(question.placeholder ?? "")),
    dir: "auto",
    "aria-describedby": `${id}x ${hintId}`,
    ...(isRequired(question) && { "aria-required": true as const }),
    ...(isWrong && { "aria-invalid": true as const }),
  };
  return (
    <div className="askwire-option askwire-own">
      {isRadio && (
        <input
          type="radio"
          name={`${id}n`}
          aria-label={words.ownWords}
          checked={draft.isTextAside !== true && (isOwnRow(draft, row) || isOwn(question, draft))}
          onChange={() => act({ type: "select", row })}
        />
      )}
      <label htmlFor={`${id}w`}>
        <Foreign text={label} />
      </label>
      {isInput(question) ? (
        <input {...common} />
      ) : (
        <textarea
          {...common}
          rows={text === "" && options.length > 0 ? 1 : Math.min(12, text.split("\n").length + 1)}
        />
      )}
      <p id={`${id}x`}>
        {draft.isTextAside === true ? (
          words.ownWordsAside
        ) : (
          <Foreign
            text={[
              expectation ?? question.other_description,
              ...(sent === undefined ? [] : [words.field.sentAs(sent)]),
            ].join("; ")}
          />
        )}
      </p>
    </div>
  );
}

const isRequired = ({ field }: CoreQuestion) => field !== undefined && field.required !== false;
const isOwn = (question: CoreQuestion, draft: QuestionDraft) => isChosen(question, draft, { is: "own_text" });
/** True if the row of own words was clicked, and nothing else since. */
const isOwnRow = (draft: QuestionDraft, row: number) => draft.row === row && draft.chosen.length === 0;
