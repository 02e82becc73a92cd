import {
  type Disposable,
  l10n,
  Uri,
  ViewColumn,
  type WebviewPanel,
  type WebviewView,
  window,
  workspace,
} from "vscode";
import { ShownPage, type WebviewParts } from "./shown-page.js";
import type { ViewActs } from "./view-messages.js";
import { type ViewShown, viewParts } from "./view-parts.js";

/** The kind of the editor tab, by which the editor brings it back after a reload. */
const TAB = "askwire.tab";

/** The view in the side bar, and in an editor tab where the person opens one. Both show the same, and take answers. */
export class SideView {
  readonly #parts: WebviewParts;
  #side: { readonly view: WebviewView; readonly page: ShownPage } | undefined;
  #tab: { readonly panel: WebviewPanel; readonly page: ShownPage } | undefined;
  /** The card to which the person is led once there is a view. */
  #waitingLead: string | undefined;
  readonly disposables: readonly Disposable[];

  constructor(shown: ViewShown, acts: ViewActs, extension: Uri) {
    this.#parts = { shown, acts, extension, partsNow: viewParts(shown) };
    const send = () => this.#send();
    this.disposables = [
      window.registerWebviewViewProvider("askwire.view", {
        resolveWebviewView: (view) => this.#resolve(view),
      }),
      window.registerWebviewPanelSerializer(TAB, {
        deserializeWebviewPanel: async (panel: WebviewPanel) => this.#adopt(panel),
      }),
      { dispose: shown.chats.onChange(send) },
      { dispose: shown.attachments.subscribe(send) },
      workspace.onDidChangeConfiguration(send),
      { dispose: shown.unsaved.subscribe(send) },
    ];
  }

  isVisible(): boolean {
    return this.#side?.page.isVisible() === true || this.#tab?.page.isVisible() === true;
  }

  /** True where an editor tab is in sight, which is then the place to lead the person to. */
  hasTab(): boolean {
    return this.#tab?.page.isVisible() === true;
  }

  /** Leads the person to a card, once the view is there. */
  lead(card: string): void {
    const page = this.hasTab() ? this.#tab?.page : this.#side?.page;
    if (page === undefined) this.#waitingLead = card;
    else page.lead(card);
  }

  /** Shows the view in an editor tab: the one that is there, or a new one beside the editor. */
  openTab(): void {
    if (this.#tab !== undefined) return this.#tab.panel.reveal();
    this.#adopt(window.createWebviewPanel(TAB, "Askwire", ViewColumn.Beside));
  }

  #adopt(panel: WebviewPanel): void {
    // The editor brings one back after a reload; another would show the same.
    this.#tab?.panel.dispose();
    panel.iconPath = Uri.joinPath(this.#parts.extension, "media", "askwire.svg");
    const page = new ShownPage(this.#parts, panel, () => {
      if (this.#tab?.panel === panel) this.#tab = undefined;
    });
    this.#tab = { panel, page };
  }

  #resolve(view: WebviewView): void {
    const page = new ShownPage(this.#parts, view, () => {
      if (this.#side?.view === view) this.#side = undefined;
    });
    this.#side = { view, page };
    if (this.#waitingLead !== undefined) page.lead(this.#waitingLead);
    this.#waitingLead = undefined;
    this.#send();
  }

  /** Sends the parts that are other than those sent last. */
  #send(): void {
    const open = this.#parts.shown.cards.open().length;
    if (this.#side !== undefined)
      this.#side.view.badge = { value: open, tooltip: open === 0 ? "" : l10n.t("Askwire: {0} open", open) };
    const pages = [this.#side?.page, this.#tab?.page].filter((page) => page !== undefined);
    if (pages.length === 0) return;
    const parts = this.#parts.partsNow();
    for (const page of pages) page.send(parts);
  }
}
