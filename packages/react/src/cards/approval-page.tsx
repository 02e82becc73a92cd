import type { ApprovalView } from "@askwire/client";
import { typedText, withLineFeeds } from "@askwire/client/text";
import type { CardWords } from "@askwire/client/words";
import { type ApprovalKind, type ApprovalOption, answerLimits } from "@askwire/protocol";
import type { ReactNode } from "react";
import type { ApprovalDraft } from "../hooks/open-requests.js";
import { Foreign } from "./foreign-text.js";
import { TooLong } from "./too-long.js";
import { useFocusBack } from "./use-focus-back.js";

/** A way to answer, by a button. */
export interface Way {
  readonly id: string;
  readonly kind: ApprovalOption["kind"];
  readonly label: string;
  /** The extent in words, where it is more than this call. */
  readonly covers: string;
  readonly reply: { readonly response: ApprovalKind } | { readonly option: string };
}

interface PageProps {
  readonly id: string;
  readonly request: ApprovalView;
  /** The person's work so far. */
  readonly work: ApprovalDraft;
  /** The reasons why the last answer was not taken. */
  readonly reasons: readonly string[];
  readonly words: CardWords;
  keep(change: Partial<ApprovalDraft>): void;
  press(way: Way): void;
}

/** The part of an approval that answers: the text to change, the words of a rejection, and the buttons. */
export function ApprovalPage(props: PageProps): ReactNode {
  const { id, request, words, press } = props;
  return (
    <>
      {request.edit !== undefined && <EditField {...props} edit={request.edit} />}
      <WhyField {...props} />
      <div className="askwire-buttons">
        {waysOf(request, words).map((way) => (
          <span key={way.id} className={`askwire-${way.kind}`}>
            <button
              type="button"
              onClick={() => press(way)}
              {...(way.covers !== "" && { "aria-describedby": `${id}${way.id}` })}
            >
              <Foreign text={way.label} />
            </button>
            {way.covers !== "" && (
              <small id={`${id}${way.id}`}>
                <Foreign text={way.covers} />
              </small>
            )}
          </span>
        ))}
      </div>
    </>
  );
}

/** The text that is to be allowed, which the person may change: a button until they do. */
function EditField({
  id,
  edit: { content, max_length },
  work: { edit },
  words,
  keep,
}: PageProps & { readonly edit: NonNullable<ApprovalView["edit"]> }): ReactNode {
  const editor = useFocusBack<HTMLTextAreaElement>(edit !== undefined);
  const change = (text: string) => keep({ edit: { of: content, text } });
  if (edit === undefined) {
    return (
      <button type="button" onClick={() => change(content)}>
        {words.edit}
      </button>
    );
  }
  const { text } = edit;
  // A text area drops carriage returns.
  const shown = withLineFeeds(text);
  return (
    <div className="askwire-own">
      <label htmlFor={`${id}e`}>{words.editLabel}</label>
      <textarea
        ref={editor}
        id={`${id}e`}
        spellCheck={false}
        rows={Math.min(20, shown.split("\n").length + 1)}
        aria-describedby={`${id}el`}
        value={shown}
        onChange={({ target }) => change(typedText(text, target.value, target.selectionEnd))}
      />
      <TooLong id={`${id}el`} text={text} most={max_length} words={words} />
    </div>
  );
}

/** The words that go with a rejection, and the reasons why the last answer was not taken. */
const WhyField = ({ id, work: { why }, reasons, words, keep }: PageProps): ReactNode => (
  <div className="askwire-own">
    <label htmlFor={`${id}w`}>{words.rejectWhy}</label>
    <textarea
      id={`${id}w`}
      dir="auto"
      rows={Math.min(8, why.split("\n").length)}
      aria-describedby={`${id}wl`}
      value={why}
      onChange={({ target }) => keep({ why: target.value })}
    />
    <TooLong id={`${id}wl`} text={why.trim()} most={answerLimits.words} words={words} />
    <p className="askwire-hint" role="status">
      {reasons.length > 0 && <Foreign text={words.refused(reasons)} />}
    </p>
  </div>
);

/** The options of the wire, or the base profile's three. Each has an id by its position. */
function waysOf({ options, action }: ApprovalView, words: CardWords): Way[] {
  if (options !== undefined) {
    return options.map(({ id, kind, label, scope }, index) => ({
      ...{ id: `way${index}`, kind, label, covers: scope?.text ?? "" },
      reply: { option: id },
    }));
  }
  const three = [
    ["approve", words.approve, ""],
    ["approve_for_session", words.approveForSession, words.everyAction(action)],
    ["reject", words.reject, ""],
  ] as const;
  return three.map(([response, label, covers], index) => ({
    id: `way${index}`,
    kind: response === "reject" ? "reject" : "allow",
    ...{ label, covers, reply: { response } },
  }));
}
