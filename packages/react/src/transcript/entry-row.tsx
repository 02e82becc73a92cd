import { type TalkWords, whoActs } from "@askwire/client/words";
import { memo, type ReactNode } from "react";
import { Foreign, type RenderMarkdown } from "../cards/foreign-text.js";
import { ErrorBoundary } from "../failures/error-boundary.js";
import type { Highlight } from "../looks/coloured.js";
import { AskedRow } from "./asked-row.js";
import { CallRow } from "./call-row.js";
import { EndRow, FailedRow } from "./end-row.js";
import type { Entry } from "./entries.js";
import { Folded } from "./folded.js";
import { noteText } from "./note-text.js";
import { SaidText } from "./said-text.js";
import { shownEntries } from "./shown-entries.js";
import { isFailure } from "./turn-texts.js";

interface RowProps {
  readonly entry: Entry;
  readonly renderMarkdown: RenderMarkdown;
  readonly words: TalkWords;
  onOpenFile?: ((path: string) => void) | undefined;
  /** The name of the client that alone answers. Default: there are several. */
  readonly onlyClient?: string | undefined;
  /** Finds the colours of code. Default: it is plain. */
  readonly highlight?: Highlight | undefined;
  /** False for a to-do list that another has followed. */
  readonly isLastTodo: boolean;
  /** True for an approval whose command the row of a call says. */
  readonly isTold: boolean;
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

function Row({ entry, said = "", onTryAgain, isLastTodo, isTold, ...looks }: RowProps): ReactNode {
  const { words, highlight } = looks;
  const renderMarkdown = (text: string) => looks.renderMarkdown(text, highlight);
  switch (entry.kind) {
    case "prompt":
      return (
        <div className={`askwire-prompt${entry.isOwn ? " askwire-own-prompt" : ""}`}>
          <p className={entry.isOwn ? "askwire-unseen" : "askwire-who"}>
            {entry.isOwn ? (
              words.you
            ) : (
              <Foreign text={entry.by ? whoActs(entry.by, words.somebodyIn) : words.task} />
            )}
          </p>
          <SaidText said={entry.said} words={words} />
        </div>
      );
    case "steer":
      return (
        <div className="askwire-prompt askwire-steer">
          <p className="askwire-who">↪ {words.steered}</p>
          <SaidText said={entry.said} words={words} />
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
        <CallRow {...{ entry, isLastTodo, ...looks }}>
          {() => <Inner entries={entry.inner} {...looks} />}
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
      return <AskedRow {...{ entry, isTold, words, onlyClient: looks.onlyClient }} />;
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

/** The work of a sub-agent. */
function Inner({
  entries: all,
  ...looks
}: Omit<RowProps, "entry" | "isLastTodo" | "isTold"> & { readonly entries: readonly Entry[] }): ReactNode {
  const { entries, lastTodo, told } = shownEntries(all);
  return entries.map((entry) => (
    <EntryRow
      key={entry.key}
      {...{ entry, isLastTodo: entry.key === lastTodo, isTold: told.has(entry.key), ...looks }}
    />
  ));
}
