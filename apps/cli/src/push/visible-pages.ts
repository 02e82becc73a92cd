import { BoundedMap } from "@askwire/protocol/internal";

/** The time for which a page counts as visible after it said so, in milliseconds. It says so again more often. */
const LEASE_MS = 60_000;
/** The most pages that are remembered. */
const MOST_PAGES = 1_000;

/** Says which devices show the page to their person. */
export interface VisiblePages {
  /** Takes the word of a page of a device. */
  report(device: string, page: string, isVisible: boolean): void;
  /** True for a device with a visible page. One that fell silent counts no more after a minute. */
  has(device: string): boolean;
}

/** The visible pages of all devices. */
export function visiblePages(elapsed: () => number): VisiblePages {
  /** The end of each page's time, by device and page. */
  const until = new BoundedMap<string, { readonly device: string; readonly at: number }>(MOST_PAGES);
  return {
    report(device, page, isVisible) {
      const name = `${device} ${page}`;
      until.delete(name);
      if (isVisible) until.set(name, { device, at: elapsed() + LEASE_MS });
    },
    has: (device) => [...until.values()].some((page) => page.device === device && page.at > elapsed()),
  };
}
