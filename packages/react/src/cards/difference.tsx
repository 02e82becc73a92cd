import { bytesOfText, isBinaryChange, visibleText } from "@askwire/client/text";
import { type ChangeWords, changesIn } from "@askwire/client/words/changes";
import type { FileChange } from "@askwire/protocol";
import { memo, type ReactNode, useMemo, useState } from "react";
import type { Highlight } from "../looks/coloured.js";
import { DifferenceLines, type DifferenceWords } from "./difference-lines.js";
import { Foreign } from "./foreign-text.js";

interface DifferenceProps {
  readonly change: FileChange;
  /** Finds the colours of code by the ending of the file's name. Default: it is plain. */
  readonly highlight?: Highlight | undefined;
  readonly words: DifferenceWords;
  /** Opens the whole difference of a file elsewhere. Default: a long one is only shown here, piece by piece. */
  onOpenChange?: ((path: string) => void) | undefined;
}

/**
 * A difference with the numbers of its lines. Lines that stay the same are folded, a long one is shown in pieces, and a
 * binary file by its size. It is made once, however often its card changes.
 */
export const Difference = memo(function Difference(props: DifferenceProps): ReactNode {
  const { change } = props;
  return (
    <figure className="askwire-change">
      <figcaption>
        <code>
          <Foreign text={change.path} />
        </code>
      </figcaption>
      {change.is_summary ? (
        <p>
          <Foreign text={[change.old_text, change.new_text].filter((text) => text !== "").join(" → ")} />
        </p>
      ) : (
        <Whole {...props} changes={changesIn(props.words)} />
      )}
    </figure>
  );
});

function Whole({
  change,
  changes,
  words,
  ...props
}: DifferenceProps & { readonly changes: ChangeWords }): ReactNode {
  const { path, old_text, new_text, old_start, new_start } = change;
  const [isText, setText] = useState(false);
  const isBinary = useMemo(() => isBinaryChange({ old_text, new_text }), [old_text, new_text]);
  const ends = useMemo(
    () => (isBinary ? "" : words.lineEnds(old_text, new_text)),
    [isBinary, words, old_text, new_text],
  );
  if (isBinary && !isText) {
    return (
      <p>
        {changes.binary(bytesOfText(old_text), bytesOfText(new_text), old_start > 1 || new_start > 1)}{" "}
        <button type="button" className="askwire-plain" onClick={() => setText(true)}>
          {changes.asText}
        </button>
      </p>
    );
  }
  return (
    <>
      {ends !== "" && <p>{ends}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to take the focus */}
      <section className="askwire-scroll" tabIndex={0} aria-label={visibleText(path)}>
        <DifferenceLines {...{ change, changes, words }} {...props} />
      </section>
    </>
  );
}
