"use client";

import {
  ConnectionLine,
  cardAbilities,
  openRequests,
  QuestionCard,
  useConnection,
  useStore,
} from "@askwire/react";
import { renderMarkdown } from "@askwire/react/markdown";
import { useState } from "react";

/** The part of the page that runs in the browser. */
export function Agent() {
  const [requests] = useState(openRequests);
  const connection = useConnection(location.hash.slice(1), {
    shows: cardAbilities,
    handlers: requests.handlers,
  });
  return (
    <>
      <ConnectionLine {...connection} />
      {useStore(requests).map(
        (one) =>
          one.kind === "question" && <QuestionCard key={one.id} {...one} renderMarkdown={renderMarkdown} />,
      )}
    </>
  );
}
