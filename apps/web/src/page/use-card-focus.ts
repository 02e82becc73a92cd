import { isOnItsWay, isWaiting, type OpenRequest } from "@askwire/react/cards";
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
      at.current = cardOf(target as Element);
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
    const onTheWay = list.filter(({ delivery }) => isOnItsWay(delivery)).map(({ id }) => id);
    shown.current = list.map(({ id }) => id).filter((id) => !onTheWay.includes(id));
    const { activeElement: active } = document;
    // A card that was answered takes no more keys, though its button may have the focus still.
    if (active !== null && active !== document.body && !onTheWay.includes(cardOf(active) ?? "")) return;
    const left =
      at.current !== undefined && before.includes(at.current) && !shown.current.includes(at.current);
    const fresh = list.find((one) => isWaiting(one) && !before.includes(one.id));
    const next = left ? list.find(isWaiting) : fresh;
    if (left && next === undefined) promptBox()?.focus();
    if (next === undefined || (!left && performance.now() - lastKey.current < TYPING_MS)) return;
    headingOf(box.current, next.id)?.focus();
  });
}

/** The place to write, where the focus opens no keyboard on the glass. */
const promptBox = () =>
  matchMedia("(hover: hover)").matches
    ? document.querySelector<HTMLElement>(".askwire-prompt-box textarea")
    : null;

/** The request of the card that an element is in. */
const cardOf = (element: Element) =>
  element.closest?.("[data-askwire-request]")?.getAttribute("data-askwire-request") ?? undefined;

/** The heading of a card. */
const headingOf = (box: HTMLElement | null, id: string): HTMLElement | null | undefined =>
  box?.querySelector<HTMLElement>(`[data-askwire-request="${CSS.escape(id)}"] h2`);
