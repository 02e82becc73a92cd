import type { TalkWords } from "@askwire/client/words";
import { memo, type ReactNode } from "react";
import { Foreign, type RenderMarkdown } from "../cards/foreign-text.js";
import { ErrorBoundary } from "../failures/error-boundary.js";
import { AskedRow } from "./asked-row.js";
import { CallRow } from "./call-row.js";
import { EndRow, FailedRow } from "./end-row.js";
import type { Entry } from "./entries.js";
import { Folded, foldedText, Lines } from "./folded.js";
import { noteText } from "./note-text.js";
import { isFailure } from "./turn-texts.js";
import { withoutAskedCalls } from "./without-asked-calls.js";

interface RowProps {
  readonly entry: Entry;
  readonly renderMarkdown: RenderMarkdown;
  readonly words: TalkWords;
  onOpenFile?: ((path: string) => void) | undefined;
  /** The last words of the turn that ends here. Default: none. */
  readonly said?: string | undefined;
  /** Sends the prompt of the turn that failed here again. Default: it cannot be sent again. */
  onTryAgain?: (() => void) | undefined;
}

/** A part of the conversation. A part that did not change is not rendered again. */
export const EntryRow = memo(function EntryRow(props: RowProps): ReactNode {
  const { failure } = props.words;
  return (
    <ErrorBoundary part={failure.parts.entry} words={failure} isQuiet>
      <Row {...props} />
    </ErrorBoundary>
  );
});

function Row({ entry, renderMarkdown, words, onOpenFile, said = "", onTryAgain }: RowProps): ReactNode {
  switch (entry.kind) {
    case "prompt":
      return (
        <div className={`askwire-prompt${entry.isOwn ? " askwire-own-prompt" : ""}`}>
          <p className={entry.isOwn ? "askwire-unseen" : "askwire-who"}>
            {entry.isOwn ? words.you : <Foreign text={entry.by ?? words.task} />}
          </p>
          <Lines text={foldedText(entry.said, words)} />
        </div>
      );
    case "steer":
      return (
        <div className="askwire-prompt askwire-steer">
          <p className="askwire-who">↪ {words.steered}</p>
          <Lines text={foldedText(entry.said, words)} />
        </div>
      );
    case "text":
      return <div className="askwire-said">{renderMarkdown(entry.text)}</div>;
    case "thought":
      return (
        <Folded className="askwire-thought" summary={words.thoughts}>
          {() => renderMarkdown(entry.text)}
        </Folded>
      );
    case "part":
      return <p className="askwire-note">{words.part(entry.type)}</p>;
    case "call":
      return (
        <CallRow entry={entry} words={words} onOpenFile={onOpenFile}>
          {() =>
            withoutAskedCalls(entry.inner).map((inner) => (
              <EntryRow key={inner.key} {...{ entry: inner, renderMarkdown, words, onOpenFile }} />
            ))
          }
        </CallRow>
      );
    case "plan":
      return (
        <section className="askwire-plan" aria-label={words.plan("")}>
          <p className="askwire-who">
            <Foreign text={words.plan(entry.path)} />
          </p>
          {renderMarkdown(entry.text)}
        </section>
      );
    case "asked":
      return <AskedRow entry={entry} words={words} />;
    case "end":
      return <EndRow {...{ entry, said, words }} />;
    case "note":
      return isFailure(entry) ? (
        <FailedRow text={noteText(entry.event, words)} {...{ onTryAgain, words }} />
      ) : (
        <p className="askwire-note">
          <Foreign text={noteText(entry.event, words)} />
        </p>
      );
    case "left":
      return <p className="askwire-note">{words.left}</p>;
  }
}
