import { type KeyboardEvent, type ReactNode, useRef } from "react";

/** The region of a request's card, with its heading, which a page may focus. Tells once that the person begins. */
export function Card({
  id,
  requestId,
  className,
  heading,
  onBegin,
  onKeyDown = () => {},
  children,
}: {
  readonly id: string;
  readonly requestId: string;
  readonly className?: string;
  readonly heading: ReactNode;
  onBegin(): void;
  onKeyDown?(event: KeyboardEvent): void;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <section
      className={`askwire askwire-card${className === undefined ? "" : ` ${className}`}`}
      data-askwire-request={requestId}
      aria-labelledby={`${id}h`}
      onKeyDown={(event) => {
        onBegin();
        onKeyDown(event);
      }}
      onPointerDown={onBegin}
    >
      <h2 id={`${id}h`} tabIndex={-1}>
        {heading}
      </h2>
      {children}
    </section>
  );
}

/** Makes a function that acts at its first call alone. */
export function useOnce(act: (() => void) | undefined): () => void {
  const isDone = useRef(false);
  return () => {
    if (!isDone.current) act?.();
    isDone.current = true;
  };
}
