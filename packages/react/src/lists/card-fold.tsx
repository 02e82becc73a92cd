"use client";

import type { TalkWords } from "@askwire/client/words";
import { talk as english } from "@askwire/client/words/en";
import { type ReactNode, useId, useState } from "react";
import { ErrorBoundary } from "../failures/error-boundary.js";
import type { OpenRequest } from "../hooks/open-requests.js";
import { SafeRequestLine } from "./request-line.js";

/** The props of a {@link CardFold}. */
export interface CardFoldProps {
  /** The request of the card, as `openRequests()` gives it. */
  readonly request: OpenRequest;
  /** The card of the request, which keeps its work while it is put aside. */
  readonly children: ReactNode;
  /** The words of the component. Default: English, `talkWords.en`. */
  readonly words?: TalkWords;
}

/** Puts a card aside, so that what is behind it can be read: one line then says what waits. */
export function CardFold(props: CardFoldProps): ReactNode {
  const { failure } = props.words ?? english;
  return (
    <ErrorBoundary part={failure.parts.aside} words={failure}>
      <Fold {...props} />
    </ErrorBoundary>
  );
}

function Fold({ request, children, words = english }: CardFoldProps): ReactNode {
  const id = useId();
  const [isFolded, setFolded] = useState(false);
  return (
    <div className="askwire askwire-card-fold">
      <button type="button" aria-expanded={!isFolded} aria-controls={id} onClick={() => setFolded(!isFolded)}>
        {isFolded ? (
          <>
            <SafeRequestLine request={request} words={words} />{" "}
            <span className="askwire-bring-back">{words.bringBack}</span>
          </>
        ) : (
          words.putAside
        )}
      </button>
      <div id={id} hidden={isFolded}>
        {children}
      </div>
    </div>
  );
}
