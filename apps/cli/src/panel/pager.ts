import type { FormKey } from "@askwire/client/form";

/** Where the reading of a long text is. */
export interface Reading {
  /** The first line that is shown, and the last that may be. */
  readonly top: number;
  readonly lastTop: number;
  /** Lines that are shown at once. */
  readonly page: number;
}

/** Where a key takes the reading; undefined for a key that does not scroll. */
export function scrolled(key: FormKey, { top, lastTop, page }: Reading): number | undefined {
  const to = target(key, top, lastTop, page);
  return to === undefined ? undefined : Math.max(0, Math.min(lastTop, to));
}

function target(key: FormKey, top: number, lastTop: number, page: number): number | undefined {
  if ("paste" in key) return undefined;
  if ("text" in key) return key.text === " " ? top + page : undefined;
  switch (key.key) {
    case "up":
      return top - 1;
    case "down":
      return top + 1;
    case "page_up":
      return top - page;
    case "page_down":
      return top + page;
    case "home":
      return 0;
    case "end":
      return lastTop;
    default:
      return undefined;
  }
}
