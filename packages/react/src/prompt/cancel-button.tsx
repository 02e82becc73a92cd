import { type PressGuard, pointerMoved, pressed, pressGuard } from "@askwire/client/form";
import type { TalkWords } from "@askwire/client/words";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { watchPointer } from "../cards/use-press-guard.js";
import { Icon } from "../looks/icon.js";

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
    watchPointer(
      until.signal,
      () => {
        guard.current = pointerMoved(guard.current);
      },
      () => {
        guard.current = pressGuard(performance.now());
      },
    );
    return () => until.abort();
  }, []);

  return (
    <>
      <button
        type="button"
        className="askwire-cancel"
        aria-label={words.cancel}
        title={words.cancel}
        onClick={({ detail }) => {
          const press = pressed(guard.current, { at: performance.now(), clicks: detail });
          guard.current = press.guard;
          setTold(!press.counts);
          if (press.counts) onCancel();
        }}
      >
        <Icon name="stop" />
      </button>
      <small role="status">{isTold && words.secondPress}</small>
    </>
  );
}
