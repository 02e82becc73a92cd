// The addresses of differences, and the tabs that show them. An address names its card, so tabs of the person are told apart.

import type { OpenApproval } from "@askwire/react/stores";
import {
  type Tab,
  TabInputCustom,
  TabInputNotebook,
  TabInputNotebookDiff,
  TabInputText,
  TabInputTextDiff,
  Uri,
  window,
} from "vscode";
import type { SurfaceShown } from "./surface.js";

/** The schemes of the two sides of a difference. */
export const schemes = { current: "askwire-current", proposed: "askwire-proposed" } as const;

// #region address
/** The card that an editor's address names. Undefined for any other address. */
export function cardOf(uri: Uri | undefined): { chat: string; card: string } | undefined {
  if (uri?.scheme !== schemes.proposed && uri?.scheme !== schemes.current) return undefined;
  const query = new URLSearchParams(uri.query);
  const [chat, card] = [query.get("chat"), query.get("card")];
  return chat === null || card === null ? undefined : { chat, card };
}
// #endregion address

/** The addresses of both sides of a file's difference. */
export function addressesOf(file: Uri, chat: string, card: string): { current: Uri; proposed: Uri } {
  const query = new URLSearchParams({ chat, card }).toString();
  const at = (scheme: string) => Uri.from({ scheme, path: file.path, query });
  return { current: at(schemes.current), proposed: at(schemes.proposed) };
}

/** The address that a tab shows, whichever editor it has. */
function addressOf({ input }: Tab): Uri | undefined {
  if (input instanceof TabInputTextDiff || input instanceof TabInputNotebookDiff) return input.modified;
  if (input instanceof TabInputText || input instanceof TabInputCustom || input instanceof TabInputNotebook)
    return input.uri;
  return undefined;
}

/** The tabs that show a difference of an approval, with the card. */
export const differenceTabs = (): readonly {
  readonly tab: Tab;
  readonly chat: string;
  readonly card: string;
}[] =>
  window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap((tab) => {
      const named = cardOf(addressOf(tab));
      return named === undefined ? [] : [{ tab, ...named }];
    });

/** The address of a difference that a command of an editor's title is about: the one of the editor, else that of the active tab. */
export function differenceAt(uri: Uri | undefined): Uri | undefined {
  if (cardOf(uri) !== undefined) return uri;
  const tab = window.tabGroups.activeTabGroup.activeTab;
  const shown = tab && addressOf(tab);
  return cardOf(shown) === undefined ? undefined : shown;
}

/** The open approval that a command of an editor's title is about. */
export function approvalFor(
  { cards }: Pick<SurfaceShown, "cards">,
  uri: Uri | undefined,
): { chat: string; request: OpenApproval } | undefined {
  const named = cardOf(differenceAt(uri));
  if (named === undefined) return undefined;
  const request = cards.of(named.chat, named.card);
  return request?.kind === "approval" ? { chat: named.chat, request } : undefined;
}
