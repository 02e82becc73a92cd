// The differences of an approval in the real diff editor. Its title approves and rejects; closing it decides nothing.

import { lineEndWords, visibleLine } from "@askwire/client/text";
import type { Language } from "@askwire/client/words";
import type { OpenApproval } from "@askwire/react/stores";
import {
  commands,
  type Disposable,
  EventEmitter,
  l10n,
  TabInputTextDiff,
  Uri,
  ViewColumn,
  window,
  workspace,
} from "vscode";
import { keyOf, openKeys } from "../cards/cards.js";
import { changesOf, type Sides, sidesOf } from "../cards/whole-file.js";
import { fileOf, isOutside } from "./open-file.js";
import type { SurfaceShown } from "./surface.js";

const schemes = { current: "askwire-current", proposed: "askwire-proposed" } as const;

/** The most files of one approval that are opened. */
const MOST_FILES = 5;

// #region address
/** The card that an editor's address names. Undefined for any other address. */
export function cardOf(uri: Uri | undefined): { chat: string; card: string } | undefined {
  if (uri?.scheme !== schemes.proposed && uri?.scheme !== schemes.current) return undefined;
  const query = new URLSearchParams(uri.query);
  const [chat, card] = [query.get("chat"), query.get("card")];
  return chat === null || card === null ? undefined : { chat, card };
}
// #endregion address

export interface Differences {
  /** Opens the differences of an approval. Resolves with false where there is none to show. */
  show(chat: string, card: string): Promise<boolean>;
  readonly disposables: readonly Disposable[];
}

export function differences({
  chats,
  cards,
  language,
}: SurfaceShown & { readonly language: Language }): Differences {
  /** The sides of a card's files. */
  const sides = new Map<string, Map<string, Sides>>();
  const opened = new Set<string>();
  const changed = new EventEmitter<Uri>();

  const provide = (side: keyof Sides) => ({
    provideTextDocumentContent(uri: Uri): string {
      const named = cardOf(uri);
      return (named && sides.get(keyOf(named.chat, named.card))?.get(uri.path)?.[side]) ?? "";
    },
  });

  async function textOf(file: Uri): Promise<string | undefined> {
    try {
      return (await workspace.openTextDocument(file)).getText();
    } catch {
      return undefined;
    }
  }

  async function show(chat: string, card: string): Promise<boolean> {
    const request = cards.of(chat, card);
    if (request?.kind !== "approval") return false;
    const all = [...changesOf(request.request.display)];
    const changes = all.slice(0, MOST_FILES);
    const key = keyOf(chat, card);
    for (const [index, [path, blocks]] of changes.entries()) {
      const file = fileOf(path);
      const files = sides.get(key) ?? new Map<string, Sides>();
      files.set(file.path, sidesOf(await textOf(file), blocks));
      sides.set(key, files);
      if (cards.of(chat, card) === undefined) break;
      const query = new URLSearchParams({ chat, card }).toString();
      const [current, proposed] = [
        Uri.from({ scheme: schemes.current, path: file.path, query }),
        Uri.from({ scheme: schemes.proposed, path: file.path, query }),
      ];
      changed.fire(proposed);
      const name = visibleLine(workspace.asRelativePath(file));
      const from = isOutside(file)
        ? l10n.t("{0}: outside of the workspace, proposed by the agent", name)
        : l10n.t("{0}: proposed by the agent", name);
      // The editor's title decides about all files of the approval.
      const place = all.length === 1 ? from : l10n.t("{0}, file {1} of {2}", from, index + 1, all.length);
      // An editor shows no ends of lines.
      const ends = blocks.map((block) => lineEndWords[language](block.old_text, block.new_text));
      const title = [place, ...new Set(ends.filter((said) => said !== ""))].join(" · ");
      const how = { preview: false, preserveFocus: true, viewColumn: ViewColumn.Active };
      await commands.executeCommand("vscode.diff", current, proposed, title, how);
    }
    await closeOld();
    return changes.length > 0;
  }

  // #region close
  /** Closes the editors of approvals that are no longer open. */
  async function closeOld(): Promise<void> {
    const old = window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .filter(({ input }) => {
        const named = input instanceof TabInputTextDiff ? cardOf(input.modified) : undefined;
        return named !== undefined && cards.of(named.chat, named.card) === undefined;
      });
    const open = openKeys(cards);
    for (const key of sides.keys()) if (!open.has(key)) sides.delete(key);
    if (old.length > 0) await window.tabGroups.close(old, true);
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
  }

  return {
    show,
    disposables: [
      changed,
      workspace.registerTextDocumentContentProvider(schemes.current, provide("current")),
      workspace.registerTextDocumentContentProvider(schemes.proposed, {
        ...provide("proposed"),
        onDidChange: changed.event,
      }),
      { dispose: chats.onChange(look) },
    ],
  };
}

/** The approval that a command of an editor's title is about: the one of the editor, else the only one that is open. */
export function approvalFor(
  { cards }: SurfaceShown,
  uri: Uri | undefined,
): { chat: string; request: OpenApproval } | undefined {
  const input = window.tabGroups.activeTabGroup.activeTab?.input;
  const named = cardOf(uri) ?? cardOf(input instanceof TabInputTextDiff ? input.modified : undefined);
  if (named === undefined) return undefined;
  const request = cards.of(named.chat, named.card);
  return request?.kind === "approval" ? { chat: named.chat, request } : undefined;
}
