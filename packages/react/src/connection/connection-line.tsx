"use client";

import type { Delivery } from "@askwire/client";
import { visibleText } from "@askwire/client/text";
import type { ConnectionWords } from "@askwire/client/words";
import { connection as english } from "@askwire/client/words/en";
import { type ReactNode, useEffect, useState } from "react";
import { ErrorBoundary } from "../failures/error-boundary.js";
import type { ConnectionLink } from "./keep-connected.js";

/** The props of a {@link ConnectionLine}. */
export interface ConnectionLineProps {
  /** The state of the connection, as `useConnection` or a store of `keepConnected` gives it. */
  readonly link: ConnectionLink;
  /** What the person sent and the server has not acknowledged. Default: nothing. */
  readonly outbox?: readonly Delivery[];
  /** Tries at once. Default: there is no button. */
  onRetry?(): void;
  /** Loads the page anew, where that helps. Default: there is no button. */
  onReload?(): void;
  /** Connects with `openKept: true` to a session that the server has kept. Default: there is no button. */
  onOpenKept?(): void;
  /** Shown at the end, such as a way on from an end that only the page knows. Default: nothing. */
  readonly children?: ReactNode;
  /** A class beside those of the component. Default: none. */
  readonly className?: string;
  /** The words of the component. Default: English, `connectionWords.en`. */
  readonly words?: ConnectionWords;
}

/**
 * Says how the connection is, with the next step if there is one: the seconds to the next attempt and *Try now*, or why
 * it is over. A changed line is told to screen readers once.
 */
export function ConnectionLine(props: ConnectionLineProps): ReactNode {
  const { words = english } = props;
  return (
    <ErrorBoundary part={words.failure.parts.connection} words={words.failure}>
      <Line {...props} words={words} />
    </ErrorBoundary>
  );
}

function Line({
  link,
  outbox = [],
  onRetry,
  onReload,
  onOpenKept,
  children,
  className,
  words,
}: ConnectionLineProps & { readonly words: ConnectionWords }): ReactNode {
  const isSilent = link.is === "connected" && outbox.some(({ state }) => state.is === "undelivered");
  const isOther = link.is === "connected" && link.isOther;
  const ending = link.is === "closed" ? link.ending : undefined;
  const why = "why" in link ? visibleText(link.why) : "";
  const isUp = link.is === "connected" && !isSilent && !isOther;
  return (
    <div
      className={`askwire askwire-connection${className === undefined ? "" : ` ${className}`}`}
      data-askwire-link={isUp ? "up" : link.is}
    >
      <p className="askwire-told" role="status" {...(why !== "" && { title: why })}>
        {told(link, isSilent, words)}
      </p>
      {ending === "failed" && why !== "" && <small dir="auto">{why}</small>}
      {link.is === "lost" && <Countdown until={link.retryAt} words={words} />}
      {(link.is === "lost" || isSilent) && <LineButton text={words.tryNow} onPress={onRetry} />}
      {(isOther || ending === "replaced" || ending === "failed") && (
        <LineButton text={words.reload} onPress={onReload} />
      )}
      {ending === "kept" && <LineButton text={words.openKept} onPress={onOpenKept} isMain />}
      {children}
    </div>
  );
}

/** The state in a sentence. What was sent and is not there yet counts more than another version. */
function told(link: ConnectionLink, isSilent: boolean, words: ConnectionWords): string {
  if (link.is === "closed") return words.endings[link.ending];
  if (link.is !== "connected") return words[link.is];
  if (isSilent) return words.silent;
  return link.isOther ? words.otherVersion : words.connected;
}

/** A button, where the page does what it says. */
const LineButton = ({
  text,
  onPress,
  isMain = false,
}: {
  readonly text: string;
  readonly onPress: (() => void) | undefined;
  readonly isMain?: boolean;
}): ReactNode =>
  onPress && (
    <button type="button" {...(isMain && { className: "askwire-main" })} onClick={() => onPress()}>
      {text}
    </button>
  );

/** The seconds until the next attempt. Nobody is read each of them aloud. */
function Countdown({ until, words }: { readonly until: number; readonly words: ConnectionWords }): ReactNode {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.ceil((until - now) / 1_000);
  return (
    <p role="timer" aria-live="off">
      {seconds > 0 ? words.nextTry(seconds) : words.trying}
    </p>
  );
}
