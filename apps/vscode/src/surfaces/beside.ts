// A text beside a pick, for what a pick has no room for. Foreign text stays text: nothing of it is rendered.
import { randomUUID } from "node:crypto";
import { visibleText } from "@askwire/client/text";
import { type Disposable, TabInputText, Uri, window, workspace } from "vscode";

export interface Beside {
  /** Shows a text in place of the last one. An empty text only closes that. */
  show(name: string, text: string): Promise<void>;
  readonly disposables: readonly Disposable[];
}

const scheme = "askwire-text";

export function beside(): Beside {
  let now: { readonly id: string; readonly text: string } | undefined;

  async function close(): Promise<void> {
    now = undefined;
    const own = window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .filter(({ input }) => input instanceof TabInputText && input.uri.scheme === scheme);
    if (own.length > 0) await window.tabGroups.close(own, true);
  }

  return {
    async show(name, text) {
      await close();
      if (text === "") return;
      now = { id: randomUUID(), text: visibleText(text) };
      const file = name.replace(/[/\\?#]+/g, " ").trim() || "Askwire";
      const document = await workspace.openTextDocument(
        Uri.from({ scheme, path: `/${file}`, query: now.id }),
      );
      await window.showTextDocument(document, { preview: true, preserveFocus: true });
    },
    disposables: [
      workspace.registerTextDocumentContentProvider(scheme, {
        provideTextDocumentContent: ({ query }) => (query === now?.id ? now.text : ""),
      }),
    ],
  };
}
