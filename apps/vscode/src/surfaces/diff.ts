// The differences of an approval in the real diff editor. Its title approves and rejects; closing it decides nothing.

import type { Language } from "@askwire/client/words";
import { commands, type Disposable, window, workspace } from "vscode";
import { keyOf, openKeys } from "../cards/cards.js";
import { changesOf } from "../cards/whole-file.js";
import { approvalFor, differenceTabs } from "./difference-tabs.js";
import { ProposedFiles } from "./proposed-files.js";
import type { SurfaceShown } from "./surface.js";
import type { Unsaved } from "./unsaved.js";

/** The most files of one approval that are opened by themselves. */
const MOST_FILES = 5;

export interface Differences {
  /** Opens the differences of an approval, the first five. Resolves with false where there is none to show. */
  show(chat: string, card: string): Promise<boolean>;
  /** Opens the difference of one file of an approval, with the focus. */
  showFile(chat: string, card: string, path: string): Promise<void>;
  readonly disposables: readonly Disposable[];
}

export function differences({
  chats,
  cards,
  language,
  unsaved,
}: SurfaceShown & { readonly language: Language; readonly unsaved: Unsaved }): Differences {
  const files = new ProposedFiles(cards, language);
  const opened = new Set<string>();
  let told = "";

  async function show(chat: string, card: string): Promise<boolean> {
    const paths = files.pathsOf(chat, card).slice(0, MOST_FILES);
    for (const path of paths) await files.open(chat, card, path, false);
    await closeOld();
    return paths.length > 0;
  }

  // #region close
  /** Closes the editors of approvals that are no longer open. */
  async function closeOld(): Promise<void> {
    const old = differenceTabs().filter(({ chat, card }) => cards.of(chat, card) === undefined);
    files.dropOld();
    const tabs = old.map(({ tab }) => tab);
    if (tabs.length > 0) await window.tabGroups.close(tabs, true);
  }
  // #endregion close

  /** Opens the differences of each approval of the shown session once. */
  function look(): void {
    void closeOld();
    const open = openKeys(cards);
    for (const key of opened) if (!open.has(key)) opened.delete(key);
    for (const { chat, request } of cards.open()) {
      const key = keyOf(chat, request.id);
      if (request.kind !== "approval" || opened.has(key) || chats.current()?.id !== chat) continue;
      opened.add(key);
      if (workspace.getConfiguration("askwire").get("openDifference", true)) void show(chat, request.id);
    }
    tellTitle();
  }

  /** Has the title of the shown difference offer what its approval has: edits to save first, and further files. */
  function tellTitle(): void {
    const approval = approvalFor({ cards }, undefined)?.request.request;
    const isEdited = approval !== undefined && unsaved.of(approval).length > 0;
    const isOfSeveral = approval !== undefined && changesOf(approval.display).size > 1;
    const now = JSON.stringify([isEdited, isOfSeveral]);
    if (now === told) return;
    told = now;
    void commands.executeCommand("setContext", "askwire.hasUnsaved", isEdited);
    void commands.executeCommand("setContext", "askwire.hasFiles", isOfSeveral);
  }

  return {
    show,
    async showFile(chat, card, path) {
      await files.open(chat, card, path, true);
      await closeOld();
    },
    disposables: [
      ...files.disposables,
      { dispose: chats.onChange(look) },
      { dispose: unsaved.subscribe(tellTitle) },
      window.tabGroups.onDidChangeTabs(tellTitle),
      window.tabGroups.onDidChangeTabGroups(tellTitle),
    ],
  };
}
