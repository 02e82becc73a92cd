import type { Query } from "./tags.js";

/** A written call: an action's element within its service's. */
export interface WrittenCall {
  readonly type: "call";
  /** All of it, as the model wrote it. */
  readonly raw: string;
  readonly service: string;
  readonly action: string;
  /** The content of the action's element; undefined for an element without an end. */
  readonly body: string | undefined;
}

/** An event in a text, in its order. */
export type TextEvent =
  | { readonly type: "text"; readonly text: string }
  /** `query` is undefined where it is malformed. */
  | { readonly type: "query"; readonly raw: string; readonly query: Query | undefined }
  /** The tags of a call are there. The call follows once it is whole. */
  | { readonly type: "call-begins"; readonly service: string; readonly action: string }
  | WrittenCall
  | { readonly type: "execute"; readonly raw: string }
  /** A result that the model wrote begins. Without an end it turns out to be text. */
  | { readonly type: "result-begins" }
  | { readonly type: "result" };

/** The progress in reading an element. */
export interface ElementStep {
  readonly events: readonly TextEvent[];
  /** UTF-16 units that are done with. */
  readonly used: number;
  /** The element has ended. */
  readonly over: boolean;
  /** This was no element: that many units are text, and the rest is read anew. */
  readonly text?: number;
}

/** Reads an element, of which more comes with each call. */
export interface ElementReader {
  /** While there is less than that, only a `>` can change anything: looking at all of it anew takes time. Default: 0. */
  readonly quietBelow?: number;
  /**
   * Reads on; undefined to wait for more.
   *
   * @param text all unread text.
   * @param final set at the end of the input.
   */
  read(text: string, final: boolean): ElementStep | undefined;
}

/** UTF-16 units of a call or a result in the text. */
export const MAX_ELEMENT = 256 * 1024;

/** An element that turned out to be text up to there. */
export const noElement = (text: number): ElementStep => ({ events: [], used: 0, over: true, text });
