// Files that an approval would change and that have unsaved edits in an editor: named beside the card, saved first where
// the person says so, and never written over by accident.
import type { ApprovalView } from "@askwire/client";
import { visibleLine } from "@askwire/client/text";
import { type Disposable, l10n, type NotebookDocument, type TextDocument, type Uri, workspace } from "vscode";
import type { OpenCard } from "../cards/cards.js";
import { filesOf } from "../cards/whole-file.js";
import { fileOf, withoutLinks } from "./open-file.js";
import { quickPick } from "./pick.js";

type EditedDocument = TextDocument | NotebookDocument;

export interface Unsaved {
  /** The files of an approval that have unsaved edits, as the workspace names them. */
  of(approval: ApprovalView): readonly string[];
  /** Saves the files of an approval. @throws for one that the editor does not save. */
  save(approval: ApprovalView): Promise<void>;
  /**
   * Resolves with true for an approval without unsaved edits, or where the person says that it may go: false leaves the
   * card open.
   *
   * @param signal aborted once the card is no longer open.
   */
  mayAllow(card: OpenCard, signal: AbortSignal): Promise<boolean>;
  /** Calls a listener when another file has unsaved edits, or one no longer has any. */
  subscribe(listener: () => void): () => void;
  readonly disposables: readonly Disposable[];
}

export function unsavedEdits(): Unsaved {
  const listeners = new Set<() => void>();
  let known = "";

  const edited = (): EditedDocument[] =>
    [...workspace.textDocuments, ...workspace.notebookDocuments].filter(
      ({ isDirty, isUntitled }) => isDirty && !isUntitled,
    );

  function documentsOf({ display }: ApprovalView): EditedDocument[] {
    const all = edited();
    if (all.length === 0) return [];
    const files = new Set(filesOf(display).map((path) => placeOf(fileOf(path))));
    return all.filter(({ uri }) => files.has(placeOf(uri)));
  }

  function look(): void {
    const now = JSON.stringify(edited().map(({ uri }) => String(uri)));
    if (now === known) return;
    known = now;
    for (const listener of listeners) listener();
  }

  async function saveAll(documents: readonly EditedDocument[]): Promise<void> {
    for (const document of documents)
      if (!(await document.save()))
        throw new Error(l10n.t("{0} was not saved: the approval stays open", nameOf(document)));
  }

  return {
    of: (approval) => documentsOf(approval).map(nameOf),
    save: (approval) => saveAll(documentsOf(approval)),
    async mayAllow({ request }, signal) {
      if (request.kind !== "approval") return true;
      const agreed = new Set<EditedDocument>();
      for (;;) {
        // A file may get edits while the person is asked about another one.
        const documents = documentsOf(request.request).filter((document) => !agreed.has(document));
        if (documents.length === 0) return true;
        const chosen = await askAbout(documents.map(nameOf), signal);
        if (chosen === undefined) return false;
        if (chosen === "save") await saveAll(documents);
        else for (const document of documents) agreed.add(document);
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    disposables: [
      workspace.onDidChangeTextDocument(look),
      workspace.onDidSaveTextDocument(look),
      workspace.onDidCloseTextDocument(look),
      workspace.onDidChangeNotebookDocument(look),
      workspace.onDidSaveNotebookDocument(look),
      workspace.onDidCloseNotebookDocument(look),
    ],
  };
}

/** Asks what an approval is to do with unsaved edits. Undefined where the person leaves it open. */
async function askAbout(
  names: readonly string[],
  signal: AbortSignal,
): Promise<"save" | "anyway" | undefined> {
  const rows = [
    {
      label: l10n.t("Save and Approve"),
      detail: l10n.t("Your edits are saved first. An agent that writes whole files may still replace them."),
      value: "save",
    },
    {
      label: l10n.t("Approve Anyway"),
      detail: l10n.t("Your edits stay unsaved, beside the file that the agent writes."),
      value: "anyway",
    },
  ] as const;
  const title = l10n.t("Unsaved edits: {0}", names.join(", "));
  const placeholder = l10n.t("The approval changes what you have not saved. Escape leaves it open.");
  const picked = await quickPick(rows, { title, placeholder, signal });
  return Array.isArray(picked) ? picked[0] : undefined;
}

const nameOf = ({ uri }: EditedDocument) => visibleLine(workspace.asRelativePath(uri));

/** The place of a file: the same for two addresses, also where a link leads to it. */
const placeOf = ({ scheme, fsPath }: Uri) => `${scheme}:${withoutLinks(fsPath)}`;
