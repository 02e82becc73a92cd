// The page of the view in one webview, in the side bar or in an editor tab: shows the state of the host, takes messages.
import { randomBytes } from "node:crypto";
import { l10n, Uri, type Webview, window } from "vscode";
import { readMessage, toHost } from "../messages.js";
import type { ToView, ViewParts } from "../view-state.js";
import { ToldState } from "./told-state.js";
import { type ViewActs, ViewMessages } from "./view-messages.js";
import type { ViewShown } from "./view-parts.js";
import { viewPolicy } from "./view-policy.js";

/** The time for the webview to say that it is there, in milliseconds. */
const LOAD_MS = 10_000;

/** A place of the editor with a webview in it. */
export interface WebviewPlace {
  readonly webview: Webview;
  readonly visible: boolean;
  readonly onDidDispose: (listener: () => void) => unknown;
}

/** The parts of the host that a page is made of. */
export interface WebviewParts {
  readonly shown: ViewShown;
  readonly acts: ViewActs;
  /** The folder of the extension. */
  readonly extension: Uri;
  readonly partsNow: () => ViewParts;
}

export class ShownPage {
  readonly #parts: WebviewParts;
  readonly #place: WebviewPlace;
  readonly #messages: ViewMessages;
  /** Undefined until the webview says that it is there. */
  #told: ToldState | undefined;
  #waitingLead: string | undefined;
  #slow: ReturnType<typeof setTimeout> | undefined;
  #isGone = false;

  /** @param gone called once the place is closed. */
  constructor(parts: WebviewParts, place: WebviewPlace, gone: () => void) {
    this.#parts = parts;
    this.#place = place;
    this.#messages = new ViewMessages(parts.shown, parts.acts, {
      begin: () => this.#begin(),
      done: (call, end) => this.#post({ type: "done", call, ...end }),
      again: () => this.#again(),
    });
    const { webview } = place;
    const roots = [Uri.joinPath(parts.extension, "dist", "webview")];
    webview.options = { enableScripts: true, localResourceRoots: roots };
    const listening = webview.onDidReceiveMessage((received: unknown) => this.#hear(received));
    place.onDidDispose(() => {
      this.#isGone = true;
      listening.dispose();
      clearTimeout(this.#slow);
      gone();
    });
    this.#load();
  }

  isVisible(): boolean {
    return this.#place.visible;
  }

  /** Leads the person to a card, once the page is there. */
  lead(card: string): void {
    if (this.#told === undefined) this.#waitingLead = card;
    else this.#post({ type: "lead", card });
  }

  /** Sends the parts that are other than those sent last. */
  send(parts = this.#parts.partsNow()): void {
    const entries = this.#parts.shown.chats.current()?.talk.current().entries ?? [];
    const message = this.#told?.next(parts, entries);
    if (message !== undefined) this.#post(message);
  }

  #post(message: ToView): void {
    if (!this.#isGone) void this.#place.webview.postMessage(message);
  }

  #begin(): void {
    this.#told = new ToldState();
    this.send();
    if (this.#waitingLead !== undefined) this.#post({ type: "lead", card: this.#waitingLead });
    this.#waitingLead = undefined;
  }

  #again(): void {
    this.#told?.tellAgain();
    this.send();
  }

  /** Loads the page, and says so where it does not come. */
  #load(): void {
    this.#told = undefined;
    this.#place.webview.html = page(this.#place.webview, this.#parts.extension);
    clearTimeout(this.#slow);
    this.#slow = setTimeout(async () => {
      if (this.#told !== undefined || this.#isGone || !this.#place.visible) return;
      const { log, cards } = this.#parts.shown;
      log.error("the view did not load");
      const [again, picks] = [l10n.t("Load the view again"), l10n.t("Go on by quick pick")];
      const chosen = await window.showErrorMessage(l10n.t("Askwire: the view does not load."), again, picks);
      if (chosen === again && !this.#isGone) this.#load();
      if (chosen === picks)
        this.#parts.acts.run(cards.open().length > 0 ? "askwire.answer" : "askwire.prompt");
    }, LOAD_MS);
  }

  #hear(received: unknown): void {
    const { log } = this.#parts.shown;
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
