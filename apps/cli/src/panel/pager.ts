import type { FormKey } from "@askwire/client/form";

/** The position in a long text. */
export interface PagerReading {
  /** The first line shown, and the last possible first line. */
  readonly top: number;
  readonly lastTop: number;
  /** The lines shown at once. */
  readonly page: number;
}

/** The position after a key. Undefined for a key that does not scroll. */
export function scrolled(key: FormKey, { top, lastTop, page }: PagerReading): number | undefined {
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
