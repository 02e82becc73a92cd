import type { TalkWords } from "@askwire/client/words";
import { type ReactNode, useState } from "react";
import { CopiedCode, DisplayedBlock } from "../cards/display-block.js";
import type { Highlight } from "../looks/coloured.js";
import { callChanges, linesOfOutput } from "./call-outcome.js";
import type { CallResult, EntryOf } from "./entries.js";
import { Folded, foldedText } from "./folded.js";

/** The last lines of a failed call's output that are in sight by themselves. */
const LAST = 5;

/** The details that a call's row folds away: its command or changes in full, all arguments, and its output. */
export function CallDetails({
  entry: { args, result },
  parsed,
  words,
  highlight,
}: {
  readonly entry: EntryOf<"call">;
  /** The arguments. Undefined where they are no whole object. */
  readonly parsed: object | undefined;
  readonly words: TalkWords;
  readonly highlight: Highlight | undefined;
}): ReactNode {
  const changes = callChanges(result?.display ?? []);
  const command = commandOf(parsed);
  const isTold = changes.length > 0 || command !== undefined;
  const isFailed = result?.isError === true;
  const isFirst = isTold || isFailed;
  // A change says what was done: that nothing was printed is nothing to say.
  const isSaid = changes.length > 0 && result !== undefined && result.output.join("") === "";
  const output = result !== undefined && !isSaid && <Output {...{ result, words }} />;
  return (
    <>
      {changes.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no name, and never move
        <DisplayedBlock key={index} block={{ type: "diff", ...block }} {...{ words, highlight }} />
      ))}
      {command !== undefined && <CopiedCode text={command} language="bash" {...{ words, highlight }} />}
      {isFirst && output}
      {!isAll(parsed, command) && (
        <Folded className="askwire-fold askwire-arguments" summary={words.args} opens={!isTold && !isFailed}>
          {() => (
            <Boxed
              label={words.args}
              text={parsed === undefined ? args : JSON.stringify(parsed, null, 2)}
              {...{ words, highlight }}
              language="json"
            />
          )}
        </Folded>
      )}
      {!isFirst && output}
    </>
  );
}

/** The output of a tool: of a failed call the last lines, and the rest by a press. */
function Output({ result, words }: { readonly result: CallResult; readonly words: TalkWords }): ReactNode {
  const [isAll, setAll] = useState(false);
  const lines = linesOfOutput(result);
  const isCut = result.isError && !isAll && lines.length > LAST;
  const whole = foldedText(result.output, words) || words.noOutput;
  return (
    <>
      <p className="askwire-who">{isCut ? words.lastLines(LAST, lines.length) : words.output}</p>
      <Boxed label={words.output} text={isCut ? lines.slice(-LAST).join("\n") : whole} words={words} />
      {isCut && (
        <button type="button" className="askwire-plain" onClick={() => setAll(true)}>
          {words.allLines(lines.length)}
        </button>
      )}
    </>
  );
}

const Boxed = ({
  label,
  words,
  ...code
}: {
  readonly label: string;
  readonly text: string;
  readonly words: TalkWords;
  readonly language?: string;
  readonly highlight?: Highlight | undefined;
}): ReactNode => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is of a form
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to take the focus
  <div className="askwire-scroll" role="group" aria-label={label} tabIndex={0}>
    <CopiedCode {...code} words={words} />
  </div>
);

/** The command that a call runs. Undefined for other calls. */
function commandOf(parsed: object | undefined): string | undefined {
  const command = parsed !== undefined && "command" in parsed ? parsed.command : undefined;
  return typeof command === "string" && command !== "" ? command : undefined;
}

/** True where the arguments are no more than what is shown without them. */
const isAll = (parsed: object | undefined, command: string | undefined): boolean =>
  parsed !== undefined && Object.keys(parsed).length === (command === undefined ? 0 : 1);
