// The view: shows the state of the host in a webview, and takes its messages. The webview keeps drafts and nothing else.
import { randomBytes } from "node:crypto";
import type { Entry, OpenRequest } from "@askwire/react/stores";
import { type Disposable, l10n, Uri, type Webview, type WebviewView, window } from "vscode";
import { readMessage, type ToHost, toHost } from "../messages.js";
import { entriesChange, type ToView, type ViewParts } from "../view-state.js";
import { otherParts, type ViewShown, viewParts } from "./view-parts.js";

/** A message of the webview that wants a reply, other than an answer to a card. */
type Acting = Exclude<Extract<ToHost, { call: number }>, { reply: unknown }>;

/** The work that the webview asks for beside answers. */
export interface ViewActs {
  act(message: Acting): Promise<void>;
  run(command: string): void;
  openFile(path: string): Promise<void>;
  showDifference(chat: string, card: string): Promise<boolean>;
  attach(): Promise<void>;
}

export interface View {
  readonly disposables: readonly Disposable[];
  isVisible(): boolean;
  /** Leads the person to a card, once the view is there. */
  lead(card: string): void;
}

/** The time for the webview to say that it is there, in milliseconds. */
const LOAD_MS = 10_000;

export function view(shown: ViewShown, acts: ViewActs, extension: Uri): View {
  const { chats, cards, log, attachments } = shown;
  let now: WebviewView | undefined;
  let sent: { seq: number; parts: Partial<ViewParts>; entries: readonly Entry[] } | undefined;
  let waitingLead: string | undefined;
  let slow: ReturnType<typeof setTimeout> | undefined;
  const partsNow = viewParts(shown);

  const post = (message: ToView) => void now?.webview.postMessage(message);

  /** Sends the parts that are other than those sent last. */
  function send(): void {
    if (now === undefined) return;
    const open = cards.open().length;
    now.badge = { value: open, tooltip: open === 0 ? "" : l10n.t("Askwire: {0} open", open) };
    if (sent === undefined) return;
    const parts = partsNow();
    const entries = chats.current()?.talk.current().entries ?? [];
    const changed = otherParts(sent.parts, parts);
    // A webview that is told of another session begins without entries.
    const change = entriesChange("chat" in changed ? [] : sent.entries, entries);
    if (Object.keys(changed).length === 0 && change === undefined) return;
    post({
      ...{ type: "state", seq: sent.seq, parts: changed },
      ...(change !== undefined && { entries: change }),
    });
    sent = { seq: sent.seq + 1, parts, entries };
  }

  function sendAll(): void {
    sent = { seq: 0, parts: {}, entries: [] };
    send();
    if (waitingLead !== undefined) post({ type: "lead", card: waitingLead });
    waitingLead = undefined;
  }

  const requestOf = (chat: string, card: string): OpenRequest | undefined =>
    chats
      .of(chat)
      ?.requests.current()
      .find(({ id }) => id === card);

  async function take(message: ToHost): Promise<unknown> {
    switch (message.type) {
      case "ready":
        return sendAll();
      case "begin":
        return cards.of(message.chat, message.card)?.onBegin();
      case "dismiss": {
        const request = requestOf(message.chat, message.card);
        return request?.settled === undefined ? refuse(message) : request.onDismiss();
      }
      case "difference":
        return await acts.showDifference(message.chat, message.card);
      case "openFile":
        return await acts.openFile(message.path);
      case "attach":
        return await acts.attach();
      case "detach":
        return attachments.remove(message.attachment);
      case "paste":
        return attachments.picture(message.url);
      case "keepDrafts":
        return chats.keepDrafts(message.chat, message.drafts);
      case "showChat":
        return chats.show(message.chat);
      case "command":
        return acts.run(`askwire.${message.name}`);
      default:
        return await answered(message);
    }
  }

  async function answered(message: Extract<ToHost, { call: number }>): Promise<void> {
    const { call } = message;
    try {
      await act(message);
      post({ type: "done", call });
    } catch (error) {
      post({ type: "done", call, problem: error instanceof Error ? error.message : String(error) });
    }
  }

  async function act(message: Extract<ToHost, { call: number }>): Promise<void> {
    if (!("reply" in message)) return await acts.act(message);
    const { chat, card, reply } = message;
    const isTaken =
      message.type === "answerQuestion"
        ? cards.answerQuestion(chat, card, reply as never)
        : cards.answerApproval(chat, card, reply as never);
    if (isTaken) return;
    refuse(message);
    throw new Error(l10n.t("this is not open any more, or does not take such an answer"));
  }

  /** A message about a card that is not open, or not of that session, changes nothing; the webview is told the state. */
  function refuse(message: ToHost): void {
    log.warn(`refused a message of the view: ${message.type}`);
    if (sent !== undefined) sent = { ...sent, parts: { drafts: "" } };
    send();
  }

  /** Loads the page, and says so where it does not come. */
  function load(webviewView: WebviewView): void {
    sent = undefined;
    webviewView.webview.html = page(webviewView.webview, extension);
    clearTimeout(slow);
    slow = setTimeout(async () => {
      if (sent !== undefined || now !== webviewView || !webviewView.visible) return;
      log.error("the view did not load");
      const [again, picks] = [l10n.t("Load the view again"), l10n.t("Go on by quick pick")];
      const chosen = await window.showErrorMessage(l10n.t("Askwire: the view does not load."), again, picks);
      if (chosen === again && now === webviewView) load(webviewView);
      if (chosen === picks) acts.run(cards.open().length > 0 ? "askwire.answer" : "askwire.prompt");
    }, LOAD_MS);
  }

  function resolve(webviewView: WebviewView): void {
    now = webviewView;
    const { webview } = webviewView;
    const roots = [Uri.joinPath(extension, "dist", "webview")];
    webview.options = { enableScripts: true, localResourceRoots: roots };
    const listening = webview.onDidReceiveMessage((received: unknown) => {
      const message = readMessage(toHost, received);
      if (message === undefined) return log.warn("refused a message of the view that has no known shape");
      take(message).catch((error: unknown) => {
        log.error(String(error));
        void window.showErrorMessage(`Askwire: ${error instanceof Error ? error.message : String(error)}`);
      });
    });
    load(webviewView);
    webviewView.onDidDispose(() => {
      listening.dispose();
      if (now !== webviewView) return;
      clearTimeout(slow);
      now = sent = undefined;
    });
    send();
  }

  return {
    isVisible: () => now?.visible === true,
    lead(card) {
      if (sent === undefined) waitingLead = card;
      else post({ type: "lead", card });
    },
    disposables: [
      window.registerWebviewViewProvider("askwire.view", { resolveWebviewView: resolve }),
      { dispose: chats.onChange(send) },
      { dispose: attachments.subscribe(send) },
    ],
  };
}

/** The page of the webview. Scripts and styles come from the extension alone. */
function page(webview: Webview, extension: Uri): string {
  const nonce = randomBytes(16).toString("base64url");
  const file = (name: string) => webview.asWebviewUri(Uri.joinPath(extension, "dist", "webview", name));
  // #region policy
  const { cspSource } = webview;
  const policy = [
    "default-src 'none'",
    `style-src ${cspSource}`,
    `font-src ${cspSource}`,
    "img-src data: blob:",
    `script-src 'nonce-${nonce}'`,
  ].join("; ");
  // #endregion policy
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
