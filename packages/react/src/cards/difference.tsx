import { visibleText } from "@askwire/client/text";
import type { FileChange } from "@askwire/protocol";
import { structuredPatch } from "diff";
import type { ReactNode } from "react";
import type { CardWords } from "../words/card-words.js";
import { Foreign } from "./foreign-text.js";

interface Line {
  readonly sign: "+" | "-" | " ";
  readonly before: number | undefined;
  readonly after: number | undefined;
  readonly text: string;
}

/** The whole difference, with the numbers of its lines. */
export function Difference({
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
            {linesOf(change).map(({ sign, before, after, text }) => (
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
}

const rowNames = { "+": "askwire-added", "-": "askwire-removed", " ": "" };

function linesOf({ old_text, new_text, old_start, new_start }: FileChange): Line[] {
  const { hunks } = structuredPatch("", "", old_text, new_text, "", "", { context: Number.MAX_SAFE_INTEGER });
  const lines: Line[] = [];
  let before = old_start;
  let after = new_start;
  for (const line of hunks.flatMap((hunk) => hunk.lines)) {
    const sign = line[0];
    const text = line.slice(1);
    if (sign === "+") lines.push({ sign, before: undefined, after: after++, text });
    else if (sign === "-") lines.push({ sign, before: before++, after: undefined, text });
    else if (sign === " ") lines.push({ sign, before: before++, after: after++, text });
  }
  return lines;
}
