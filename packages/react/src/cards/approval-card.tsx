import type { ApprovalReply, ApprovalView, RequestContext } from "@askwire/client";
import { OWN_TEXT_LENGTH } from "@askwire/client/form";
import type { ApprovalKind, ApprovalOption } from "@askwire/protocol";
import { type ReactNode, useId, useState } from "react";
import type { ApprovalDraft, OpenRequest } from "../hooks/open-requests.js";
import { type CardWords, cardWords } from "../words/card-words.js";
import { Card, useOnce } from "./card.js";
import { Block } from "./display-block.js";
import { Foreign } from "./foreign-text.js";
import { SettledNote } from "./settled-note.js";
import { useFocusBack } from "./use-focus-back.js";

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
 * and no key of its own answers.
 */
export function ApprovalCard(props: ApprovalCardProps): ReactNode {
  const { request, settled, issues = none, words = cardWords.en } = props;
  const { sender, action, description, display, edit } = request;
  const id = useId();
  const [{ why, edit: changed }, setDraft] = useState(() => firstDraft(props.draft, edit?.content));
  const edited = changed?.text;
  const editor = useFocusBack<HTMLTextAreaElement>(edited !== undefined);
  const [isSent, setSent] = useState(false);
  const [heard, setHeard] = useState(issues);
  const begin = useOnce(props.onBegin);

  if (issues !== heard) {
    setHeard(issues);
    setSent(false);
  }

  function keep(draft: ApprovalDraft): void {
    setDraft(draft);
    props.onDraft?.(draft);
  }

  const setEdited = (of: string, text: string) => keep({ why, edit: { of, text } });

  function answer({ kind, reply }: Way): void {
    if (isSent || settled !== undefined) return;
    setSent(true);
    const feedback = kind === "reject" ? why.trim() : "";
    const isChanged = kind === "allow" && edited !== undefined && edited !== edit?.content;
    props.onReply({
      ...reply,
      ...(feedback !== "" && { feedback }),
      ...(isChanged && { edited }),
    });
  }

  return (
    <Card
      id={id}
      requestId={request.id}
      className="askwire-approval"
      heading={<Foreign text={words.asksTo(sender, action)} />}
      onBegin={begin}
    >
      <p>
        <Foreign text={description} />
      </p>
      {display.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no name, and never move
        <Block key={index} block={block} words={words} />
      ))}
      <fieldset className="askwire-page" disabled={settled !== undefined || isSent}>
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
                rows={Math.min(20, edited.split("\n").length + 1)}
                maxLength={edit.max_length}
                value={edited}
                onChange={({ target }) => setEdited(edit.content, target.value)}
              />
            </div>
          ))}
        <div className="askwire-own">
          <label htmlFor={`${id}w`}>{words.rejectWhy}</label>
          <textarea
            id={`${id}w`}
            dir="auto"
            rows={Math.min(8, why.split("\n").length)}
            maxLength={OWN_TEXT_LENGTH}
            value={why}
            onChange={({ target }) =>
              keep({ ...(changed !== undefined && { edit: changed }), why: target.value })
            }
          />
          <p className="askwire-hint" role="status">
            {issues.length > 0 && !isSent && (
              <Foreign text={words.refused(issues.map(({ message }) => message))} />
            )}
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
      {settled && <SettledNote settled={settled} words={words} onDismiss={props.onDismiss} />}
    </Card>
  );
}

/** Shared by all renderings, so that a card without issues sees no change. */
const none: RequestContext["issues"] = [];

/** The work to begin with: the kept words, and the kept change of the same text. */
function firstDraft({ why, edit }: ApprovalDraft = { why: "" }, content: string | undefined): ApprovalDraft {
  return { why, ...(edit !== undefined && edit.of === content && { edit }) };
}

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
