// Presses on buttons of the editor that were meant for what was there before: one card's buttons come where another's
// were.
import { type PressGuard, pressed, pressGuard } from "@askwire/client/form";
import type { Disposable } from "vscode";
import { keyOf, openKeys } from "../cards/cards.js";
import type { SurfaceShown } from "./surface.js";

/** Decides which presses of the editor's own buttons and commands count. */
export interface Presses {
  /** True for a press that decides about a card. Then the other cards are as new as if they had just come. */
  counts(chat: string, card: string): boolean;
}

/** @param now the time in milliseconds, of a monotonic clock. */
export function presses(
  { chats, cards }: Pick<SurfaceShown, "chats" | "cards">,
  now: () => number = () => performance.now(),
): Presses & Disposable {
  /** By the keys of the cards that are open. */
  const guards = new Map<string, PressGuard>();

  function look(): void {
    const open = openKeys(cards);
    for (const key of guards.keys()) if (!open.has(key)) guards.delete(key);
    for (const key of open) if (!guards.has(key)) guards.set(key, pressGuard(now()));
  }

  look();
  return {
    counts(chat, card) {
      const at = now();
      // An editor does not report how often a button was pressed, nor where the pointer is.
      const guard = guards.get(keyOf(chat, card));
      if (guard === undefined || !pressed(guard, { at, clicks: 1 }).counts) return false;
      for (const key of guards.keys()) guards.set(key, pressGuard(at));
      return true;
    },
    dispose: chats.onChange(look),
  };
}
