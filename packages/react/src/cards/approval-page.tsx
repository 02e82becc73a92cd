import type { ApprovalView } from "@askwire/client";
import { typedText, withLineFeeds } from "@askwire/client/text";
import type { CardWords } from "@askwire/client/words";
import { answerLimits } from "@askwire/protocol";
import { type ReactNode, useState } from "react";
import type { ApprovalDraft } from "../hooks/open-requests.js";
import { Icon } from "../looks/icon.js";
import { shownWays, type Way } from "./approval-ways.js";
import { beginning } from "./beginning.js";
import { Foreign } from "./foreign-text.js";
import { TooLong } from "./too-long.js";
import { useFocusBack } from "./use-focus-back.js";

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

/** The part of an approval that answers: how far it goes, the text to change, why not, and the buttons. */
export function ApprovalPage(props: PageProps): ReactNode {
  const { id, request, reasons, words, press } = props;
  const { allow, reject, otherRejects } = shownWays(request, words);
  const [chosenId, setChosen] = useState(allow[0]?.id);
  const chosen = allow.find((way) => way.id === chosenId) ?? allow[0];
  return (
    <>
      {allow.some(({ covers }, index) => index > 0 || covers !== "") && (
        <Scopes {...{ id, words, ways: allow, chosen }} onChoose={setChosen} />
      )}
      <div className="askwire-extras">
        {request.edit !== undefined && <EditField {...props} edit={request.edit} />}
        <WhyField {...props} />
      </div>
      {otherRejects.length > 0 && (
        <div className="askwire-asides">
          {otherRejects.map((way) => (
            <span key={way.id} className="askwire-reject">
              <WayButton {...{ id, way, press }} />
            </span>
          ))}
        </div>
      )}
      <p className="askwire-hint" role="status">
        {reasons.length > 0 && <Foreign text={words.refused(reasons)} />}
      </p>
      <div className="askwire-buttons">
        {reject !== undefined && (
          <span className="askwire-reject">
            <WayButton {...{ id, press }} way={reject} />
          </span>
        )}
        {chosen !== undefined && (
          <span className="askwire-allow">
            <button type="button" className="askwire-main" onClick={() => press(chosen)}>
              <Foreign text={chosen.label} />
            </button>
          </span>
        )}
      </div>
    </>
  );
}

/** The choice of an extent: the narrowest is chosen, so that a wide one takes a second act. */
const Scopes = ({
  id,
  words,
  ways,
  chosen,
  onChoose,
}: {
  readonly id: string;
  readonly words: CardWords;
  readonly ways: readonly Way[];
  readonly chosen: Way | undefined;
  onChoose(id: string): void;
}): ReactNode => (
  <fieldset className="askwire-scopes">
    <legend>{words.howFar}</legend>
    <div className="askwire-options">
      {ways.map((way) => (
        <div key={way.id} className="askwire-option">
          <input
            type="radio"
            id={`${id}${way.id}`}
            name={`${id}scope`}
            checked={way === chosen}
            onChange={() => onChoose(way.id)}
            {...(way.covers !== "" && { "aria-describedby": `${id}${way.id}d` })}
          />
          <label htmlFor={`${id}${way.id}`}>
            <Foreign text={way.label} />
          </label>
          {way.covers !== "" && (
            <p id={`${id}${way.id}d`}>
              <Foreign text={way.covers} />
            </p>
          )}
        </div>
      ))}
    </div>
  </fieldset>
);

/** A way to reject, with its extent where it is more than this call. */
const WayButton = ({
  id,
  way,
  press,
}: Pick<PageProps, "id" | "press"> & { readonly way: Way }): ReactNode => (
  <>
    <button
      type="button"
      onClick={() => press(way)}
      {...(way.covers !== "" && { "aria-describedby": `${id}${way.id}d` })}
    >
      <Foreign text={way.label} />
    </button>
    {way.covers !== "" && (
      <small id={`${id}${way.id}d`}>
        <Foreign text={way.covers} />
      </small>
    )}
  </>
);

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
      <button type="button" className="askwire-plain askwire-edit" onClick={() => change(content)}>
        <Icon name="pen" />
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

/** The words that go with a rejection, folded until there are some. Folded by the person, they are still sent. */
function WhyField({ id, work: { why }, words, keep }: PageProps): ReactNode {
  const [isOpen, setOpen] = useState(why !== "");
  return (
    <details
      className="askwire-beside"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <Icon name="note" />
        {isOpen || why.trim() === "" ? words.sayWhy : <Foreign text={words.foldedWhy(beginning(why))} />}
      </summary>
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
    </details>
  );
}
