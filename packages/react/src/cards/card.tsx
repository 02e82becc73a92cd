import { type KeyboardEvent, type ReactNode, type RefObject, useRef } from "react";
import { outside } from "../failures/outside.js";
import type { GuardedPresses } from "./use-press-guard.js";

/**
 * The region of a request's card, with its heading, which a page may focus. Tells once that the person begins. Presses
 * that were not meant for it do nothing, and say why.
 */
export function Card({
  box,
  presses,
  isWhole = false,
  hint,
  id,
  requestName,
  className,
  heading,
  onBegin,
  onKeyDown = () => {},
  children,
}: {
  readonly box: RefObject<HTMLElement | null>;
  readonly presses: GuardedPresses;
  /** True once nothing is cut any more. Default: long parts scroll in boxes of their own. */
  readonly isWhole?: boolean;
  /** Why the last press did nothing. */
  readonly hint: string;
  readonly id: string;
  /** The name of the request, by which `leadTo` finds the card. */
  readonly requestName: string;
  readonly className?: string;
  readonly heading: ReactNode;
  onBegin(): void;
  onKeyDown?(event: KeyboardEvent): void;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <section
      ref={box}
      {...presses.listeners}
      {...(isWhole && { "data-askwire-whole": "" })}
      className={`askwire askwire-card${className === undefined ? "" : ` ${className}`}`}
      data-askwire-request={requestName}
      aria-labelledby={`${id}h`}
      onKeyDown={(event) => {
        onBegin();
        onKeyDown(event);
      }}
      onPointerDown={() => {
        if (!presses.isEarly) onBegin();
      }}
    >
      <h2 id={`${id}h`} tabIndex={-1}>
        {heading}
      </h2>
      {children}
      <p className="askwire-hint" role="status">
        {hint}
      </p>
    </section>
  );
}

/** Makes a function that acts at its first call alone. */
export function useOnce(act: (() => void) | undefined): () => void {
  const isDone = useRef(false);
  return () => {
    if (!isDone.current) outside(() => act?.());
    isDone.current = true;
  };
}
