import type { CardWords } from "@askwire/client/words";
import { changesIn } from "@askwire/client/words/changes";
import { type RefObject, useEffect, useRef, useState } from "react";
import { useBeforePaint } from "../hooks/use-before-paint.js";

/**
 * The attribute of the element at the end of something that a person has to see before they allow it. Its value is the
 * number of lines that are left out there, or empty: while some are, no sight of the element suffices.
 */
export const END_MARK = "data-askwire-end";

/** The parts of a card that the person has not seen, such as the end of a box that scrolls. */
export interface UnseenParts {
  /** True once the rest was shown: nothing is cut now. */
  readonly isWhole: boolean;
  /**
   * Brings the first end that was never seen into sight, and stops cutting. Returns the number of lines that are left
   * out all the same. Undefined if the person has seen all, or was shown the rest before.
   */
  showRest(): number | undefined;
}

/**
 * Watches the ends of what a card shows. Whoever was shown the rest once is not asked to look again.
 *
 * @param card the element of the card.
 * @param view names what the card shows now: the ends of another view are looked at anew.
 */
export function useUnseenParts(card: RefObject<HTMLElement | null>, view: string): UnseenParts {
  const seen = useRef(new WeakSet<Element>());
  const rest = useRef<Element>(undefined);
  const [isWhole, setWhole] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another view has other ends
  useEffect(() => {
    const root = card.current;
    if (root === null) return;
    const watch = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue;
        seen.current.add(target);
        watch.unobserve(target);
      }
    });
    const look = () => {
      for (const mark of unseenEnds(root, seen.current)) if (leftAt(mark) === 0) watch.observe(mark);
    };
    seen.current = new WeakSet();
    look();
    // A difference that is shown to its end only now has another end.
    const changes = new MutationObserver(look);
    changes.observe(root, { childList: true, subtree: true });
    return () => {
      watch.disconnect();
      changes.disconnect();
    };
  }, [card, view]);

  useBeforePaint(() => {
    if (isWhole) rest.current?.scrollIntoView({ block: "center" });
  }, [isWhole]);

  return {
    isWhole,
    showRest() {
      if (card.current === null || isWhole) return undefined;
      const ends = unseenEnds(card.current, seen.current);
      const cut = ends.filter((end) => leftAt(end) > 0);
      const [first] = [...cut, ...ends];
      if (first === undefined) return undefined;
      rest.current = first;
      setWhole(true);
      return cut.reduce((sum, end) => sum + leftAt(end), 0);
    },
  };
}

/** The ends in a card that the person has not seen, in its order. */
const unseenEnds = (root: Element, seen: WeakSet<Element>): Element[] =>
  [...root.querySelectorAll(`[${END_MARK}]`)].filter((end) => !seen.has(end));

/** The number of lines that are left out at an end. */
const leftAt = (end: Element): number => Number(end.getAttribute(END_MARK));

/** The words of a press that showed the rest in place of allowing it. Empty without one. @param left what `showRest` gave. */
export function restInWords(left: number | undefined, words: CardWords): string {
  if (left === undefined) return "";
  return left === 0 ? words.restIsShown : changesIn(words).notShown(left);
}
