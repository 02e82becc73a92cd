"use client";

import { withEditShown } from "@askwire/client/text";
import { cardWords } from "@askwire/client/words";
import { Fragment, type ReactNode, useId, useRef, useState } from "react";
import { ErrorBoundary } from "../failures/error-boundary.js";
import { useKeptWork } from "../failures/use-kept-work.js";
import { Icon } from "../looks/icon.js";
import { ApprovalPage } from "./approval-page.js";
import type { Way } from "./approval-ways.js";
import { Card, useBegin } from "./card.js";
import type { ApprovalCardProps, Named, Outlived } from "./card-props.js";
import { DeliveryNote } from "./delivery-note.js";
import { DisplayedBlock } from "./display-block.js";
import { Foreign } from "./foreign-text.js";
import { HeadNotes } from "./head-notes.js";
import { approvalAsText } from "./own-words.js";
import { useApproval } from "./use-approval.js";
import { usePressGuard } from "./use-press-guard.js";
import { useRequestName } from "./use-request-name.js";
import { END_MARK, useUnseenParts } from "./use-unseen-parts.js";
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
  const { failure } = props.words ?? cardWords.en;
  const kept = useKeptWork(props);
  return (
    <ErrorBoundary part={failure.parts.approval} words={failure}>
      <Approval {...props} {...kept} />
    </ErrorBoundary>
  );
}

function Approval(props: ApprovalCardProps & Named & Outlived): ReactNode {
  const { request, settled, words = cardWords.en } = props;
  const id = useId();
  const { work, isWhole, isClosed, reasons, keep, takes, answer } = useApproval(props);
  const { begin } = useBegin(props.onBegin);
  const box = useRef<HTMLElement>(null);
  const presses = usePressGuard(box, 0);
  const unseen = useUnseenParts(box);
  /** True after a press that showed what was out of sight, and allowed nothing. */
  const [isShownRest, setShownRest] = useState(false);

  function press(way: Way): void {
    if (!takes(way)) return;
    const shows = way.kind === "allow" && unseen.showRest();
    setShownRest(shows);
    if (shows) presses.begin();
    else answer(way);
  }

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
      hint={presses.isTold ? words.pressedEarly : isShownRest ? words.restIsShown : ""}
      requestName={props.name}
      className="askwire-approval"
      onBegin={begin}
    >
      <WhoAsks {...props} words={words} />
      <HeadNotes {...props} {...{ isWhole, words }} />
      {!repeatsCommand(request) && (
        <p className="askwire-about">
          <Foreign text={request.description} />
        </p>
      )}
      {withEditShown(request).map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no name, and never move
        <Fragment key={index}>
          <DisplayedBlock block={block} words={words} />
          <span {...{ [END_MARK]: "" }} />
        </Fragment>
      ))}
      <fieldset className="askwire-page" disabled={isClosed} aria-disabled={presses.isEarly || undefined}>
        <legend className="askwire-unseen">{heading}</legend>
        <ApprovalPage {...{ id, request, work, reasons, words, keep, press }} />
      </fieldset>
      <DeliveryNote
        {...props}
        words={words}
        own={settled === undefined ? "" : approvalAsText(props.reply, work)}
      />
    </Card>
  );
}

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
