import type { RefObject } from "react";
import { type CodeSpan, type Highlight, useColours } from "./coloured.js";

/**
 * The colours of a text line by line. A line has none until they are found, and where they are not those of its text.
 *
 * @param language its name as behind the fence of a code block, or the ending of a file's name.
 */
export function useColouredLines(
  box: RefObject<HTMLElement | null>,
  code: string,
  language: string,
  highlight: Highlight | undefined,
): (line: number, text: string) => readonly CodeSpan[] | undefined {
  const lines = spansOfLines(useColours(box, { code, language, highlight }));
  return (line, text) => {
    const spans = lines[line];
    return spans?.map(([part]) => part).join("") === text ? spans : undefined;
  };
}

/** Parts of a text as parts of its lines. */
export function spansOfLines(spans: readonly CodeSpan[]): readonly (readonly CodeSpan[])[] {
  const lines: CodeSpan[][] = [[]];
  for (const [text, kind] of spans) {
    for (const [index, part] of text.split("\n").entries()) {
      if (index > 0) lines.push([]);
      if (part !== "") lines.at(-1)?.push(kind === undefined ? [part] : [part, kind]);
    }
  }
  return lines;
}
