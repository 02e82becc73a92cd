import { ErrorBoundary } from "@askwire/react/cards";
import type { ReactNode } from "react";
import { NotLoaded } from "./later.js";
import type { AllWords } from "./parts.js";

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
      error instanceof NotLoaded ? (
        <div className="missing" role="alert">
          <p>{page.notLoaded}</p>
          <button type="button" onClick={again}>
            {page.tryNow}
          </button>
          <button type="button" onClick={() => location.reload()}>
            {page.reload}
          </button>
        </div>
      ) : undefined
    }
  >
    {children}
  </ErrorBoundary>
);
