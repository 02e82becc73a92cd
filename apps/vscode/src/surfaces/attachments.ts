// Files, selections and pictures that go with the next prompt.
import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import { fencedText } from "@askwire/client/text";
import type { ContentPart } from "@askwire/protocol";
import { type Store, store } from "@askwire/react/stores";
import { l10n, type TextEditor, type Uri, workspace } from "vscode";
import type { ShownAttachment } from "../view-state.js";

/** Something attached, as the agent gets it. */
export interface Attachment extends ShownAttachment {
  readonly part: ContentPart;
}

export interface PickedAttachments extends Store<readonly Attachment[]> {
  /** Attaches a file: a picture as one, a text with its path. Rejects for one that is too large, or is neither. */
  file(uri: Uri): Promise<void>;
  selection(editor: TextEditor): void;
  picture(url: string): void;
  remove(id: string): void;
  /** Takes those away that have gone with a prompt. Those attached meanwhile wait for the next one. */
  sent(gone: readonly Attachment[]): void;
}

/** The most attachments of a prompt, and the most bytes of one. */
const MOST = 20;
const MOST_BYTES = 1024 * 1024;

const pictures = new Map([
  [".png", "image/png"],
  [".jpg", "image/jpeg"],
  [".jpeg", "image/jpeg"],
  [".gif", "image/gif"],
  [".webp", "image/webp"],
]);

export function attachments(): PickedAttachments {
  const { set, ...list } = store<readonly Attachment[]>([]);

  function add(name: string, part: ContentPart): void {
    if (list.current().length >= MOST)
      throw new Error(l10n.t("expected at most {0} attachments: remove one", MOST));
    set([...list.current(), { id: randomUUID(), name, part }]);
  }
  const addPicture = (name: string, url: string) =>
    add(name, { type: "image_url", image_url: { url, id: null } });
  const addText = (name: string, text: string) => add(name, { type: "text", text: fencedText(name, text) });

  return {
    ...list,
    async file(uri) {
      const path = workspace.asRelativePath(uri);
      const { size } = await workspace.fs.stat(uri);
      if (size > MOST_BYTES) throw new Error(l10n.t("{0}: expected at most 1 MiB", path));
      const bytes = await workspace.fs.readFile(uri);
      const type = pictures.get(/\.\w+$/.exec(uri.path.toLowerCase())?.[0] ?? "");
      if (type !== undefined)
        return addPicture(basename(uri.path), `data:${type};base64,${Buffer.from(bytes).toString("base64")}`);
      if (bytes.includes(0)) throw new Error(l10n.t("{0}: expected a text or a picture", path));
      addText(path, new TextDecoder().decode(bytes));
    },
    selection({ document, selection }) {
      const path = workspace.asRelativePath(document.uri);
      const [from, to] = [selection.start.line + 1, selection.end.line + 1];
      const name = from === to ? `${path}:${from}` : `${path}:${from}-${to}`;
      addText(name, document.getText(selection).slice(0, MOST_BYTES));
    },
    picture: (url) => addPicture(l10n.t("picture"), url),
    remove: (id) => set(list.current().filter((one) => one.id !== id)),
    sent: (gone) => set(list.current().filter((one) => !gone.includes(one))),
  };
}
