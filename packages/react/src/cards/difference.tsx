import { visibleText } from "@askwire/client/text";
import type { FileChange } from "@askwire/protocol";
import { memo, type ReactNode } from "react";
import type { CardWords } from "../words/card-words.js";
import { type DifferentLine, differentLines } from "./different-lines.js";
import { Foreign } from "./foreign-text.js";

/** The whole difference, with the numbers of its lines. It is made once, however often its card changes. */
export const Difference = memo(function Difference({
  change,
  words,
}: {
  readonly change: FileChange;
  readonly words: Pick<CardWords, "added" | "removed">;
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
  return (
    <figure className="askwire-change">
      {caption}
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
                  <Foreign text={text} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </figure>
  );
});

const rowNames: Readonly<Record<DifferentLine["sign"], string>> = {
  "+": "askwire-added",
  "-": "askwire-removed",
  " ": "",
};
