import type { FormState } from "@askwire/client/form";
import type { HeardDeadline } from "@askwire/protocol";
import type { Frame } from "../device/loan.js";
import type { CaretPlace, Drawing } from "./drawing.js";
import type { Section, Shares } from "./layout.js";

/** The whole content of a panel at one moment. */
export interface PanelContent {
  readonly form: FormState;
  /** The sender and purpose, on one line. Empty if both are known already. */
  readonly title: string;
  /**
   * The origin of an ask, then the subject of an approval, such as a difference or a command: painted lines without
   * control characters.
   */
  readonly subject: readonly string[];
  /** The subject for the full text, with the paths of all files. Default: `subject`. */
  readonly subjectInFull?: readonly string[];
  /** Set if the text of the question was just shown above, and belongs only in the full text. Default: false. */
  readonly bodyIsShown?: boolean;
  /** The number of requests that wait behind this one. */
  readonly waiting: number;
  /** The names of other people who have begun to answer. Default: none. */
  readonly others?: readonly string[];
  /** The number of people who must approve, and the names of those who have. Default: one person is enough. */
  readonly approvals?: string;
  /** The calls of the asking program that wait for the answer. Default: 1. */
  readonly calls?: number;
  /** The seconds until the deadline, and its effect. Undefined without a deadline. */
  readonly deadline?: { readonly seconds: number; readonly on_expiry: HeardDeadline["on_expiry"] };
  /** Set once keys count. Until then no key is named. */
  readonly ready: boolean;
  /** The first line shown of the full text (`form.reading`). */
  readonly top: number;
}

export interface PanelSize {
  readonly columns: number;
  readonly rows: number;
}

/** A frame with the range of its full text. */
export interface Drawn extends Frame {
  readonly caret?: CaretPlace;
  /** The largest `top` that shows something new; 0 if all is shown. */
  readonly lastTop: number;
  /** Set if a part of what the request is about is not in the frame. */
  readonly isCut: boolean;
}

/** Draws panels. Each frame has fewer lines than the terminal has rows, and no line is wider. */
export interface PanelView {
  draw(content: PanelContent, size: PanelSize): Drawn;
}

/** A page's own lines, by section; all other sections are the same on every page. */
export interface PageContent {
  readonly shares: Shares;
  readonly lines: Partial<Record<Section, readonly string[]>>;
  /** The place of the caret in the lines of its section. */
  readonly caret?: CaretPlace & { readonly section: Section };
  /** Set if a part is cut, or can be read in full only in the pager. */
  readonly more: boolean;
  /** Set if a part of what the request is about is cut. */
  readonly isCut: boolean;
}

/** The lines of the full text. Long texts take long, so frequent callers keep the lines. */
export type Reading = (content: PanelContent, drawing: Drawing) => readonly string[];
