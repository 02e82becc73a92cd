import type { OpenRequest } from "@askwire/react/stores";
import { env, l10n } from "vscode";
import type { ToHost } from "../messages.js";
import { openFolder, watchHeld } from "./commands.js";
import { decideBy } from "./decide.js";
import type { ViewShown } from "./view-parts.js";

/** A message of the webview that wants a reply. */
type Called = Extract<ToHost, { call: number }>;

/** A message that wants a reply, other than an answer to a card. */
type Acting = Exclude<Called, { reply: unknown } | { begun: string }>;

/** The work that the webview asks for in addition to answers. */
export interface ViewActs {
  act(message: Acting): Promise<void>;
  run(command: string): void;
  openFile(path: string): Promise<void>;
  showDifference(chat: string, card: string): Promise<boolean>;
  attach(): Promise<void>;
  /** Finds the files of the workspace that a part of a path may mean, the best first. */
  findFiles(begun: string): Promise<readonly string[]>;
}

/** The words of the host to the webview. */
export interface ViewReplies {
  /** Sends the whole state to a webview that is there. */
  begin(): void;
  done(call: number, end: { readonly problem?: string; readonly files?: readonly string[] }): void;
  /** Sends the state again, of which the webview had another. */
  again(): void;
}

/** Takes the messages of the webview. */
export class ViewMessages {
  readonly #shown: ViewShown;
  readonly #acts: ViewActs;
  readonly #replies: ViewReplies;

  constructor(shown: ViewShown, acts: ViewActs, replies: ViewReplies) {
    this.#shown = shown;
    this.#acts = acts;
    this.#replies = replies;
  }

  async take(message: ToHost): Promise<unknown> {
    const { chats, cards, attachments } = this.#shown;
    switch (message.type) {
      case "ready":
        return this.#replies.begin();
      case "begin":
        return cards.of(message.chat, message.card)?.onBegin();
      case "dismiss": {
        const request = this.#requestOf(message.chat, message.card);
        return request?.settled === undefined ? this.#refuse(message) : request.onDismiss();
      }
      case "difference":
        return await this.#acts.showDifference(message.chat, message.card);
      case "saveFirst": {
        const request = cards.of(message.chat, message.card);
        return request?.kind === "approval" ? await this.#shown.unsaved.save(request.request) : undefined;
      }
      case "openFile":
        return await this.#acts.openFile(message.path);
      case "attach":
        return await this.#acts.attach();
      case "detach":
        return attachments.remove(message.attachment);
      case "paste":
        return attachments.picture(message.url);
      case "keepDrafts":
        return chats.keepDrafts(message.chat, message.drafts);
      case "copy":
        return await env.clipboard.writeText(message.text);
      case "showChat":
        return chats.show(message.chat);
      case "putAway":
        return chats.putAway();
      case "command":
        if (message.name === "openFolder") return void (await openFolder());
        if (message.name === "watch") return await watchHeld(this.#shown);
        return this.#acts.run(`askwire.${message.name}`);
      default:
        return await this.#answer(message);
    }
  }

  /** Does what a message asks for, and tells the webview of the end. */
  async #answer(message: Called): Promise<void> {
    try {
      const files = await this.#act(message);
      this.#replies.done(message.call, files === undefined ? {} : { files });
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      this.#replies.done(message.call, { problem });
    }
  }

  /** Resolves with the files that were asked for, if any were. */
  async #act(message: Called): Promise<readonly string[] | undefined> {
    if (message.type === "findFiles") return await this.#acts.findFiles(message.begun);
    if (!("reply" in message)) return void (await this.#acts.act(message));
    const { cards } = this.#shown;
    const { chat, card, reply } = message;
    if (message.type === "answerApproval") {
      const end = await decideBy(this.#shown, chat, card, reply as never);
      if (end === "left") throw new Error(l10n.t("this stays open: it changes a file with unsaved edits"));
      if (end === "sent") return undefined;
    } else if (cards.answerQuestion(chat, card, reply as never)) return undefined;
    this.#refuse(message);
    throw new Error(l10n.t("this is not open any more, or does not take such an answer"));
  }

  /** A message about a card that is not open, or not of that session, changes nothing; the webview is told the state. */
  #refuse(message: ToHost): void {
    this.#shown.log.warn(`refused a message of the view: ${message.type}`);
    this.#replies.again();
  }

  #requestOf(chat: string, card: string): OpenRequest | undefined {
    const requests = this.#shown.chats.of(chat)?.requests.current();
    return requests?.find(({ id }) => id === card);
  }
}
