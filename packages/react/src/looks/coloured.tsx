import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";

/** A kind of code that has a colour: a word of the language, text, a number, a name, or a note for people. */
export type CodeKind = "word" | "text" | "num" | "name" | "note";

/** A part of code, and its kind where it has a colour. */
export type CodeSpan = readonly [text: string, kind?: CodeKind];

/**
 * Finds the colours of code: parts that together are the code, or undefined where it stays plain.
 *
 * @param language its name as behind the fence of a code block. Empty where there is none.
 */
export type Highlight = (code: string, language: string) => Promise<readonly CodeSpan[] | undefined>;

/** The most characters of code that gets colours. */
export const LONGEST_COLOURED = 20_000;

/** The pause in a text that grows, after which its colours are found, in milliseconds. */
const PAUSE_MS = 150;

/** Code, and where its colours come from. */
export interface ColouredCode {
  readonly code: string;
  readonly language: string;
  /** Default: the code stays plain. */
  readonly highlight: Highlight | undefined;
}

/**
 * The colours of code, once it is on the screen and they are found: parts that were the code when they were asked for.
 * Empty until then, and where it stays plain.
 *
 * @param box the element that has to be on the screen.
 */
export function useColours(
  box: RefObject<HTMLElement | null>,
  { code, language, highlight }: ColouredCode,
): readonly CodeSpan[] {
  const [found, setFound] = useState<readonly CodeSpan[]>([]);
  const isSeen = useSeen(box, highlight !== undefined);
  useEffect(() => {
    if (highlight === undefined || !isSeen || code === "") return;
    const until = new AbortController();
    const timer = setTimeout(async () => {
      const spans = await highlight(code, language).catch(() => undefined);
      if (!until.signal.aborted) setFound(spans ?? []);
    }, PAUSE_MS);
    return () => {
      until.abort();
      clearTimeout(timer);
    };
  }, [code, language, highlight, isSeen]);
  return found;
}

/** Code with its colours. What grows has them up to where it was. */
export function Coloured(props: ColouredCode): ReactNode {
  const { code } = props;
  const box = useRef<HTMLElement>(null);
  const found = useColours(box, props);
  const coloured = found.reduce((text, [part]) => text + part, "");
  const isOfIt = code.startsWith(coloured);
  return (
    <span ref={box}>
      {isOfIt && <Spans spans={found} />}
      {isOfIt ? code.slice(coloured.length) : code}
    </span>
  );
}

/** Parts of code, each in its colour. */
export const Spans = ({ spans }: { readonly spans: readonly CodeSpan[] }): ReactNode =>
  spans.map(([text, kind], index) =>
    kind === undefined ? (
      text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts have no name
      <span key={index} className={`askwire-syn-${kind}`}>
        {text}
      </span>
    ),
  );

/** True once the element has been on the screen. */
function useSeen(element: RefObject<HTMLElement | null>, isWatched: boolean): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (!isWatched || isSeen || element.current === null) return;
    const watch = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    watch.observe(element.current);
    return () => watch.disconnect();
  }, [element, isWatched, isSeen]);
  return isSeen;
}
