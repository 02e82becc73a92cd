import type { ApprovalReply, ApprovalView, RequestContext } from "@askwire/client";
import { typedText, withEditShown, withLineFeeds } from "@askwire/client/text";
import { type ApprovalKind, type ApprovalOption, answerLimits } from "@askwire/protocol";
import { Fragment, type ReactNode, useId, useRef, useState } from "react";
import { ErrorBoundary } from "../failures/error-boundary.js";
import { messageOf } from "../failures/failure-note.js";
import { useKeptWork } from "../failures/use-kept-work.js";
import { type ApprovalDraft, isOnItsWay, type OpenRequest } from "../hooks/open-requests.js";
import { type CardWords, cardWords } from "../words/card-words.js";
import { Card, useBegin } from "./card.js";
import { DeliveryNote } from "./delivery-note.js";
import { Block } from "./display-block.js";
import { Foreign } from "./foreign-text.js";
import { keptApproval } from "./kept-form.js";
import { OthersAnswer } from "./others-answer.js";
import { approvalAsText } from "./own-words.js";
import { TooLong } from "./too-long.js";
import { useFocusBack } from "./use-focus-back.js";
import { usePressGuard } from "./use-press-guard.js";
import { useRequestName } from "./use-request-name.js";
import { END_MARK, useUnseenParts } from "./use-unseen-parts.js";

/** The props of an {@link ApprovalCard}. */
export interface ApprovalCardProps {
  readonly request: ApprovalView;
  /** Called once with the answer. */
  onReply(reply: ApprovalReply): void;
  /** Called when the person begins, by a key or a pointer. */
  onBegin?(): void;
  /** The server's reasons for refusing the last answer (P-XAN-4). Default: none. */
  readonly issues?: RequestContext["issues"];
  /** The work on the same approval that was kept by `onDraft`. Default: none. */
  readonly draft?: ApprovalDraft;
  /** Called with each change, as plain JSON to keep. */
  onDraft?(draft: ApprovalDraft): void;
  /** The end of the approval elsewhere: the card can then only be read. */
  readonly settled?: OpenRequest["settled"];
  /** The other clients whose people have begun to answer. Default: none. */
  readonly answering?: OpenRequest["answering"];
  /** How far the reply has come. Default: nothing is told of it. */
  readonly delivery?: OpenRequest["delivery"];
  /** The reply that was given elsewhere than in this card, such as in a pick of an editor. Default: the card's own. */
  readonly reply?: ApprovalReply;
  onDismiss?(): void;
  /** Default: English. */
  readonly words?: CardWords;
}

/** A way to answer, by a button. */
interface Way {
  readonly id: string;
  readonly kind: ApprovalOption["kind"];
  readonly label: string;
  /** The extent in words, where it is more than this call. */
  readonly covers: string;
  readonly reply: { readonly response: ApprovalKind } | { readonly option: string };
}

/**
 * An approval with all that it is about, as a region of the page. A button answers. The card takes no focus by itself,
 * and no key of its own answers. A card that fails says so, and is drawn anew with the person's work. One whose request
 * comes to ask something else begins anew, without it.
 */
export function ApprovalCard(props: ApprovalCardProps): ReactNode {
  const name = useRequestName(props.request);
  return <OneApproval key={name} {...props} name={name} />;
}

/** The name of the request, which its parts are given. */
type Named = { readonly name: string };

function OneApproval(props: ApprovalCardProps & Named): ReactNode {
  const { failure } = props.words ?? cardWords.en;
  const kept = useKeptWork(props);
  return (
    <ErrorBoundary part={failure.parts.approval} words={failure}>
      <Approval {...props} {...kept} />
    </ErrorBoundary>
  );
}

function Approval(props: ApprovalCardProps & Named & { readonly isAnswered: boolean }): ReactNode {
  const { request, settled, issues = none, delivery = draft, words = cardWords.en } = props;
  const { sender, action, description, edit } = request;
  const id = useId();
  const [kept] = useState(() => keptApproval(props.draft, edit?.content));
  const [{ why, edit: changed }, setDraft] = useState(kept.work);
  const edited = changed?.text;
  // A text area drops carriage returns.
  const shown = withLineFeeds(edited ?? "");
  const editor = useFocusBack<HTMLTextAreaElement>(edited !== undefined);
  const [isSent, setSent] = useState(props.isAnswered);
  /** The reasons why the last answer was not taken. */
  const [failed, setFailed] = useState("");
  const [heard, setHeard] = useState(issues);
  const { begin } = useBegin(props.onBegin);
  const box = useRef<HTMLElement>(null);
  const presses = usePressGuard(box, 0);
  const unseen = useUnseenParts(box);
  /** True after a press that showed what was out of sight, and allowed nothing. */
  const [isShownRest, setShownRest] = useState(false);

  if (issues !== heard) {
    setHeard(issues);
    // Reasons that go away, as where another answer is on its way, open nothing.
    if (issues.length > 0) setSent(false);
    setFailed("");
  }

  const isClosed = settled !== undefined || isSent || isOnItsWay(delivery);

  function keep(next: ApprovalDraft): void {
    setDraft(next);
    props.onDraft?.(next);
  }

  /** True where the words that would go with an answer are longer than is taken. */
  const isTooLong = (kind: Way["kind"]) =>
    kind === "reject"
      ? why.trim().length > answerLimits.words
      : (edited ?? "").length > (edit?.max_length ?? 0);

  const setEdited = (of: string, text: string) => keep({ why, edit: { of, text } });

  function answer({ kind, reply }: Way): void {
    if (isClosed || isTooLong(kind)) return;
    const shows = kind === "allow" && unseen.showRest();
    setShownRest(shows);
    if (shows) return presses.begin();
    setSent(true);
    const feedback = kind === "reject" ? why.trim() : "";
    const isChanged = kind === "allow" && edited !== undefined && edited !== edit?.content;
    try {
      props.onReply({
        ...reply,
        ...(feedback !== "" && { feedback }),
        ...(isChanged && { edited }),
      });
    } catch (error) {
      reportError(error);
      setSent(false);
      setFailed(messageOf(error));
    }
  }

  const reasons = failed === "" ? issues.map(({ message }) => message) : [failed];
  return (
    <Card
      {...{ box, presses }}
      isWhole={unseen.isWhole}
      hint={presses.isTold ? words.pressedEarly : isShownRest ? words.restIsShown : ""}
      id={id}
      requestName={props.name}
      className="askwire-approval"
      heading={<Foreign text={words.asksTo(sender, action)} />}
      onBegin={begin}
    >
      {settled === undefined && <OthersAnswer answering={props.answering} words={words} />}
      {!kept.isWhole && (
        <p className="askwire-hint" role="status">
          {words.workLost}
        </p>
      )}
      <p>
        <Foreign text={description} />
      </p>
      {withEditShown(request).map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no name, and never move
        <Fragment key={index}>
          <Block block={block} words={words} />
          <span {...{ [END_MARK]: "" }} />
        </Fragment>
      ))}
      <fieldset className="askwire-page" disabled={isClosed} aria-disabled={presses.isEarly || undefined}>
        <legend className="askwire-unseen">
          <Foreign text={words.asksTo(sender, action)} />
        </legend>
        {edit !== undefined &&
          (edited === undefined ? (
            <button type="button" onClick={() => setEdited(edit.content, edit.content)}>
              {words.edit}
            </button>
          ) : (
            <div className="askwire-own">
              <label htmlFor={`${id}e`}>{words.editLabel}</label>
              <textarea
                ref={editor}
                id={`${id}e`}
                spellCheck={false}
                rows={Math.min(20, shown.split("\n").length + 1)}
                aria-describedby={`${id}el`}
                value={shown}
                onChange={({ target }) =>
                  setEdited(edit.content, typedText(edited, target.value, target.selectionEnd))
                }
              />
              <TooLong id={`${id}el`} text={edited} most={edit.max_length} words={words} />
            </div>
          ))}
        <div className="askwire-own">
          <label htmlFor={`${id}w`}>{words.rejectWhy}</label>
          <textarea
            id={`${id}w`}
            dir="auto"
            rows={Math.min(8, why.split("\n").length)}
            aria-describedby={`${id}wl`}
            value={why}
            onChange={({ target }) =>
              keep({ ...(changed !== undefined && { edit: changed }), why: target.value })
            }
          />
          <TooLong id={`${id}wl`} text={why.trim()} most={answerLimits.words} words={words} />
          <p className="askwire-hint" role="status">
            {reasons.length > 0 && !isSent && <Foreign text={words.refused(reasons)} />}
          </p>
        </div>
        <div className="askwire-buttons">
          {waysOf(request, words).map((way) => (
            <span key={way.id} className={`askwire-${way.kind}`}>
              <button
                type="button"
                onClick={() => answer(way)}
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
      </fieldset>
      <DeliveryNote
        {...{ delivery, settled, words }}
        own={
          settled === undefined
            ? ""
            : approvalAsText(props.reply, { why, ...(changed !== undefined && { edit: changed }) })
        }
        onDismiss={props.onDismiss}
      />
    </Card>
  );
}

/** The state of a request that was not answered. */
const draft: OpenRequest["delivery"] = { is: "draft" };

/** Shared by all renderings, so that a card without issues sees no change. */
const none: RequestContext["issues"] = [];

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
