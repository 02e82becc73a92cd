// @ts-check
// An extension of VS Code that embeds an agent: one command prompts it, and its questions are quick picks.
// #region extension
import { connectProcess } from "@askwire/client/stdio";
import { CancellationTokenSource, commands, window, workspace } from "vscode";

/** Puts the questions one after the other. Escape declines; a question that ended elsewhere closes.
 * @param {import("@askwire/client").QuestionView} view @param {import("@askwire/client").RequestContext} context */
async function question({ questions }, { signal }) {
  const ended = new CancellationTokenSource();
  signal.addEventListener("abort", () => ended.cancel());
  const items = [];
  for (const { id, question, options, multi_select } of questions) {
    const look = { title: question, ignoreFocusOut: true, canPickMany: multi_select };
    const picked = await window.showQuickPick([...options], look, ended.token);
    const chosen = picked === undefined ? [] : [picked].flat();
    if (chosen.length === 0) return "declined";
    items.push({ question_id: id, selected: chosen.map((option) => option.id) });
  }
  return { items };
}

async function prompt() {
  const input = await window.showInputBox({ prompt: "What should the agent do?" });
  const folder = workspace.workspaceFolders?.[0]?.uri.fsPath;
  const [command = "", ...args] = workspace.getConfiguration("smallest").get("command", [""]);
  if (input === undefined || folder === undefined) return;
  const session = await connectProcess(command, args, { cwd: folder, handlers: { question } });
  let said = "";
  for await (const { type, payload } of session.prompt(input))
    if (type === "ContentPart" && payload.type === "text") said += payload.text;
  await session.close();
  window.showInformationMessage(said);
}

/** @param {import("vscode").ExtensionContext} context */
export const activate = ({ subscriptions }) =>
  void subscriptions.push(commands.registerCommand("smallest.prompt", prompt));
// #endregion extension
