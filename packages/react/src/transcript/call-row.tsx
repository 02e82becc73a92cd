import { callSubject } from "@askwire/client/text";
import type { TalkWords } from "@askwire/client/words";
import type { DisplayBlock } from "@askwire/protocol";
import type { ReactNode } from "react";
import { CopiedCode, DisplayedBlock } from "../cards/display-block.js";
import { Foreign } from "../cards/foreign-text.js";
import { Icon } from "../looks/icon.js";
import { callKind } from "./call-kind.js";
import type { EntryOf } from "./entries.js";
import { Folded, foldedText } from "./folded.js";
import { useSeconds } from "./use-seconds.js";

/** A tool call: its name and subject, folded its arguments and result, and below what it shows to the person. */
export function CallRow({
  entry: { name, args, result, printed, inner, agent },
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
  const isFailed = result?.isError === true;
  const display = result?.display ?? [];
  const outcome = result !== undefined && (
    <Labelled label={words.output} text={foldedText(result.output, words) || words.noOutput} words={words} />
  );
  return (
    <div className="askwire-call" data-failed={isFailed || undefined}>
      <Folded
        className="askwire-fold"
        opens={isFailed}
        summary={<Summary {...{ name, subject, result, words }} />}
      >
        {() => (
          <>
            {isFailed && outcome}
            <Labelled
              label={words.args}
              text={parsed === undefined ? args : JSON.stringify(parsed, null, 2)}
              words={words}
            />
            {!isFailed && outcome}
          </>
        )}
      </Folded>
      {printed !== undefined && <Printed {...printed} words={words} />}
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

/** The time for which a call runs before its output is shown, in seconds: of a short one the result says it. */
const LONG = 2;

/** The last lines that a running call has printed. Nobody is read them aloud. */
function Printed({
  text,
  lines,
  words,
}: {
  readonly text: string;
  readonly lines: number;
  readonly words: TalkWords;
}): ReactNode {
  const seconds = useSeconds(true);
  if (seconds < LONG) return null;
  const shown = text.replace(/\n$/, "");
  const count = shown.split("\n").length;
  return (
    <div className="askwire-printed" aria-live="off">
      {lines > count && <p className="askwire-who">{words.lastLines(count, lines)}</p>}
      <pre className="askwire-code" dir="ltr">
        <Foreign text={shown} />
      </pre>
    </div>
  );
}

/** A call on one line: what was done once it is, or the tool's name, then its subject, result and time. */
function Summary({
  name,
  subject,
  result,
  words,
}: Pick<EntryOf<"call">, "name"> & {
  readonly result: EntryOf<"call">["result"] | undefined;
  readonly subject: string;
  readonly words: TalkWords;
}): ReactNode {
  const isRunning = result === undefined;
  const seconds = useSeconds(isRunning);
  const { icon, verb } = callKind(name);
  const did = verb !== undefined && result?.isError === false ? words.did[verb] : undefined;
  const state = isRunning ? words.running : result.isError ? words.failed : "";
  const time = seconds > 0 ? words.seconds(seconds) : "";
  return (
    <>
      {isRunning ? <span className="askwire-ring" aria-hidden="true" /> : <Icon name={icon} />}
      <span className="askwire-verb">{did ?? <Foreign text={name} />}</span>
      {did !== undefined && (
        <span className="askwire-unseen">
          <Foreign text={name} />
        </span>
      )}{" "}
      <span className="askwire-subject" dir="ltr">
        <Foreign text={subject} />
      </span>{" "}
      <span className="askwire-result">{[state, time].filter((part) => part !== "").join(" · ")}</span>
    </>
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

const Labelled = ({
  label,
  text,
  words,
}: {
  readonly label: string;
  readonly text: string;
  readonly words: TalkWords;
}): ReactNode => (
  <>
    <p className="askwire-who">{label}</p>
    {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is of a form */}
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to take the focus */}
    <div className="askwire-scroll" role="group" aria-label={label} tabIndex={0}>
      <CopiedCode text={text} words={words} />
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
