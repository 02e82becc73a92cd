import { visibleText } from "@askwire/client/text";
import type { CardWords } from "@askwire/client/words";
import type { FileChange } from "@askwire/protocol";
import { memo, type ReactNode } from "react";
import { type DifferentLine, differentLines } from "./different-lines.js";
import { Foreign } from "./foreign-text.js";
import { END_MARK } from "./use-unseen-parts.js";

/** The whole difference, with the numbers of its lines. It is made once, however often its card changes. */
export const Difference = memo(function Difference({
  change,
  words,
}: {
  readonly change: FileChange;
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
        <table>
          <tbody>
            {differentLines(change).map(({ sign, before, after, text }) => (
              <tr key={`${before ?? "+"} ${after ?? "-"}`} className={rowNames[sign]}>
                <td>{before}</td>
                <td>{after}</td>
                <td>
                  <span aria-hidden="true">{sign}</span>
                  {sign !== " " && (
                    <span className="askwire-unseen">{sign === "+" ? words.added : words.removed}: </span>
                  )}
                  <bdi dir="auto">{visibleText(text)}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <span {...{ [END_MARK]: "" }} />
      </section>
    </figure>
  );
});

const rowNames: Readonly<Record<DifferentLine["sign"], string>> = {
  "+": "askwire-added",
  "-": "askwire-removed",
  " ": "",
};
