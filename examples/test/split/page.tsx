// The part of a page that a server renders: it has components of @askwire/react by name alone, and runs none of them.
import { ErrorBoundary } from "@askwire/react";
import { cardWords } from "@askwire/react/stores";
import { Agent } from "./agent.js";

export const Page = () => (
  <main>
    <h1>{cardWords.en.question}</h1>
    <ErrorBoundary part="The agent">
      <Agent />
    </ErrorBoundary>
  </main>
);
