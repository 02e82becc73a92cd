// A message that another window has the session of the folder, with what to do next. The view says the same.
import { commands, type Disposable, l10n, window } from "vscode";
import { watchHeld } from "./commands.js";
import type { SurfaceShown } from "./surface.js";

export function heldOffer({ chats }: SurfaceShown): Disposable[] {
  let told: object | undefined;

  async function tell({ holder, canWatch }: { holder: string; canWatch: boolean }): Promise<void> {
    const [watch, begin] = [l10n.t("Watch and Answer Here"), l10n.t("New Session")];
    const text = l10n.t("Askwire: another window has the session of this folder (process {0}).", holder);
    const chosen = await window.showInformationMessage(text, ...(canWatch ? [watch, begin] : [begin]));
    // The person may have chosen in the view since.
    if (chats.held.current()?.holder !== holder) return;
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
