import { callSubject } from "@askwire/client/text";
import type { TalkWords } from "@askwire/client/words";
import type { DisplayBlock } from "@askwire/protocol";
import { type ReactNode, useMemo } from "react";
import { DisplayedBlock } from "../cards/display-block.js";
import { Foreign } from "../cards/foreign-text.js";
import type { Highlight } from "../looks/coloured.js";
import { CallDetails } from "./call-details.js";
import { type CallOutcome, callChanges, callOutcome } from "./call-outcome.js";
import { CallSummary } from "./call-summary.js";
import type { EntryOf } from "./entries.js";
import { Folded } from "./folded.js";
import { todoOf } from "./shown-entries.js";
import { TodoRow } from "./todo-row.js";
import { useSeconds } from "./use-seconds.js";

interface CallProps {
  readonly entry: EntryOf<"call">;
  readonly words: TalkWords;
  /** Finds the colours of code. Default: it is plain. */
  readonly highlight?: Highlight | undefined;
  onOpenFile?: ((path: string) => void) | undefined;
  /** False for a to-do list that another has followed. */
  readonly isLastTodo: boolean;
  /** The work of its sub-agents. */
  children(): ReactNode;
}

/** A tool call on one row; folded what it did in full, and below what else it shows to the person. */
export function CallRow(props: CallProps): ReactNode {
  const todo = todoOf(props.entry);
  if (todo === undefined) return <Row {...props} />;
  return <TodoRow {...{ todo, isLast: props.isLastTodo, words: props.words }} />;
}

const nothing: CallOutcome = { text: "", rest: [] };

function Row({ entry, words, highlight, onOpenFile, children }: CallProps): ReactNode {
  const { name, args, result, printed, inner, agent } = entry;
  const parsed = useMemo(() => objectOf(args), [args]);
  const subject = parsed === undefined ? "" : callSubject(parsed);
  const outcome = useMemo(
    () => (result === undefined ? nothing : callOutcome({ name, inner }, subject, result, words)),
    [name, inner, subject, result, words],
  );
  const isFailed = result?.isError === true;
  const shown = outcome.rest.filter((block) => block.type !== "diff" || !("path" in block));
  return (
    <div className="askwire-call" data-failed={isFailed || undefined}>
      <Folded
        className="askwire-fold"
        opens={isFailed}
        summary={
          <CallSummary {...{ name, subject, outcome, words, isFailed, isRunning: result === undefined }} />
        }
      >
        {() => <CallDetails {...{ entry, parsed, words, highlight }} />}
      </Folded>
      {printed !== undefined && <Printed {...printed} words={words} />}
      {onOpenFile &&
        pathsOf(parsed, result?.display ?? []).map((path) => (
          <button key={path} type="button" className="askwire-open-file" onClick={() => onOpenFile(path)}>
            <Foreign text={words.openFile(path)} />
          </button>
        ))}
      {shown.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no name, and never move
        <DisplayedBlock key={index} {...{ block, words, highlight }} />
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

/** The most files of a call that can be opened from its row. */
const MOST_PATHS = 5;

/** The files that a call names in its arguments, or changes. */
function pathsOf(args: object | undefined, display: readonly DisplayBlock[]): readonly string[] {
  const named = Object.entries(args ?? {}).flatMap(([name, value]) =>
    (name === "path" || name === "file_path") && typeof value === "string" ? [value] : [],
  );
  const changed = callChanges(display).map(({ path }) => path);
  return [...new Set([...named, ...changed])].slice(0, MOST_PATHS);
}

/** The arguments of a call. Undefined for text that is no whole object. */
function objectOf(json: string): object | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
