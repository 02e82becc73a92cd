import { useSyncExternalStore } from "react";

/** The width from which the sessions stand beside what the page shows. */
const WIDE = "(width >= 64rem)";

/** True while there is room for the side column. */
export const useIsWide = (): boolean => useSyncExternalStore(subscribe, () => matchMedia(WIDE).matches);

function subscribe(changed: () => void): () => void {
  const list = matchMedia(WIDE);
  list.addEventListener("change", changed);
  return () => list.removeEventListener("change", changed);
}
