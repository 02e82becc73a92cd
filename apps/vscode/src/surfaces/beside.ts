// A text beside a pick, for the parts of a card that do not fit there. Foreign text stays text and is not rendered.
import { randomUUID } from "node:crypto";
import { visibleText } from "@askwire/client/text";
import { type Disposable, languages, TabInputText, Uri, window, workspace } from "vscode";

export interface Beside {
  /**
   * Shows a text in place of the last one. An empty text only closes that.
   *
   * @param rows the number of rows of the pick, which covers the top of the text.
   */
  show(name: string, text: string, rows?: number): Promise<void>;
  close(): Promise<void>;
  readonly disposables: readonly Disposable[];
}

const scheme = "askwire-text";

/** The blank lines below a pick without rows, those for each row, and the most: a longer pick scrolls. */
const [TOP_LINES, ROW_LINES, MOST_LINES] = [4, 2, 24];

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
    close,
    async show(name, text, rows = 0) {
      await close();
      if (text === "") return;
      const covered = "\n".repeat(Math.min(MOST_LINES, TOP_LINES + ROW_LINES * rows));
      now = { id: randomUUID(), text: covered + visibleText(text) };
      const file = name.replace(/[/\\?#]+/g, " ").trim() || "Askwire";
      const document = await workspace.openTextDocument(
        Uri.from({ scheme, path: `/${file}`, query: now.id }),
      );
      // A separate language has lines that wrap.
      await window.showTextDocument(await languages.setTextDocumentLanguage(document, scheme), {
        preview: true,
        preserveFocus: true,
      });
    },
    disposables: [
      workspace.registerTextDocumentContentProvider(scheme, {
        provideTextDocumentContent: ({ query }) => (query === now?.id ? now.text : ""),
      }),
    ],
  };
}
