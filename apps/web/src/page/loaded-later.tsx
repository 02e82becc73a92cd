import { Component, type ReactNode } from "react";
import type { PageWords } from "../words/page-words.js";

/** A part of the page that is loaded when it is used. Where the server has it no more, a reload gets the new page. */
export class LoadedLater extends Component<{ readonly words: PageWords; readonly children: ReactNode }> {
  override readonly state = { isMissing: false };

  static getDerivedStateFromError() {
    return { isMissing: true };
  }

  override render(): ReactNode {
    const { words, children } = this.props;
    if (!this.state.isMissing) return children;
    return (
      <p role="alert" className="missing">
        {words.notLoaded}{" "}
        <button type="button" onClick={() => location.reload()}>
          {words.reload}
        </button>
      </p>
    );
  }
}
