import type { FormState } from "@askwire/client/form";
import type { Deadline } from "@askwire/protocol";
import type { Frame } from "../device/loan.js";
import type { Block, Drawing } from "./drawing.js";
import type { Section, Shares } from "./layout.js";

/** All that a panel shows at one moment. */
export interface PanelContent {
  readonly form: FormState;
  /** Who asks and what for, in one line; empty where that is said already. */
  readonly title: string;
  /** What an approval is about, in painted lines that hold no control characters: a difference, a command. */
  readonly subject: readonly string[];
  /** The same for what there is to read, with the paths of all files. Default: `subject`. */
  readonly subjectInFull?: readonly string[];
  /** Whether the text of the question was shown just above: then it is only in what there is to read. Default: no. */
  readonly bodyIsShown?: boolean;
  /** Requests that wait behind this one. */
  readonly waiting: number;
  /** Seconds until the deadline, and what happens then; undefined where there is none. */
  readonly deadline?: { readonly seconds: number; readonly on_expiry: Deadline["on_expiry"] };
  /** Whether keys count already. Until they do, no key is named. */
  readonly ready: boolean;
  /** The first line that is shown of what there is to read (`form.reading`). */
  readonly top: number;
}

export interface PanelSize {
  readonly columns: number;
  readonly rows: number;
}

/** A frame, and how far down one can read. */
export interface Drawn extends Frame {
  /** The largest `top` that shows something new; 0 where all is shown. */
  readonly lastTop: number;
}

/** Draws panels: each frame has fewer lines than the terminal has rows, and none is wider. */
export interface PanelView {
  draw(content: PanelContent, size: PanelSize): Drawn;
}

/** The lines of what a page has of its own, by section; the others are the same on every page. */
export interface PageContent {
  readonly shares: Shares;
  readonly lines: Partial<Record<Section, readonly string[]>>;
  readonly caret?: Block["caret"];
  /** Whether something is cut, or can be read in full only in the pager. */
  readonly more: boolean;
}

/** The lines of all that there is to read. It takes long for long texts, so who calls often keeps them. */
export type Reading = (content: PanelContent, drawing: Drawing) => readonly string[];
