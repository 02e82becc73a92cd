"use client";

import type { CardWords } from "@askwire/client/words";
import { card as english } from "@askwire/client/words/en";
import type { DisplayBlock } from "@askwire/protocol";
import { Fragment, type ReactNode, useId, useMemo, useRef, useState } from "react";
import { ErrorBoundary } from "../failures/error-boundary.js";
import { useKeptWork } from "../failures/use-kept-work.js";
import type { Highlight } from "../looks/coloured.js";
import { Icon } from "../looks/icon.js";
import { ApprovalPage } from "./approval-page.js";
import type { Way } from "./approval-ways.js";
import { Card, useBegin } from "./card.js";
import type { ApprovalCardProps, Named, Outlived } from "./card-props.js";
import { DeliveryNote } from "./delivery-note.js";
import { DisplayedBlock } from "./display-block.js";
import { shownParts } from "./edited-blocks.js";
import { EditedText } from "./edited-text.js";
import { Foreign } from "./foreign-text.js";
import { HeadNotes } from "./head-notes.js";
import { approvalAsText } from "./own-words.js";
import { QuorumNote } from "./quorum-note.js";
import { useApproval } from "./use-approval.js";
import { useFocusBack } from "./use-focus-back.js";
import { usePressGuard } from "./use-press-guard.js";
import { useRequestName } from "./use-request-name.js";
import { END_MARK, restInWords, useUnseenParts } from "./use-unseen-parts.js";
import { WhoAsks } from "./who-asks.js";

/**
 * An approval with all that it is about, as a region of the page. A button answers. The card takes no focus by itself,
 * and no key of its own answers. A card that fails says so, and is drawn anew with the person's work. One whose request
 * comes to ask something else begins anew, without it.
 */
export function ApprovalCard(props: ApprovalCardProps): ReactNode {
  const name = useRequestName(props.request);
  return <OneApproval key={name} {...props} name={name} />;
}

function OneApproval(props: ApprovalCardProps & Named): ReactNode {
  const { failure } = props.words ?? english;
  const kept = useKeptWork(props);
  return (
    <ErrorBoundary part={failure.parts.approval} words={failure}>
      <Approval {...props} {...kept} />
    </ErrorBoundary>
  );
}

function Approval(props: ApprovalCardProps & Named & Outlived): ReactNode {
  const { request, settled, words = english, highlight, onOpenChange } = props;
  const id = useId();
  const approval = useApproval(props);
  const { work, isWhole, isClosed, isRejecting, isEditing, takes, answer } = approval;
  const { begin } = useBegin(props.onBegin);
  const box = useRef<HTMLElement>(null);
  const presses = usePressGuard(box, isRejecting ? 1 : 0);
  const view = isEditing ? "editor" : "display";
  const unseen = useUnseenParts(box, view);
  const editor = useFocusBack<HTMLTextAreaElement>(isEditing);
  /** The lines left out at a press that showed what was out of sight, and allowed nothing. Undefined after any other. */
  const [left, setLeft] = useState<number>();

  function press(way: Way): void {
    if (!takes(way)) return;
    const rest = way.kind === "allow" ? unseen.showRest() : undefined;
    setLeft(rest);
    if (rest === undefined) answer(way);
    else presses.begin();
  }

  const text = isEditing ? undefined : work.edit?.text;
  const parts = useMemo(() => shownParts(request, text), [request, text]);
  const heading = <Foreign text={words.asksTo(request.sender, request.action)} />;
  return (
    <Card
      {...{ box, presses, id }}
      heading={
        <>
          <Icon name="command" />
          {heading}
        </>
      }
      isWhole={unseen.isWhole}
      hint={presses.isTold ? words.pressedEarly : restInWords(left, words)}
      requestName={props.name}
      className="askwire-approval"
      onBegin={begin}
    >
      <WhoAsks {...props} words={words} />
      <HeadNotes {...props} {...{ isWhole, words }} />
      <QuorumNote {...props} words={words} />
      {!repeatsCommand(request) && (
        <p className="askwire-about">
          <Foreign text={words.told(request.description)} />
        </p>
      )}
      <Blocks key="before" blocks={parts.before} {...{ words, highlight, onOpenChange }} />
      {isEditing && request.edit !== undefined ? (
        <Fragment key="editor">
          <EditedText {...{ id, approval, words }} box={editor} edit={request.edit} />
          <span {...{ [END_MARK]: "" }} />
        </Fragment>
      ) : (
        <Blocks key="edit" blocks={parts.edit} {...{ words, highlight, onOpenChange }} />
      )}
      <Blocks key="after" blocks={parts.after} {...{ words, highlight, onOpenChange }} />
      <fieldset className="askwire-page" disabled={isClosed} aria-disabled={presses.isEarly || undefined}>
        <legend className="askwire-unseen">{heading}</legend>
        <ApprovalPage {...{ id, request, approval, words, press }} />
      </fieldset>
      <DeliveryNote
        {...props}
        words={words}
        own={settled === undefined ? "" : approvalAsText(props.reply, work)}
      />
    </Card>
  );
}

/** The blocks to be allowed, each with its end. */
const Blocks = ({
  blocks,
  words,
  highlight,
  onOpenChange,
}: {
  readonly blocks: readonly DisplayBlock[];
  readonly words: CardWords;
  readonly highlight: Highlight | undefined;
  readonly onOpenChange: ApprovalCardProps["onOpenChange"];
}): ReactNode =>
  blocks.map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no name, and never move
    <Fragment key={index}>
      <DisplayedBlock {...{ block, words, highlight, onOpenChange }} />
      <span {...{ [END_MARK]: "" }} />
    </Fragment>
  ));

/** The words around a command in a description that says no more than that it is run. */
const AROUND = /^(?:run|execute)?(?: (?:the )?command)?[\s:`'".]*$/iu;

/** True where the description only says again what a command in full says below. */
const repeatsCommand = ({ description, display }: ApprovalCardProps["request"]): boolean =>
  display.some(
    (block) =>
      block.type === "shell" &&
      "command" in block &&
      description.includes(block.command) &&
      AROUND.test(description.replace(block.command, () => "").trim()),
  );
