import { ErrorBoundary } from "@askwire/react/cards";
import type { ReactNode } from "react";
import { Page } from "./page.js";
import type { PageParts } from "./parts.js";

/** The page in a boundary that reads nothing of what may have failed but the words. */
export function WholePage(parts: PageParts): ReactNode {
  const { page, talk } = parts.texts.current();
  return (
    <ErrorBoundary part={page.parts.page} words={talk.failure}>
      <Page {...parts} />
    </ErrorBoundary>
  );
}
