import type { PushCalls } from "./push-calls.js";

/** The time between two words of a visible page, in milliseconds: the server takes its word for a minute. */
const AGAIN_MS = 20_000;

/** Tells the server whether the person sees this page, so that no message comes meanwhile. Returns the end of that. */
export function tellVisibility(calls: PushCalls, document: Document, page: string): () => void {
  let told = false;
  const tell = () => {
    const visible = !document.hidden;
    if (!visible && !told) return;
    told = visible;
    void calls({ do: "visible", page, visible });
  };
  const leave = () => {
    if (told) void calls({ do: "visible", page, visible: false });
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
