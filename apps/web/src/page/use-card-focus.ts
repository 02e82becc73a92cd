import type { OpenRequest } from "@askwire/react";
import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

/** The time after a key in which somebody counts as typing, in milliseconds. */
const TYPING_MS = 500;

/**
 * Leads the focus to the heading of a card, where no key on the way answers anything: of one that appears, unless
 * somebody types or is at another card, and of the next one after an answer.
 *
 * @param box the element with the cards.
 */
export function useCardFocus(list: readonly OpenRequest[], box: RefObject<HTMLElement | null>): void {
  const shown = useRef<readonly string[]>([]);
  /** The card that has the focus, or had it when it went. */
  const at = useRef<string | undefined>(undefined);
  const lastKey = useRef(Number.NEGATIVE_INFINITY);

  useEffect(() => {
    const onKey = () => {
      lastKey.current = performance.now();
    };
    const onFocus = ({ target }: FocusEvent) => {
      at.current =
        (target as Element).closest?.("[data-askwire-request]")?.getAttribute("data-askwire-request") ??
        undefined;
    };
    document.addEventListener("keydown", onKey, true);
    document.addEventListener("focusin", onFocus);
    return () => {
      document.removeEventListener("keydown", onKey, true);
      document.removeEventListener("focusin", onFocus);
    };
  }, []);

  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = list.map(({ id }) => id);
    const isFree = document.activeElement === null || document.activeElement === document.body;
    if (!isFree) return;
    const left =
      at.current !== undefined && before.includes(at.current) && !shown.current.includes(at.current);
    const fresh = list.find(({ id, settled }) => settled === undefined && !before.includes(id));
    const next = left ? list.find(({ settled }) => settled === undefined) : fresh;
    if (left && next === undefined) return promptBox()?.focus();
    if (next === undefined || (!left && performance.now() - lastKey.current < TYPING_MS)) return;
    headingOf(box.current, next.id)?.focus();
  });
}

/** The place to write, where the focus opens no keyboard on the glass. */
const promptBox = () =>
  matchMedia("(hover: hover)").matches
    ? document.querySelector<HTMLElement>(".askwire-prompt-box textarea")
    : null;

/** The heading of a card. */
const headingOf = (box: HTMLElement | null, id: string): HTMLElement | null | undefined =>
  box?.querySelector<HTMLElement>(`[data-askwire-request="${CSS.escape(id)}"] h2`);
