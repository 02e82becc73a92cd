import { randomBytes } from "node:crypto";
import { type Disposable, l10n, Uri, type Webview, type WebviewView, window } from "vscode";
import { readMessage, toHost } from "../messages.js";
import type { ToView, ViewParts } from "../view-state.js";
import { ToldState } from "./told-state.js";
import { type ViewActs, ViewMessages } from "./view-messages.js";
import { type ViewShown, viewParts } from "./view-parts.js";
import { viewPolicy } from "./view-policy.js";

/** The time for the webview to say that it is there, in milliseconds. */
const LOAD_MS = 10_000;

/** The view: shows the state of the host in a webview, and takes its messages. The webview keeps drafts and nothing else. */
export class SideView {
  readonly #shown: ViewShown;
  readonly #acts: ViewActs;
  readonly #extension: Uri;
  readonly #partsNow: () => ViewParts;
  readonly #messages: ViewMessages;
  #now: WebviewView | undefined;
  /** Undefined until the webview says that it is there. */
  #told: ToldState | undefined;
  #waitingLead: string | undefined;
  #slow: ReturnType<typeof setTimeout> | undefined;
  readonly disposables: readonly Disposable[];

  constructor(shown: ViewShown, acts: ViewActs, extension: Uri) {
    this.#shown = shown;
    this.#acts = acts;
    this.#extension = extension;
    this.#partsNow = viewParts(shown);
    this.#messages = new ViewMessages(shown, acts, {
      begin: () => this.#begin(),
      done: (call, problem) => this.#post({ type: "done", call, ...(problem !== undefined && { problem }) }),
      again: () => this.#again(),
    });
    const send = () => this.#send();
    this.disposables = [
      window.registerWebviewViewProvider("askwire.view", {
        resolveWebviewView: (webviewView) => this.#resolve(webviewView),
      }),
      { dispose: shown.chats.onChange(send) },
      { dispose: shown.attachments.subscribe(send) },
      { dispose: shown.unsaved.subscribe(send) },
    ];
  }

  isVisible(): boolean {
    return this.#now?.visible === true;
  }

  /** Leads the person to a card, once the view is there. */
  lead(card: string): void {
    if (this.#told === undefined) this.#waitingLead = card;
    else this.#post({ type: "lead", card });
  }

  #post(message: ToView): void {
    void this.#now?.webview.postMessage(message);
  }

  /** Sends the parts that are other than those sent last. */
  #send(): void {
    if (this.#now === undefined) return;
    const { cards, chats } = this.#shown;
    const open = cards.open().length;
    this.#now.badge = { value: open, tooltip: open === 0 ? "" : l10n.t("Askwire: {0} open", open) };
    const message = this.#told?.next(this.#partsNow(), chats.current()?.talk.current().entries ?? []);
    if (message !== undefined) this.#post(message);
  }

  #begin(): void {
    this.#told = new ToldState();
    this.#send();
    if (this.#waitingLead !== undefined) this.#post({ type: "lead", card: this.#waitingLead });
    this.#waitingLead = undefined;
  }

  #again(): void {
    this.#told?.tellAgain();
    this.#send();
  }

  /** Loads the page, and says so where it does not come. */
  #load(webviewView: WebviewView): void {
    this.#told = undefined;
    webviewView.webview.html = page(webviewView.webview, this.#extension);
    clearTimeout(this.#slow);
    this.#slow = setTimeout(async () => {
      if (this.#told !== undefined || this.#now !== webviewView || !webviewView.visible) return;
      const { log, cards } = this.#shown;
      log.error("the view did not load");
      const [again, picks] = [l10n.t("Load the view again"), l10n.t("Go on by quick pick")];
      const chosen = await window.showErrorMessage(l10n.t("Askwire: the view does not load."), again, picks);
      if (chosen === again && this.#now === webviewView) this.#load(webviewView);
      if (chosen === picks) this.#acts.run(cards.open().length > 0 ? "askwire.answer" : "askwire.prompt");
    }, LOAD_MS);
  }

  #resolve(webviewView: WebviewView): void {
    this.#now = webviewView;
    const { webview } = webviewView;
    const roots = [Uri.joinPath(this.#extension, "dist", "webview")];
    webview.options = { enableScripts: true, localResourceRoots: roots };
    const listening = webview.onDidReceiveMessage((received: unknown) => this.#hear(received));
    this.#load(webviewView);
    webviewView.onDidDispose(() => {
      listening.dispose();
      if (this.#now !== webviewView) return;
      clearTimeout(this.#slow);
      this.#now = undefined;
      this.#told = undefined;
    });
    this.#send();
  }

  #hear(received: unknown): void {
    const { log } = this.#shown;
    const message = readMessage(toHost, received);
    if (message === undefined) return log.warn("refused a message of the view that has no known shape");
    this.#messages.take(message).catch((error: unknown) => {
      log.error(String(error));
      void window.showErrorMessage(`Askwire: ${error instanceof Error ? error.message : String(error)}`);
    });
  }
}

/** The page of the webview. Scripts and styles come from the extension alone. */
function page(webview: Webview, extension: Uri): string {
  const nonce = randomBytes(16).toString("base64url");
  const file = (name: string) => webview.asWebviewUri(Uri.joinPath(extension, "dist", "webview", name));
  const policy = viewPolicy(webview.cspSource, nonce);
  return `<!DOCTYPE html>
<html>
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <link rel="stylesheet" href="${file("view.css")}">
    <title>Askwire</title>
  </head>
  <body>
    <div id="view"></div>
    <script nonce="${nonce}" src="${file("main.js")}"></script>
  </body>
</html>`;
}
