"use client";

import { type FailureWords, failureWords } from "@askwire/client/words";
import { type ReactNode, useEffect, useState } from "react";
import { FailureNote } from "./failure-note.js";

/** The props of {@link Failures}. */
export interface FailuresProps {
  /** The words of the component. Default: English, `failureWords.en`. */
  readonly words?: FailureWords;
}

/**
 * Reports the last error that no part of the page shows: one thrown by a handler or a timer, or the rejection of a
 * promise that nobody awaits. A page has it once. It renders nothing until then.
 */
export function Failures({ words = failureWords.en }: FailuresProps): ReactNode {
  const [last, setLast] = useState<{ readonly error: unknown }>();
  useEffect(() => {
    // Notices of the browser, such as of a loop of sizes, come without an error.
    const onError = ({ error }: ErrorEvent) => {
      if (error !== undefined && error !== null) setLast({ error });
    };
    const onRejection = ({ reason }: PromiseRejectionEvent) => setLast({ error: reason });
    window.addEventListener("error", onError);
    window.addEventListener("unhandledrejection", onRejection);
    return () => {
      window.removeEventListener("error", onError);
      window.removeEventListener("unhandledrejection", onRejection);
    };
  }, []);
  if (last === undefined) return null;
  return (
    <FailureNote
      text={words.wentWrong}
      error={last.error}
      button={words.close}
      onPress={() => setLast(undefined)}
      isQuiet={false}
      words={words}
    />
  );
}
