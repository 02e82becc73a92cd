"use client";

import type { TalkWords } from "@askwire/client/words";
import { talk as english } from "@askwire/client/words/en";
import { type ReactNode, useId } from "react";
import { ErrorBoundary } from "../failures/error-boundary.js";
import { isWaiting, type OpenRequest } from "../hooks/open-requests.js";
import { leadTo } from "./lead-to.js";
import { SafeRequestLine } from "./request-line.js";

/** The props of an {@link OpenList}. */
export interface OpenListProps {
  /** The requests, as `useStore` gives them from `openRequests()`. */
  readonly requests: readonly OpenRequest[];
  /** Leads the person to a request. Default: `leadTo`, to its card on the page. */
  onOpen?(id: string): void;
  /** The words of the component. Default: English, `talkWords.en`. */
  readonly words?: TalkWords;
}

/** A list of all that waits for the person, each entry with the way to its card. */
export function OpenList(props: OpenListProps): ReactNode {
  const { failure } = props.words ?? english;
  return (
    <ErrorBoundary part={failure.parts.waiting} words={failure}>
      <Requests {...props} />
    </ErrorBoundary>
  );
}

function Requests({ requests, onOpen = leadTo, words = english }: OpenListProps): ReactNode {
  const id = useId();
  const open = requests.filter(isWaiting);
  return (
    <section className="askwire askwire-open" aria-labelledby={id}>
      <h2 id={id}>{words.waiting}</h2>
      {open.length === 0 ? (
        <p>{words.nothingWaits}</p>
      ) : (
        <ul>
          {open.map((request) => (
            <li key={request.id}>
              <button type="button" onClick={() => onOpen(request.id)}>
                <SafeRequestLine request={request} words={words} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
