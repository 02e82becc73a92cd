// The files of open approvals as the diff editor reads them: each as it is now, and as it would be.

import { lineEndWords, visibleLine } from "@askwire/client/text";
import type { Language } from "@askwire/client/words";
import type { FileChange } from "@askwire/protocol";
import {
  commands,
  type Disposable,
  EventEmitter,
  l10n,
  type TextDocument,
  type Uri,
  ViewColumn,
  workspace,
} from "vscode";
import { type Cards, keyOf, openKeys } from "../cards/cards.js";
import { changesOf, type Sides, sidesOf } from "../cards/whole-file.js";
import { addressesOf, cardOf, schemes } from "./difference-tabs.js";
import { fileOf, isOutside } from "./open-file.js";

/** A file of an approval that is shown. */
interface ShownFile {
  readonly changes: readonly FileChange[];
  readonly sides: Sides;
  readonly current: Uri;
  readonly proposed: Uri;
}

export class ProposedFiles {
  readonly #cards: Cards;
  readonly #language: Language;
  /** By the keys of cards and the paths of files. */
  readonly #files = new Map<string, Map<string, ShownFile>>();
  readonly #changed = new EventEmitter<Uri>();
  readonly disposables: readonly Disposable[];

  constructor(cards: Cards, language: Language) {
    this.#cards = cards;
    this.#language = language;
    this.disposables = [
      this.#changed,
      workspace.registerTextDocumentContentProvider(schemes.current, this.#provider("current")),
      workspace.registerTextDocumentContentProvider(schemes.proposed, this.#provider("proposed")),
      workspace.onDidSaveTextDocument((document) => this.#saved(document)),
    ];
  }

  #provider(side: keyof Sides) {
    return {
      onDidChange: this.#changed.event,
      provideTextDocumentContent: (uri: Uri): string => {
        const named = cardOf(uri);
        return (named && this.#files.get(keyOf(named.chat, named.card))?.get(uri.path)?.sides[side]) ?? "";
      },
    };
  }

  /** The paths of the files of an approval that the diff editor shows. */
  pathsOf(chat: string, card: string): readonly string[] {
    return [...this.#changesOf(chat, card).keys()];
  }

  #changesOf(chat: string, card: string): ReadonlyMap<string, readonly FileChange[]> {
    const request = this.#cards.of(chat, card);
    return changesOf(request?.kind === "approval" ? request.request.display : []);
  }

  /** Opens the difference of a file of an approval. Does nothing for one that is not open, or has no such file. */
  async open(chat: string, card: string, path: string, hasFocus: boolean): Promise<void> {
    const all = this.#changesOf(chat, card);
    const changes = all.get(path);
    if (changes === undefined) return;
    const file = fileOf(path);
    const sides = sidesOf(await textOf(file), changes);
    if (this.#cards.of(chat, card) === undefined) return;
    const key = keyOf(chat, card);
    const { current, proposed } = addressesOf(file, chat, card);
    const own = this.#files.get(key) ?? new Map<string, ShownFile>();
    this.#files.set(key, own.set(file.path, { changes, sides, current, proposed }));
    this.#changed.fire(current);
    this.#changed.fire(proposed);
    const name = nameOf(file);
    const at = [...all.keys()].indexOf(path) + 1;
    // The editor's title decides about all files of the approval.
    const place = all.size === 1 ? name : l10n.t("{0}, file {1} of {2}", name, at, all.size);
    // An editor shows no ends of lines.
    const ends = changes.map((change) => lineEndWords[this.#language](change.old_text, change.new_text));
    const title = [place, ...new Set(ends.filter((said) => said !== ""))].join(" · ");
    // As texts, also notebooks and pictures: the editors of these cannot read a file that is only proposed.
    const how = { preview: false, preserveFocus: !hasFocus, viewColumn: ViewColumn.Active, override: false };
    await commands.executeCommand("vscode.diff", current, proposed, title, how);
  }

  /** Drops the files of approvals that are no longer open. */
  dropOld(): void {
    const open = openKeys(this.#cards);
    for (const key of this.#files.keys()) if (!open.has(key)) this.#files.delete(key);
  }

  /** Shows the differences of a file anew that was saved while its approval is open. */
  #saved(document: TextDocument): void {
    const { path } = document.uri;
    for (const own of this.#files.values()) {
      const shown = own.get(path);
      if (shown === undefined) continue;
      own.set(path, { ...shown, sides: sidesOf(document.getText(), shown.changes) });
      this.#changed.fire(shown.current);
      this.#changed.fire(shown.proposed);
    }
  }
}

/** The text of a file now. Undefined for one that is not there, or is no text. */
async function textOf(file: Uri): Promise<string | undefined> {
  try {
    return (await workspace.openTextDocument(file)).getText();
  } catch {
    return undefined;
  }
}

function nameOf(file: Uri): string {
  const name = visibleLine(workspace.asRelativePath(file));
  return isOutside(file)
    ? l10n.t("{0}: outside of the workspace, proposed by the agent", name)
    : l10n.t("{0}: proposed by the agent", name);
}
