import { visibleText } from "@askwire/client/text";
import type { CardWords } from "@askwire/client/words";
import type { FileChange } from "@askwire/protocol";
import { memo, type ReactNode, useMemo, useRef } from "react";
import { type Highlight, Spans } from "../looks/coloured.js";
import { useColouredLines } from "../looks/coloured-lines.js";
import { type DifferentLine, differentLines } from "./different-lines.js";
import { Foreign } from "./foreign-text.js";
import { END_MARK } from "./use-unseen-parts.js";

/** The whole difference, with the numbers of its lines. It is made once, however often its card changes. */
export const Difference = memo(function Difference({
  change,
  words,
  highlight,
}: {
  readonly change: FileChange;
  /** Finds the colours of code by the ending of the file's name. Default: it is plain. */
  readonly highlight?: Highlight | undefined;
  readonly words: Pick<CardWords, "added" | "removed" | "lineEnds">;
}): ReactNode {
  const caption = (
    <figcaption>
      <code>
        <Foreign text={change.path} />
      </code>
    </figcaption>
  );
  if (change.is_summary) {
    return (
      <figure className="askwire-change">
        {caption}
        <p>
          <Foreign text={[change.old_text, change.new_text].filter((text) => text !== "").join(" → ")} />
        </p>
      </figure>
    );
  }
  const ends = words.lineEnds(change.old_text, change.new_text);
  return (
    <figure className="askwire-change">
      {caption}
      {ends !== "" && <p>{ends}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to take the focus */}
      <section className="askwire-scroll" tabIndex={0} aria-label={visibleText(change.path)}>
        <Lines change={change} words={words} highlight={highlight} />
        <span {...{ [END_MARK]: "" }} />
      </section>
    </figure>
  );
});

/** The lines of a difference. Those that go have the colours of the text before, all others of the text after. */
function Lines({
  change,
  words,
  highlight,
}: {
  readonly change: FileChange;
  readonly words: Pick<CardWords, "added" | "removed">;
  readonly highlight: Highlight | undefined;
}): ReactNode {
  const box = useRef<HTMLTableElement>(null);
  const { path, old_text, new_text, old_start, new_start } = change;
  const lines = useMemo(() => differentLines(change), [change]);
  const language = path.slice(path.lastIndexOf(".") + 1);
  const old = useColouredLines(box, visibleText(old_text), language, highlight);
  const now = useColouredLines(box, visibleText(new_text), language, highlight);
  return (
    <table ref={box}>
      <tbody>
        {lines.map(({ sign, before, after, text }) => {
          const shown = visibleText(text);
          const spans =
            after === undefined ? old((before ?? 0) - old_start, shown) : now(after - new_start, shown);
          return (
            <tr key={`${before ?? "+"} ${after ?? "-"}`} className={rowNames[sign]}>
              <td>{before}</td>
              <td>{after}</td>
              <td>
                <span aria-hidden="true">{sign}</span>
                {sign !== " " && (
                  <span className="askwire-unseen">{sign === "+" ? words.added : words.removed}: </span>
                )}
                <bdi dir="auto">{spans === undefined ? shown : <Spans spans={spans} />}</bdi>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

const rowNames: Readonly<Record<DifferentLine["sign"], string>> = {
  "+": "askwire-added",
  "-": "askwire-removed",
  " ": "",
};
