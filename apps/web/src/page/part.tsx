import { ErrorBoundary } from "@askwire/react/cards";
import { type ReactNode, useEffect } from "react";
import { NotLoaded } from "./later.js";
import type { AllWords } from "./parts.js";

/** The time between two attempts to get a file that did not come, in milliseconds. */
const AGAIN_MS = 2_000;

/** The place of a part whose file did not come, as while the network was away. The part is there once its file is. */
function Missing({
  error,
  again,
  page,
}: {
  readonly error: NotLoaded;
  readonly again: () => void;
  readonly page: AllWords["page"];
}): ReactNode {
  const { load } = error;
  useEffect(() => {
    const timer = setInterval(() => load().then(again, () => {}), AGAIN_MS);
    return () => clearInterval(timer);
  }, [load, again]);
  return (
    <div className="missing" role="alert">
      <p>{page.notLoaded}</p>
      <button type="button" onClick={() => location.reload()}>
        {page.reload}
      </button>
    </div>
  );
}

/** A part of the page, whose failure leaves the others as they are. Where a file is missing, a reload gets the new page. */
export const PagePart = ({
  name,
  words: { page, talk },
  children,
}: {
  readonly name: keyof AllWords["page"]["parts"];
  readonly words: Pick<AllWords, "page" | "talk">;
  readonly children: ReactNode;
}): ReactNode => (
  <ErrorBoundary
    part={page.parts[name]}
    words={talk.failure}
    instead={(error, again) =>
      error instanceof NotLoaded ? <Missing {...{ error, again, page }} /> : undefined
    }
  >
    {children}
  </ErrorBoundary>
);
