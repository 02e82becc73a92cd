import type { RequestContext } from "@askwire/client";
import type { HeardDeadline } from "@askwire/protocol";
import { type KeyboardEvent, type ReactNode, type RefObject, useRef, useState } from "react";
import { runOutside } from "../failures/outside.js";
import type { GuardedPresses } from "./use-press-guard.js";

/**
 * The region of a request's card, with its heading, which a page may focus. Reports once that the person begins.
 * Presses that were not meant for it do nothing, and say why.
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
  /** True once nothing is cut. Default: long parts scroll in their own boxes. */
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

/**
 * Makes a function that reports the first act of the person, and again of the first one while another deadline runs:
 * where somebody else took one away and left, it runs anew.
 *
 * @param deadline the deadline that holds now. Default: there never is one.
 */
export function useBegin(
  tell: (() => void) | undefined,
  deadline?: HeardDeadline | null,
): { readonly hasBegun: boolean; begin(): void } {
  const [hasBegun, setBegun] = useState(false);
  /** The end of the deadline while which it was told last; null where none ran. Undefined before. */
  const told = useRef<string | null | undefined>(undefined);
  return {
    hasBegun,
    begin() {
      const at = deadline?.at ?? null;
      const isTold = told.current !== undefined && (at === null || told.current === at);
      if (isTold) return;
      told.current = at;
      setBegun(true);
      runOutside(() => tell?.());
    },
  };
}

/** Reasons of the server for refusing the last answer. */
type Issues = RequestContext["issues"];

/** Shared by all renderings, so that a card without issues sees no change. */
const none: Issues = [];

/**
 * The reasons that hold now.
 *
 * @param take called while the card is rendered, where they are others than before. Reasons that go away, as where
 *   another answer is on its way, are no refusal.
 */
export function useIssues(issues: Issues = none, take: (issues: Issues) => void): Issues {
  const [heard, setHeard] = useState(issues);
  if (issues !== heard) {
    setHeard(issues);
    take(issues);
  }
  return issues;
}
