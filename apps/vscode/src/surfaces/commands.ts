// The commands of the palette and of menus. Each acts on the shown session.
import { visibleLine } from "@askwire/client/text";
import { commands, type Disposable, env, l10n, type SecretStorage, Uri, window, workspace } from "vscode";
import { providerOf } from "../agent/agent-command.js";
import { TOKEN } from "../agent/dial.js";
import type { Chat } from "../chats/chat.js";
import type { Attachments } from "./attachments.js";
import { approvalFor } from "./diff.js";
import { pick, write } from "./pick.js";
import type { Presses } from "./presses.js";
import { answerByPick, type PickParts, pickWay, whileOpen } from "./quick-answer.js";

export interface CommandParts extends PickParts {
  readonly attachments: Attachments;
  readonly secrets: SecretStorage;
  readonly presses: Presses;
}

/** Shows the view. */
export const showView = () => commands.executeCommand("askwire.view.focus");

/** Lets the person attach files of the workspace. */
export async function attachFiles(attachments: Attachments): Promise<void> {
  const uris = await window.showOpenDialog({
    canSelectMany: true,
    title: l10n.t("Attach files to the prompt"),
  });
  for (const uri of uris ?? []) await attachments.file(uri);
}

/** Says something with all that is attached. Attachments stay where the words did not arrive. */
export async function sayWith(attachments: Attachments, chat: Chat, text: string): Promise<void> {
  const gone = attachments.current();
  await chat.say(
    text,
    gone.map(({ part }) => part),
  );
  attachments.sent(gone);
}

/** Opens the settings, where the extension runs elsewhere on the page of that machine: only there are all of them. */
async function openSettings(): Promise<void> {
  const query = "@ext:askwire.askwire-vscode";
  if (env.remoteName === undefined) await commands.executeCommand("workbench.action.openSettings", query);
  else await commands.executeCommand("workbench.action.openRemoteSettings", { query });
}

export function registerCommands(parts: CommandParts): Disposable[] {
  const { chats, log, attachments, differences, secrets } = parts;
  const never = new AbortController().signal;

  async function decide(allows: boolean, uri: unknown): Promise<void> {
    const found = approvalFor(parts, uri instanceof Uri ? uri : undefined);
    if (found === undefined) throw new Error(l10n.t("this approval is not open any more"));
    if (!parts.presses.counts(found.chat, found.request.id)) {
      const early = l10n.t("Askwire: that press came before you could read this. Press again.");
      return void window.showInformationMessage(early);
    }
    const { signal, end } = whileOpen(parts, found);
    try {
      const once = (way: { allows: boolean; lasts: boolean }) => way.allows === allows && !way.lasts;
      const way = await pickWay(found.request, once, signal);
      if (way !== undefined) parts.cards.answerApproval(found.chat, found.request.id, way.reply);
    } finally {
      end();
    }
  }

  async function switchSession(): Promise<void> {
    const title = l10n.t("Sessions of this window");
    const rows = chats.all.current().map((chat) => ({
      label: visibleLine(chat.title() || l10n.t("New session")).replace(/\$\(/g, "$ ("),
      description: chat.open().length === 0 ? "" : l10n.t("{0} open", chat.open().length),
      value: chat.id,
    }));
    const picked = await pick(rows, { title, placeholder: title, signal: never });
    if (!Array.isArray(picked)) return;
    chats.show(picked[0]);
    await showView();
  }

  // #region secret
  /** Asks for a secret and keeps it in the editor's secret storage. An empty one is forgotten. */
  async function enterSecret(name: string, title: string): Promise<void> {
    const placeholder = l10n.t("It is kept by the editor, outside of the settings. Empty forgets it.");
    const value = await write({ title, placeholder, password: true, signal: never }, (text) => ({
      value: text.trim(),
    }));
    if (typeof value !== "string") return;
    if (value === "") await secrets.delete(name);
    else await secrets.store(name, value);
  }
  // #endregion secret

  async function prompt(): Promise<void> {
    await chats.start();
    const title = l10n.t("Write to the agent");
    const empty = l10n.t("write something, or press Escape");
    const text = await write({ title, placeholder: title, signal: never }, (typed) =>
      typed.trim() === "" ? { problem: empty } : { value: typed },
    );
    if (typeof text !== "string") return;
    const chat = chats.current();
    if (chat !== undefined) await sayWith(attachments, chat, text);
  }

  const all: Record<string, (argument?: unknown) => unknown> = {
    async start() {
      await showView();
      await chats.start();
    },
    async newSession() {
      await chats.begin();
      await showView();
    },
    switchSession,
    async closeSession() {
      const chat = chats.current();
      if (chat === undefined) return;
      const close = l10n.t("Close the session");
      const question = l10n.t("{0} are open in this session. Close it anyway?", chat.open().length);
      const isSure =
        chat.open().length === 0 ||
        (await window.showWarningMessage(question, { modal: true }, close)) === close;
      if (isSure) await chats.forget(chat.id);
    },
    stop: () => chats.current()?.session()?.cancel(),
    restart: () => chats.restart(),
    showLog: () => log.show(),
    openSettings,
    answer: () => answerByPick(parts),
    prompt,
    setKey() {
      const name =
        providerOf(workspace.getConfiguration("askwire").get("model", ""))?.key ?? "OPENAI_API_KEY";
      return enterSecret(name, l10n.t("The key of the model's provider ({0})", name));
    },
    setToken: () => enterSecret(TOKEN, l10n.t("The token of the gateway")),
    async attachFile(uri) {
      if (uri instanceof Uri) await attachments.file(uri);
      else await attachFiles(attachments);
      await showView();
    },
    async attachSelection() {
      const editor = window.activeTextEditor;
      if (editor === undefined) throw new Error(l10n.t("expected a selection in an editor"));
      attachments.selection(editor);
      await showView();
    },
    async showDifference() {
      for (const { chat, request } of parts.cards.open())
        if (request.kind === "approval" && (await differences.show(chat, request.id))) return;
    },
    approve: (uri) => decide(true, uri),
    reject: (uri) => decide(false, uri),
  };

  return Object.entries(all).map(([name, run]) =>
    commands.registerCommand(`askwire.${name}`, async (argument: unknown) => {
      try {
        await run(argument);
      } catch (error) {
        log.error(`${name}: ${error}`);
        void window.showErrorMessage(`Askwire: ${error instanceof Error ? error.message : String(error)}`);
      }
    }),
  );
}
