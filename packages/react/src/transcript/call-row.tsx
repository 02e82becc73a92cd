import { callSubject } from "@askwire/client/text";
import type { TalkWords } from "@askwire/client/words";
import type { DisplayBlock } from "@askwire/protocol";
import type { ReactNode } from "react";
import { Code, DisplayedBlock } from "../cards/display-block.js";
import { Foreign } from "../cards/foreign-text.js";
import type { EntryOf } from "./entries.js";
import { Folded, foldedText } from "./folded.js";

/** A tool call: its name and subject, folded its arguments and result, and below what it shows to the person. */
export function CallRow({
  entry: { name, args, result, inner, agent },
  words,
  onOpenFile,
  children,
}: {
  readonly entry: EntryOf<"call">;
  readonly words: TalkWords;
  onOpenFile?: ((path: string) => void) | undefined;
  /** The work of its sub-agents. */
  children(): ReactNode;
}): ReactNode {
  const parsed = objectOf(args);
  const subject = parsed === undefined ? "" : callSubject(parsed);
  const state = result === undefined ? words.running : result.isError ? words.failed : "";
  const display = result?.display ?? [];
  return (
    <div className="askwire-call" data-failed={result?.isError === true || undefined}>
      <Folded
        className="askwire-fold"
        summary={
          <>
            <code>
              <Foreign text={name} />
            </code>{" "}
            <Foreign text={subject} /> {state !== "" && <small>({state})</small>}
          </>
        }
      >
        {() => (
          <>
            <Labelled
              label={words.args}
              text={parsed === undefined ? args : JSON.stringify(parsed, null, 2)}
            />
            {result !== undefined && (
              <Labelled label={words.output} text={foldedText(result.output, words) || words.noOutput} />
            )}
          </>
        )}
      </Folded>
      {onOpenFile &&
        pathsOf(parsed, display).map((path) => (
          <button key={path} type="button" className="askwire-open-file" onClick={() => onOpenFile(path)}>
            <Foreign text={words.openFile(path)} />
          </button>
        ))}
      {display.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no name, and never move
        <Shown key={index} block={block} words={words} />
      ))}
      {inner.length > 0 && (
        <Folded
          className="askwire-fold askwire-inner"
          summary={<Foreign text={words.subagent(agent ?? "")} />}
        >
          {children}
        </Folded>
      )}
    </div>
  );
}

/** A block that a tool shows to the person; a change is folded. */
const Shown = ({ block, words }: { readonly block: DisplayBlock; readonly words: TalkWords }): ReactNode =>
  block.type === "diff" && "path" in block ? (
    <Folded className="askwire-fold" summary={<Foreign text={`${words.changes}: ${block.path}`} />}>
      {() => <DisplayedBlock block={block} words={words} />}
    </Folded>
  ) : (
    <DisplayedBlock block={block} words={words} />
  );

/** The most files of a call that can be opened from its row. */
const MOST_PATHS = 5;

/** The files that a call names in its arguments, or changes. */
function pathsOf(args: object | undefined, display: readonly DisplayBlock[]): readonly string[] {
  const named = Object.entries(args ?? {}).flatMap(([name, value]) =>
    (name === "path" || name === "file_path") && typeof value === "string" ? [value] : [],
  );
  const changed = display.flatMap((block) => (block.type === "diff" && "path" in block ? [block.path] : []));
  return [...new Set([...named, ...changed])].slice(0, MOST_PATHS);
}

const Labelled = ({ label, text }: { readonly label: string; readonly text: string }): ReactNode => (
  <>
    <p className="askwire-who">{label}</p>
    {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is of a form */}
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to take the focus */}
    <div className="askwire-scroll" role="group" aria-label={label} tabIndex={0}>
      <Code text={text} />
    </div>
  </>
);

/** The arguments of a call. Undefined for text that is no whole object. */
function objectOf(json: string): object | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
