import { visibleText } from "@askwire/client/text";
import { Component, lazy, type ReactNode, Suspense } from "react";
import type { Language } from "../kept/settings.js";

const Markdown = lazy(() => import("./page-markdown.js"));

/** Markdown of an agent, as it was written until its reader is loaded, and where the server has that no more. */
export const LateMarkdown = ({
  text,
  language,
}: {
  readonly text: string;
  readonly language: Language;
}): ReactNode => {
  const written = <pre className="askwire-text">{visibleText(text)}</pre>;
  return (
    <Otherwise shown={written}>
      <Suspense fallback={written}>
        <Markdown text={text} language={language} />
      </Suspense>
    </Otherwise>
  );
};

/** Shows something else in the place of a part that cannot be loaded. */
class Otherwise extends Component<{ readonly shown: ReactNode; readonly children: ReactNode }> {
  override readonly state = { isMissing: false };

  static getDerivedStateFromError() {
    return { isMissing: true };
  }

  override render(): ReactNode {
    return this.state.isMissing ? this.props.shown : this.props.children;
  }
}
