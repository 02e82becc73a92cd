"use client";

import { type FailureWords, failureWords } from "@askwire/client/words";
import { Component, type ReactNode } from "react";
import { FailureNote } from "./failure-note.js";

/** The props of an {@link ErrorBoundary}. */
export interface ErrorBoundaryProps {
  /** The part of the page that may fail. */
  readonly children: ReactNode;
  /** The part's name for the person, at the beginning of a sentence. */
  readonly part: string;
  /**
   * Shows something else in the place of a part that failed; `again` draws the part anew. Default, also where it gives
   * undefined: the name of the part, the reason, and a button to draw it anew.
   */
  readonly instead?: (error: unknown, again: () => void) => ReactNode;
  /** True if a screen reader is not told by itself, as of a row among many. Default: false. */
  readonly isQuiet?: boolean;
  /** The words of the component. Default: English, `failureWords.en`. */
  readonly words?: FailureWords;
}

interface State {
  readonly failed: { readonly error: unknown } | undefined;
}

/**
 * A boundary around a part of a page. An error in the part, while it is drawn or in an effect, takes nothing else away:
 * the boundary says what failed, and draws it anew when the person asks. React gives the error to `onCaughtError` of
 * the root.
 */
export class ErrorBoundary extends Component<ErrorBoundaryProps, State> {
  override readonly state: State = { failed: undefined };

  readonly #again = (): void => this.setState({ failed: undefined });

  static getDerivedStateFromError(error: unknown): State {
    return { failed: { error } };
  }

  override render(): ReactNode {
    const { children, part, instead, isQuiet = false, words = failureWords.en } = this.props;
    const { failed } = this.state;
    if (failed === undefined) return children;
    const shown = instead?.(failed.error, this.#again);
    if (shown !== undefined) return shown;
    return (
      <FailureNote
        text={words.failed(part)}
        error={failed.error}
        button={words.again}
        onPress={this.#again}
        {...{ isQuiet, words }}
      />
    );
  }
}
