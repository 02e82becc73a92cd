import type { KeyboardEvent } from "react";
import { isComposing, takesText } from "./composing.js";
import type { CardAnswer } from "./use-answer.js";

/** Sends by Enter with Ctrl or Cmd. Digits choose. */
export function onQuestionKey(event: KeyboardEvent, act: CardAnswer["act"]): void {
  if (isComposing(event) || event.altKey) return;
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    act({ type: "send" });
  } else if (/^[1-9]$/.test(event.key) && !event.ctrlKey && !event.metaKey && !event.repeat) {
    // Digits count the options in sight, without those that a search hides.
    const rows = event.currentTarget.querySelectorAll<HTMLElement>(":not([hidden]) > [data-askwire-row]");
    const chosen = rows[Number(event.key) - 1];
    if (takesText(event.target) || chosen === undefined) return;
    event.preventDefault();
    chosen.focus();
    act({ type: "select", row: Number(chosen.dataset.askwireRow) });
  }
}
