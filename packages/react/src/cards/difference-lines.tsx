import { visibleText } from "@askwire/client/text";
import type { CardWords } from "@askwire/client/words";
import type { ChangeWords } from "@askwire/client/words/changes";
import type { FileChange } from "@askwire/protocol";
import { type ReactNode, type RefObject, useMemo, useRef, useState } from "react";
import { type CodeSpan, type Highlight, LONGEST_COLOURED, Spans } from "../looks/coloured.js";
import { useColouredLines } from "../looks/coloured-lines.js";
import { type DifferentLine, differentLines } from "./different-lines.js";
import { foldedRuns, shownRows } from "./folded-lines.js";
import { END_MARK } from "./use-unseen-parts.js";

/** The lines of a difference that are shown at first, and those that a press adds. */
const FIRST_LINES = 300;
const MORE_LINES = 500;

/** The words that a difference needs. */
export type DifferenceWords = Pick<CardWords, "added" | "removed" | "lineEnds" | "changes">;

interface LinesProps {
  readonly change: FileChange;
  readonly words: DifferenceWords;
  readonly changes: ChangeWords;
  readonly highlight?: Highlight | undefined;
  onOpenChange?: ((path: string) => void) | undefined;
}

/** The lines of a difference. Those that go have the colours of the text before, all others of the text after. */
export function DifferenceLines({
  change: { path, old_text, new_text, old_start, new_start },
  words,
  changes,
  highlight,
  onOpenChange,
}: LinesProps): ReactNode {
  const box = useRef<HTMLTableElement>(null);
  const [most, setMost] = useState(FIRST_LINES);
  const [unfolded, setUnfolded] = useState<ReadonlyMap<number, number>>(new Map());
  const runs = useMemo(
    () => foldedRuns(differentLines({ path, old_text, new_text, old_start, new_start, is_summary: false })),
    [path, old_text, new_text, old_start, new_start],
  );
  const { rows, left } = useMemo(() => shownRows(runs, unfolded, most), [runs, unfolded, most]);
  const spansOf = useSpans(box, { path, old_text, new_text, old_start, new_start, highlight });
  /** Keeps the focus where a control goes: on the box that scrolls. */
  const leave = () => box.current?.closest("section")?.focus({ preventScroll: true });

  function unfold(run: number, folded: number): void {
    if (folded <= MORE_LINES) leave();
    setUnfolded(new Map(unfolded).set(run, (unfolded.get(run) ?? 0) + MORE_LINES));
  }
  function showMore(): void {
    if (left <= MORE_LINES) leave();
    setMost(most + MORE_LINES);
  }

  return (
    <>
      <table ref={box}>
        <tbody>
          {rows.map((row) =>
            "line" in row ? (
              <Line key={keyOf(row.line)} {...row} {...{ words, spansOf }} />
            ) : (
              <tr key={`run ${row.run}`} className="askwire-same">
                <td colSpan={3}>
                  <button type="button" onClick={() => unfold(row.run, row.folded)}>
                    {changes.unchanged(row.folded)}
                  </button>
                </td>
              </tr>
            ),
          )}
        </tbody>
      </table>
      {left > 0 && (
        <div className="askwire-same">
          <button type="button" onClick={showMore}>
            {changes.more(Math.min(left, MORE_LINES), left)}
          </button>
          {onOpenChange && (
            <button type="button" onClick={() => onOpenChange(path)}>
              {changes.openInEditor}
            </button>
          )}
        </div>
      )}
      <span key={left} {...{ [END_MARK]: left || "" }} />
    </>
  );
}

const keyOf = ({ before, after }: DifferentLine): string => `${before ?? "+"} ${after ?? "-"}`;

type SpansOf = (line: DifferentLine, shown: string) => readonly CodeSpan[] | undefined;

/** Gives the parts of a line in their colours, once these are found. Long texts have none. */
function useSpans(
  box: RefObject<HTMLElement | null>,
  {
    path,
    old_text,
    new_text,
    old_start,
    new_start,
    highlight,
  }: Omit<FileChange, "is_summary"> & Pick<LinesProps, "highlight">,
): SpansOf {
  const language = path.slice(path.lastIndexOf(".") + 1);
  const [oldCode, newCode] = useMemo(
    () => [colourable(old_text), colourable(new_text)],
    [old_text, new_text],
  );
  const old = useColouredLines(box, oldCode, language, highlight);
  const now = useColouredLines(box, newCode, language, highlight);
  return ({ before, after }, shown) =>
    after === undefined ? old((before ?? 0) - old_start, shown) : now(after - new_start, shown);
}

const colourable = (text: string): string => (text.length > LONGEST_COLOURED ? "" : visibleText(text));

function Line({
  line,
  words,
  spansOf,
}: {
  readonly line: DifferentLine;
  readonly words: DifferenceWords;
  readonly spansOf: SpansOf;
}): ReactNode {
  const { sign, before, after, text } = line;
  const shown = visibleText(text);
  const spans = spansOf(line, shown);
  return (
    <tr className={rowNames[sign]}>
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
}

const rowNames: Readonly<Record<DifferentLine["sign"], string>> = {
  "+": "askwire-added",
  "-": "askwire-removed",
  " ": "",
};
