import { type RefObject, useEffect, useRef, useState } from "react";
import { useBeforePaint } from "../hooks/use-before-paint.js";

/** The attribute of the element at the end of something that a person has to see before they allow it. */
export const END_MARK = "data-askwire-end";

/** The parts of a card that the person has not seen, such as the end of a box that scrolls. */
export interface UnseenParts {
  /** True once the rest was shown: nothing is cut now. */
  readonly isWhole: boolean;
  /** Brings the first end that was never seen into sight, and stops cutting. False if the person has seen all. */
  showRest(): boolean;
}

/**
 * Watches the ends of what a card shows. Whoever was shown the rest once is not asked to look again.
 *
 * @param card the element of the card.
 * @param view names what the card shows now: the ends of another view are looked at anew.
 */
export function useUnseenParts(card: RefObject<HTMLElement | null>, view: string): UnseenParts {
  const unseen = useRef(new Set<Element>());
  const rest = useRef<Element>(undefined);
  const [isWhole, setWhole] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another view has other ends
  useEffect(() => {
    const marks = card.current?.querySelectorAll(`[${END_MARK}]`) ?? [];
    const watch = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue;
        unseen.current.delete(target);
        watch.unobserve(target);
      }
    });
    unseen.current = new Set(marks);
    for (const mark of marks) watch.observe(mark);
    return () => watch.disconnect();
  }, [card, view]);

  useBeforePaint(() => {
    if (isWhole) rest.current?.scrollIntoView({ block: "center" });
  }, [isWhole]);

  return {
    isWhole,
    showRest() {
      const [first] = unseen.current;
      if (first === undefined || isWhole) return false;
      unseen.current.clear();
      rest.current = first;
      setWhole(true);
      return true;
    },
  };
}
