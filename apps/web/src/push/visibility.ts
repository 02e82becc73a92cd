import type { PushCalls } from "./push-calls.js";

/** The time between two words of a visible page, in milliseconds: the server takes its word for a minute. */
const AGAIN_MS = 20_000;

/** The most requests that the server is told of. */
const MOST_SEEN = 200;

/**
 * Tells the server whether the person sees this page, so that no message comes meanwhile, and what it has shown.
 *
 * @param shown the ids of the requests that the page shows.
 * @returns ends that.
 */
export function tellVisibility(
  calls: PushCalls,
  document: Document,
  shown: () => readonly string[],
): () => void {
  const page = crypto.randomUUID();
  const say = (visible: boolean) =>
    void calls({ do: "visible", page, visible, seen: shown().slice(-MOST_SEEN) });
  let told = false;
  const tell = () => {
    const visible = !document.hidden;
    if (!visible && !told) return;
    told = visible;
    say(visible);
  };
  const leave = () => {
    if (told) say(false);
    told = false;
  };
  tell();
  const timer = setInterval(tell, AGAIN_MS);
  document.addEventListener("visibilitychange", tell);
  document.defaultView?.addEventListener("pagehide", leave);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", tell);
    document.defaultView?.removeEventListener("pagehide", leave);
    leave();
  };
}
