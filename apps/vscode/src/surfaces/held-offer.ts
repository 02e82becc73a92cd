// A message that another window has the session of the folder, with what to do next. The view says the same.
import { viewWords } from "@askwire/client/words";
import { commands, type Disposable, l10n, window } from "vscode";
import { watchHeld } from "./commands.js";
import type { ViewShown } from "./view-parts.js";

export function heldOffer({ chats, language }: ViewShown): Disposable[] {
  let told: object | undefined;

  async function tell({ holder, canWatch }: { holder: string; canWatch: boolean }): Promise<void> {
    const [watch, begin] = [l10n.t("Watch and Answer Here"), l10n.t("New Session")];
    const text = l10n.t("Askwire: another window has the session of this folder (process {0}).", holder);
    const chosen = canWatch
      ? await window.showInformationMessage(text, watch, begin)
      : await window.showInformationMessage(`${text} ${viewWords[language].heldAlone}`, begin, watch);
    // The person may have chosen in the view since.
    if (chats.current() !== undefined) return;
    if (chosen === watch) await watchHeld({ chats });
    if (chosen === begin) await commands.executeCommand("askwire.newSession");
  }

  function look(): void {
    const held = chats.held.current();
    if (held === told) return;
    told = held;
    if (held !== undefined) void tell(held);
  }
  return [{ dispose: chats.onChange(look) }];
}
