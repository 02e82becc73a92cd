import { pageWords } from "@askwire/client/words";
import { ErrorBoundary, failureWords } from "@askwire/react/cards";
import type { ReactNode } from "react";
import { spokenIn } from "../kept/settings.js";
import { Page } from "./page.js";
import type { PageParts } from "./parts.js";

/** The page in a boundary that reads nothing of what may have failed but the language. */
export function WholePage(parts: PageParts): ReactNode {
  const language = parts.settings.current().language ?? spokenIn(navigator.languages);
  return (
    <ErrorBoundary part={pageWords[language].parts.page} words={failureWords[language]}>
      <Page {...parts} />
    </ErrorBoundary>
  );
}
