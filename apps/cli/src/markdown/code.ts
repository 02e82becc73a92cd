import { visibleText } from "@askwire/client/text";
import { type CodeKind, codeSpans } from "@askwire/react/code";
import type { Style } from "../device/paint.js";
import type { Span } from "./spans.js";

const styles: Readonly<Record<CodeKind, Style>> = {
  word: "magenta",
  text: "green",
  num: "yellow",
  name: "blue",
  note: "dim",
};

/** The most characters of code that gets colours, of a line of it, and the most like signs in a row. */
const LONGEST = 6_000;
const LONGEST_LINE = 400;
const LONG_RUN = /(.)\1{79}/s;
/** The time for the colours of one text, in milliseconds, after which the rest of a block stays plain. */
const LONGEST_MS = 25;

/** Finds the colours of one block of code, which may grow. */
export interface CodeColours {
  /** The spans of code. Its last line is plain until it has an end. */
  spans(code: string, language: string): readonly Span[];
}

/** @param now the time in milliseconds. */
export function colouredCode(now: () => number = () => performance.now()): CodeColours {
  let found: { readonly code: string; readonly spans: readonly Span[] } | undefined;
  let isSlow = false;

  function coloured(code: string, language: string): readonly Span[] {
    if (isSlow || !isShort(code)) return [{ text: code }];
    const began = now();
    const parts = codeSpans(code, language) ?? [[code] as const];
    isSlow = now() - began > LONGEST_MS;
    return parts.map(([text, kind]) => ({ text, ...(kind !== undefined && { styles: [styles[kind]] }) }));
  }

  return {
    spans(text, language) {
      const code = visibleText(text);
      const end = code.lastIndexOf("\n") + 1;
      const whole = code.slice(0, end);
      if (found?.code !== whole) found = { code: whole, spans: coloured(whole, language) };
      return [...found.spans, { text: code.slice(end) }];
    },
  };
}

const isShort = (code: string) =>
  code.length <= LONGEST &&
  !LONG_RUN.test(code) &&
  code.split("\n").every((line) => line.length <= LONGEST_LINE);
