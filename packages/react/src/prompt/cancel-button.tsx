import { type PressGuard, pointerMoved, pressed, pressGuard } from "@askwire/client/form";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { TalkWords } from "../words/talk-words.js";

/**
 * Cancels the turn. A card that closes under the pointer may bring this button there: the second press of a double press
 * on a card does nothing here, and says why.
 */
export function CancelButton({
  words,
  onCancel,
}: {
  readonly words: TalkWords;
  onCancel(): void;
}): ReactNode {
  const guard = useRef<PressGuard>(pressGuard(Number.NEGATIVE_INFINITY));
  const [isTold, setTold] = useState(false);

  useEffect(() => {
    const until = new AbortController();
    const { signal } = until;
    let last: { readonly x: number; readonly y: number } | undefined;
    const onMove = ({ clientX: x, clientY: y }: PointerEvent) => {
      // A browser tells of a move too where only the page below the pointer has moved.
      if (last !== undefined && (last.x !== x || last.y !== y)) guard.current = pointerMoved(guard.current);
      last = { x, y };
    };
    const onClick = ({ target }: Event) => {
      const isOnCard = target instanceof Element && target.closest("[data-askwire-request]") !== null;
      if (isOnCard) guard.current = pressGuard(performance.now());
    };
    document.addEventListener("pointermove", onMove, { signal, passive: true });
    document.addEventListener("click", onClick, { signal, capture: true });
    return () => until.abort();
  }, []);

  return (
    <>
      <button
        type="button"
        className="askwire-cancel"
        onClick={({ detail }) => {
          const press = pressed(guard.current, { at: performance.now(), clicks: detail });
          guard.current = press.guard;
          setTold(!press.counts);
          if (press.counts) onCancel();
        }}
      >
        {words.cancel}
      </button>
      <small role="status">{isTold && words.secondPress}</small>
    </>
  );
}
