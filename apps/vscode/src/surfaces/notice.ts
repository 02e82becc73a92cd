// A notification for a card that nobody is looking at. It only shows the card, since it cannot be taken back.

import type { Language } from "@askwire/client/words";
import { cardWords, requestText } from "@askwire/react/stores";
import { type Disposable, l10n, window, workspace } from "vscode";
import { keyOf, openKeys } from "../cards/cards.js";
import { plainMessage } from "./plain-text.js";
import type { SurfaceShown } from "./surface.js";

/** The most characters of a notification. */
const LENGTH = 300;

/**
 * @param isSeen true while the view is in sight.
 * @param lead leads the person to a card.
 */
export function editorNotices(
  { chats, cards }: SurfaceShown,
  language: Language,
  isSeen: () => boolean,
  lead: (chat: string, card: string) => void,
): Disposable[] {
  const told = new Set<string>();

  function look(): void {
    const open = openKeys(cards);
    for (const key of told) if (!open.has(key)) told.delete(key);
    for (const { chat, request } of cards.open()) {
      const key = keyOf(chat, request.id);
      if (told.has(key)) continue;
      told.add(key);
      const isHere = isSeen() && window.state.focused && chats.current()?.id === chat;
      if (!isHere && workspace.getConfiguration("askwire").get("notify", true)) void tell(chat, request.id);
    }
  }

  async function tell(chat: string, id: string): Promise<void> {
    const request = cards.of(chat, id);
    if (request === undefined) return;
    const show = l10n.t("Show");
    const text = plainMessage(requestText(request, cardWords[language]));
    const chosen = await window.showInformationMessage(text.slice(0, LENGTH), show);
    if (chosen === show) lead(chat, id);
  }
  return [{ dispose: chats.onChange(look) }];
}
