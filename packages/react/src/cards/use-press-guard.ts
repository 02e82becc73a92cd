import {
  type PressGuard,
  pointerMoved,
  pressed,
  pressGuard,
  takesFrom,
  UNSEEN_MS,
} from "@askwire/client/form";
import { type KeyboardEvent, type MouseEvent, type RefObject, useEffect, useRef, useState } from "react";

/** Keeps presses from a card that were meant for what was there before. */
export interface GuardedPresses {
  /** True while the card takes no press of a pointer. */
  readonly isEarly: boolean;
  /** True after a press that did not count, until one does. */
  readonly isTold: boolean;
  /** Begins anew: the card shows something that the person has not seen. */
  begin(): void;
  readonly listeners: {
    onClickCapture(event: MouseEvent): void;
    onClick(): void;
    onKeyDownCapture(event: KeyboardEvent): void;
  };
}

/** The attribute of a button that only opens a step, which has a guard of its own: its press decides nothing. */
export const OPENS_STEP = "data-askwire-step";

/**
 * The elements that a press does something to, but for those that only look or open a step: tabs, notes about an end, the
 * button that asks why one rejects.
 */
const CONTROLS = `:is(button, input, label, summary, a):is(.askwire-page *, [data-askwire-page] *, .askwire-editor *):not([${OPENS_STEP}])`;

/**
 * Guards the presses of a card.
 *
 * @param card the element of the card.
 * @param part the part of the request that the card shows: another part is as new as another card.
 */
export function usePressGuard(card: RefObject<HTMLElement | null>, part: number): GuardedPresses {
  const guard = useRef<PressGuard>(pressGuard(Number.POSITIVE_INFINITY));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hasShown = useRef(false);
  const [isEarly, setEarly] = useState(true);
  const [isTold, setTold] = useState(false);

  /** Takes another guard, and looks again when it may take presses. */
  function take(next: PressGuard): void {
    guard.current = next;
    clearTimeout(timer.current);
    const now = performance.now();
    setEarly(now < takesFrom(next));
    const due = [next.since + UNSEEN_MS, takesFrom(next)].find((time) => time > now);
    if (due !== undefined) timer.current = setTimeout(look, due - now);
  }

  /** A pointer that is elsewhere has to move to get here. A finger is nowhere until it presses. */
  function look(): void {
    const isElsewhere = card.current?.matches(":hover") === false && matchMedia("(hover: hover)").matches;
    take(isElsewhere ? pointerMoved(guard.current) : guard.current);
  }

  const begin = () => take(pressGuard(performance.now()));

  // biome-ignore lint/correctness/useExhaustiveDependencies: all that it uses stays the same
  useEffect(() => {
    const fresh = pressGuard(performance.now());
    take(hasShown.current ? pointerMoved(fresh) : fresh);
    hasShown.current = true;
    return () => clearTimeout(timer.current);
  }, [part]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: all that it uses stays the same
  useEffect(() => {
    const until = new AbortController();
    const { signal } = until;
    watchPointer(
      signal,
      () => guard.current.rests && take(pointerMoved(guard.current)),
      (other) => other !== card.current && begin(),
    );
    const onShown = () => {
      if (!document.hidden) begin();
    };
    document.addEventListener("visibilitychange", onShown, { signal });
    return () => until.abort();
  }, []);

  function refuse(event: MouseEvent | KeyboardEvent): void {
    setTold(true);
    event.preventDefault();
    event.stopPropagation();
  }

  return {
    isEarly,
    isTold,
    begin,
    listeners: {
      onClickCapture(event) {
        if (!(event.target as Element).closest(CONTROLS)) return;
        const { counts, guard: next } = pressed(guard.current, {
          at: performance.now(),
          clicks: event.detail,
        });
        guard.current = next;
        if (!counts) refuse(event);
      },
      // Not before the press has had its effect: a new rendering would take a choice back that is under way.
      onClick: () => setTold(false),
      onKeyDownCapture(event) {
        const { key, repeat, target } = event;
        if (key !== "Enter" && key !== " ") return;
        if (target instanceof HTMLButtonElement && repeat) return event.preventDefault();
        const sends =
          key === "Enter" && (event.ctrlKey || event.metaKey || target instanceof HTMLInputElement);
        const press = { at: performance.now(), clicks: 0 };
        if (sends && !pressed(guard.current, press).counts) refuse(event);
      },
    },
  };
}

/** Reports each move of the pointer, and of each press on a card, until the signal. */
export function watchPointer(
  signal: AbortSignal,
  onMoved: () => unknown,
  onPress: (card: Element) => unknown,
): void {
  let last: { readonly x: number; readonly y: number } | undefined;
  const onMove = ({ clientX: x, clientY: y }: PointerEvent) => {
    // A browser reports a move too where only the page below the pointer has moved.
    const isMoved = last !== undefined && (last.x !== x || last.y !== y);
    last = { x, y };
    if (isMoved) onMoved();
  };
  const onClick = ({ target }: Event) => {
    const card = target instanceof Element ? target.closest("[data-askwire-request]") : null;
    if (card !== null) onPress(card);
  };
  document.addEventListener("pointermove", onMove, { signal, passive: true });
  document.addEventListener("click", onClick, { signal, capture: true });
}
