import { Transcript, useTranscript } from "@askwire/react";
import type { ReactNode } from "react";
import { LateMarkdown } from "./late-markdown.js";
import type { AllWords } from "./page.js";
import type { Visit } from "./visits.js";

/** The conversation of the session. */
export default function Talk({
  visit,
  words,
}: {
  readonly visit: Visit;
  readonly words: AllWords;
}): ReactNode {
  const conversation = useTranscript(visit.talk);
  return (
    <div className="talk">
      <Transcript
        conversation={conversation}
        words={words.talk}
        renderMarkdown={(text) => <LateMarkdown text={text} language={words.language} />}
      />
    </div>
  );
}
