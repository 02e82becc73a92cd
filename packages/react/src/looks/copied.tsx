import { type ReactNode, useEffect, useState, useSyncExternalStore } from "react";
import { Icon } from "./icon.js";

/** The time for which a button says that it has copied, in milliseconds. */
const SAID_MS = 2_000;

/** Subscribes to nothing: a page keeps its clipboard, or has none. */
const never = () => () => {};
/** Without encryption a page has none. */
const hasClipboard = () => navigator.clipboard !== undefined;

/** Text with a button that copies it. */
export const Copied = ({
  text,
  words,
  children,
}: {
  /** The text to copy. */
  readonly text: string;
  readonly words: { readonly copy: string };
  readonly children: ReactNode;
}): ReactNode => (
  <div className="askwire-copied">
    {children}
    <CopyButton text={text} name={words.copy} />
  </div>
);

/** A button that copies a text, where the browser lets a page do so. */
export function CopyButton({ text, name }: { readonly text: string; readonly name: string }): ReactNode {
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => setDone(false), SAID_MS);
    return () => clearTimeout(timer);
  }, [isDone]);
  const canCopy = useSyncExternalStore(never, hasClipboard, () => false);
  if (!canCopy) return null;
  return (
    <button
      type="button"
      className="askwire-copy"
      aria-label={name}
      title={name}
      data-done={isDone || undefined}
      onClick={() =>
        void navigator.clipboard.writeText(text).then(
          () => setDone(true),
          () => {},
        )
      }
    >
      <Icon name={isDone ? "check" : "copy"} />
    </button>
  );
}
