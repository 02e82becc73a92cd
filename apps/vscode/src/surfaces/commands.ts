// The commands of the palette and of menus. Each acts on the shown session.
import { visibleLine } from "@askwire/client/text";
import type { ApprovalOption } from "@askwire/protocol";
import { cardWords } from "@askwire/react/stores";
import { commands, type Disposable, env, l10n, type SecretStorage, Uri, window, workspace } from "vscode";
import { providerOf } from "../agent/agent-command.js";
import { GATEWAY_TOKEN } from "../agent/dial.js";
import type { CardWay } from "../cards/cards.js";
import type { Chat } from "../chats/chat.js";
import { chooseFile, stepFile } from "./approval-files.js";
import type { PickedAttachments } from "./attachments.js";
import { type ChoiceParts, chooseAgent } from "./choose-agent.js";
import { decideBy } from "./decide.js";
import { approvalFor } from "./difference-tabs.js";
import { quickPick, write } from "./pick.js";
import type { Presses } from "./presses.js";
import { answerByPick, type PickParts, pickWay } from "./quick-answer.js";
import { sessionRows } from "./session-rows.js";
import { whileOpen } from "./while-open.js";

export interface CommandParts extends PickParts {
  readonly attachments: PickedAttachments;
  readonly secrets: SecretStorage;
  readonly presses: Presses;
  listAgents: ChoiceParts["listAgents"];
  /** Shows the view in an editor tab. */
  openTab(): void;
}

/** Shows the view. */
export const showView = () => commands.executeCommand("askwire.view.focus");

/** Lets the person attach files of the workspace. */
export async function attachFiles(attachments: PickedAttachments): Promise<void> {
  const uris = await window.showOpenDialog({
    canSelectMany: true,
    title: l10n.t("Attach files to the prompt"),
  });
  for (const uri of uris ?? []) await attachments.file(uri);
}

/** Says something with all that is attached. Attachments stay where the words did not arrive. */
export async function sayWith(
  attachments: PickedAttachments,
  chat: Pick<Chat, "say">,
  text: string,
): Promise<void> {
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

/** The signal of a pick that nothing but the person ends. */
const never = new AbortController().signal;

async function start({ chats }: CommandParts): Promise<void> {
  await showView();
  await chats.start();
}

/** Watches the session that another window has. */
export async function watchHeld({ chats }: Pick<CommandParts, "chats">): Promise<void> {
  await showView();
  await chats.watch();
}

/** Shows the editor's dialog for folders. */
export const openFolder = () => commands.executeCommand("workbench.action.files.openFolder");

async function newSession({ chats }: CommandParts): Promise<void> {
  await chats.begin();
  await showView();
}

/** Shows a session of the window, or opens one of the folder's history again. */
async function switchSession({ chats }: CommandParts): Promise<void> {
  const title = l10n.t("Sessions of this folder");
  const when = new Intl.DateTimeFormat(env.language, { dateStyle: "medium", timeStyle: "short" });
  const rows = sessionRows(await chats.history(), {
    untitled: l10n.t("New session"),
    open: (count) => l10n.t("{0} open", count),
    time: (at) => when.format(at),
  });
  const placeholder = l10n.t(
    "Type words of the title. The last ones are of conversations that are not open here.",
  );
  const picked = await quickPick(rows, { title, placeholder, signal: never });
  if (!Array.isArray(picked)) return;
  await showView();
  await chats.reopen(picked[0]);
}

async function closeSession({ chats }: CommandParts): Promise<void> {
  const chat = chats.current();
  if (chat === undefined) return;
  const close = l10n.t("Close the session");
  const question = l10n.t("{0} are open in this session. Close it anyway?", chat.open().length);
  const isSure =
    chat.open().length === 0 || (await window.showWarningMessage(question, { modal: true }, close)) === close;
  if (isSure) await chats.end(chat.id);
}

async function prompt({ chats, attachments }: CommandParts): Promise<void> {
  await chats.start();
  // The view offers what to do where another window has the session.
  if (chats.current() === undefined) return void (await showView());
  const title = l10n.t("Write to the agent");
  const empty = l10n.t("write something, or press Escape");
  const text = await write({ title, placeholder: title, signal: never }, (typed) =>
    typed.trim() === "" ? { problem: empty } : { value: typed },
  );
  if (typeof text !== "string") return;
  const chat = chats.current();
  if (chat !== undefined) await sayWith(attachments, chat, text);
}

/**
 * Decides about the approval whose difference the command is on, or the active tab shows.
 *
 * @param ask asks for words that go with the decision. Undefined where the person leaves it open.
 */
async function decide(
  parts: CommandParts,
  decision: ApprovalOption["kind"],
  uri: unknown,
  ask: (asked: { title: string; signal: AbortSignal }) => Promise<string | undefined> = async () => "",
): Promise<void> {
  const found = approvalFor(parts, uri instanceof Uri ? uri : undefined);
  if (found === undefined) throw new Error(l10n.t("this approval is not open any more"));
  if (!parts.presses.counts(found.chat, found.request.id)) {
    const early = l10n.t("Askwire: that press came before you could read this. Press again.");
    return void window.showInformationMessage(early);
  }
  const { signal, end } = whileOpen(parts, found);
  try {
    const { sender, action } = found.request.request;
    const feedback = await ask({ title: visibleLine(`${sender}: ${action}`), signal });
    if (feedback === undefined) return;
    const once = (way: CardWay) => way.kind === decision && !way.lasts;
    const way = await pickWay(found.request, once, cardWords[parts.language], signal);
    const reply = way && (feedback === "" ? way.reply : { ...way.reply, feedback });
    if (reply !== undefined) await decideBy(parts, found.chat, found.request.id, reply);
  } finally {
    end();
  }
}

/** Asks what the agent is to be told of a rejection. */
async function askWhy(asked: { title: string; signal: AbortSignal }): Promise<string | undefined> {
  const placeholder = l10n.t("Tell the agent what to do instead. Escape leaves the approval open.");
  const empty = l10n.t("write something, or press Escape");
  const text = await write({ ...asked, placeholder }, (typed) =>
    typed.trim() === "" ? { problem: empty } : { value: typed.trim() },
  );
  return typeof text === "string" ? text : undefined;
}

/** Saves the files with unsaved edits that the approval whose difference is shown would change. */
async function saveFirst(parts: CommandParts, uri: unknown): Promise<void> {
  const found = approvalFor(parts, uri instanceof Uri ? uri : undefined);
  if (found !== undefined) await parts.unsaved.save(found.request.request);
}

async function showDifference({ cards, differences }: CommandParts): Promise<void> {
  for (const { chat, request } of cards.open())
    if (request.kind === "approval" && (await differences.show(chat, request.id))) return;
}

async function attachFile({ attachments }: CommandParts, uri: unknown): Promise<void> {
  if (uri instanceof Uri) await attachments.file(uri);
  else await attachFiles(attachments);
  await showView();
}

async function attachSelection({ attachments }: CommandParts): Promise<void> {
  const editor = window.activeTextEditor;
  if (editor === undefined) throw new Error(l10n.t("expected a selection in an editor"));
  attachments.selection(editor);
  await showView();
}

// #region secret
/** Asks for a secret and keeps it in the editor's secret storage. An empty one is forgotten. */
async function enterSecret(secrets: SecretStorage, name: string, title: string): Promise<void> {
  const placeholder = l10n.t("It is kept by the editor, outside of the settings. Empty forgets it.");
  const value = await write({ title, placeholder, password: true, signal: never }, (text) => ({
    value: text.trim(),
  }));
  if (typeof value !== "string") return;
  if (value === "") await secrets.delete(name);
  else await secrets.store(name, value);
}
// #endregion secret

/** Asks for the key of the provider that the settings name. */
function enterKey({ secrets }: CommandParts): Promise<void> {
  const name = providerOf(workspace.getConfiguration("askwire").get("model", ""))?.key ?? "OPENAI_API_KEY";
  return enterSecret(secrets, name, l10n.t("The key of the model's provider ({0})", name));
}

/** The commands by their names in package.json. The argument is that of the menu. */
const all: Readonly<Record<string, (parts: CommandParts, argument: unknown) => unknown>> = {
  ...{ start, newSession, switchSession, closeSession, prompt, openSettings },
  ...{ attachFile, attachSelection, showDifference, answer: answerByPick, setKey: enterKey },
  chooseAgent: ({ chats, secrets, listAgents }) =>
    chooseAgent({
      ...{ chats, listAgents },
      hasKey: async (name) => name in process.env || (await secrets.get(name)) !== undefined,
    }),
  stop: ({ chats }) => chats.current()?.session()?.cancel(),
  restart: ({ chats }) => chats.restart(),
  openTab: ({ openTab }) => openTab(),
  showLog: ({ log }) => log.show(),
  setToken: ({ secrets }) => enterSecret(secrets, GATEWAY_TOKEN, l10n.t("The token of the gateway")),
  approve: (parts, uri) => decide(parts, "allow", uri),
  reject: (parts, uri) => decide(parts, "reject", uri),
  rejectWith: (parts, uri) => decide(parts, "reject", uri, askWhy),
  ...{ saveFirst, chooseFile },
  nextFile: (parts, uri) => stepFile(parts, uri, 1),
  previousFile: (parts, uri) => stepFile(parts, uri, -1),
};

export const registerCommands = (parts: CommandParts): Disposable[] =>
  Object.entries(all).map(([name, run]) =>
    commands.registerCommand(`askwire.${name}`, async (argument: unknown) => {
      try {
        await run(parts, argument);
      } catch (error) {
        parts.log.error(`${name}: ${error}`);
        void window.showErrorMessage(`Askwire: ${error instanceof Error ? error.message : String(error)}`);
      }
    }),
  );
