// The entry of the extension: puts the parts together. The host owns all state; surfaces show it and give answers.
import { defaultLanguage, languages } from "@askwire/client/words";
import { commands, type ExtensionContext, l10n, window, workspace } from "vscode";
import { chosenAgent } from "./agent/chosen-agent.js";
import { dialBeside, dialGateway, type EditorParts } from "./agent/dial.js";
import { listedAgents } from "./agent/listed-agents.js";
import { type Cards, cards } from "./cards/cards.js";
import { Chats } from "./chats/chats.js";
import { chatsFile, keptChats } from "./chats/kept-chats.js";
import { attachments } from "./surfaces/attachments.js";
import { beside } from "./surfaces/beside.js";
import { attachFiles, registerCommands, sayWith, showView } from "./surfaces/commands.js";
import { differences } from "./surfaces/diff.js";
import { failures } from "./surfaces/failures.js";
import { findFiles } from "./surfaces/find-files.js";
import { heldOffer } from "./surfaces/held-offer.js";
import { editorNotices } from "./surfaces/notice.js";
import { openFile } from "./surfaces/open-file.js";
import { presses } from "./surfaces/presses.js";
import { statusItem } from "./surfaces/status.js";
import { unsavedEdits } from "./surfaces/unsaved.js";
import { SideView } from "./surfaces/view.js";
import { walkthrough } from "./surfaces/walkthrough.js";

/** The face of this extension for other extensions and for tests. */
export interface AskwireApi {
  readonly chats: Chats;
  readonly cards: Cards;
}

let open: Chats | undefined;

/** The settings as they are now. */
const settings: EditorParts["settings"] = () => {
  const get = <T>(name: string, otherwise: T) => workspace.getConfiguration("askwire").get(name, otherwise);
  return {
    agent: get("agent", "interview"),
    command: get("command", []),
    protocol: get("protocol", "auto"),
    model: get("model", ""),
    modelBaseUrl: get("modelBaseUrl", ""),
    interview: get("interview", ""),
    asking: get("asking", "unset"),
    inherit: get("inherit", []),
    inbox: get("inbox", false),
    address: get("address", ""),
  };
};

export function activate(context: ExtensionContext): AskwireApi {
  const log = window.createOutputChannel("Askwire", { log: true });
  // The editor has chosen the texts of the host, which name their own language: the view never speaks another.
  const spoken = l10n.t("the tag of this language");
  const language = languages.find((one) => one === spoken) ?? defaultLanguage;
  const { globalStorageUri, extensionPath, extensionUri, secrets } = context;
  const folder = () => workspace.workspaceFolders?.[0]?.uri.fsPath;
  const kept = keptChats(chatsFile(globalStorageUri.fsPath, folder()), (problem) => log.error(problem));

  const listAgents = () => listedAgents(extensionPath, folder(), settings());
  const version = (context.extension.packageJSON as { version: string }).version;
  const told = (line: string) => log.info(line.trimEnd());
  const sessions = new Chats(
    dialGateway({
      settings,
      folder,
      extension: extensionPath,
      ...{ version, kept, l10n },
      secret: (name) => secrets.get(name),
      log: told,
    }),
    kept,
    l10n,
    dialBeside({ version, log: told }, process.env),
  );
  open = sessions;
  const shownFirst = () => {
    const first = sessions.current();
    return first === undefined ? [] : [first, ...sessions.all.current().filter((one) => one !== first)];
  };
  const shown = {
    chats: sessions,
    cards: cards(shownFirst),
    log,
    language,
    attachments: attachments(),
    chosenAgent: () => chosenAgent(settings()),
    unsaved: unsavedEdits(),
  } as const;
  const [diffs, texts, guarded] = [differences(shown), beside(), presses(shown)];
  const panel = new SideView(
    shown,
    {
      async act(message) {
        const chat = sessions.of(message.chat);
        if (chat === undefined) throw new Error(l10n.t("this session is not open any more"));
        if (message.type === "cancel") await chat.session()?.cancel();
        else if (message.type === "planMode") await chat.session()?.setPlanMode(message.enabled);
        else if (message.type === "doNotAsk") await chat.session()?.setDoNotAsk(message.enabled);
        else await sayWith(shown.attachments, chat, message.text);
      },
      run: (command) => void commands.executeCommand(command),
      openFile,
      showDifference: diffs.show,
      findFiles,
      attach: () => attachFiles(shown.attachments),
    },
    extensionUri,
  );
  const lead = async (chat: string, card: string) => {
    sessions.show(chat);
    if (panel.hasTab()) panel.openTab();
    else await showView();
    panel.lead(card);
  };
  context.subscriptions.push(
    log,
    ...statusItem(shown),
    ...panel.disposables,
    ...diffs.disposables,
    ...shown.unsaved.disposables,
    ...failures(shown),
    ...heldOffer(shown),
    walkthrough(shown),
    ...editorNotices(
      shown,
      language,
      () => panel.isVisible(),
      (chat, card) => void lead(chat, card),
    ),
    ...texts.disposables,
    guarded,
    ...registerCommands({
      ...shown,
      differences: diffs,
      beside: texts,
      secrets,
      presses: guarded,
      listAgents,
      openTab: () => panel.openTab(),
    }),
  );
  void sessions.restore();
  return { chats: sessions, cards: shown.cards };
}

// #region deactivate
/** Ends the agents. Their sessions are kept, and the next window resumes them. */
export async function deactivate(): Promise<void> {
  await open?.close();
}
// #endregion deactivate
