import { Transcript, useStore } from "@askwire/react";
import { type ReactNode, useCallback } from "react";
import type { Visit } from "../visits/visit.js";
import { EmptyTalk } from "./empty-talk.js";
import { LateMarkdown } from "./late-markdown.js";
import type { AllWords } from "./parts.js";

/** The conversation of the session. */
export default function Talk({
  visit,
  words,
}: {
  readonly visit: Visit;
  readonly words: AllWords;
}): ReactNode {
  const conversation = useStore(visit.talk);
  const outbox = useStore(visit.connection.outbox);
  const { language } = words;
  // A function that stays the same keeps parts that did not change from being rendered again.
  const renderMarkdown = useCallback(
    (text: string) => <LateMarkdown text={text} language={language} />,
    [language],
  );
  return (
    <div className="talk">
      <EmptyTalk visit={visit} language={language} />
      <Transcript {...{ conversation, outbox, renderMarkdown }} words={words.talk} />
    </div>
  );
}
