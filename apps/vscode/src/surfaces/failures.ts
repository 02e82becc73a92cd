// A message for an agent that did not start or has ended, with what to do next.
import { visibleLine } from "@askwire/client/text";
import { commands, type Disposable, l10n, window } from "vscode";
import { shortReason } from "../chats/short-reason.js";
import { openFolder } from "./commands.js";
import type { SurfaceShown } from "./surface.js";

export function failures({ chats, log }: SurfaceShown): Disposable[] {
  const told = new Set<object>();

  async function tell(why: string): Promise<void> {
    log.error(why);
    const [restart, show, settings] = [l10n.t("Restart"), l10n.t("Show log"), l10n.t("Open settings")];
    const words = visibleLine(shortReason(why)).replace(/\]\(/g, "] (");
    const text = l10n.t("Askwire: the agent has ended. {0}", words);
    const chosen = await window.showErrorMessage(text, restart, show, settings);
    if (chosen === restart) await commands.executeCommand("askwire.restart");
    if (chosen === show) await commands.executeCommand("askwire.showLog");
    if (chosen === settings) await commands.executeCommand("askwire.openSettings");
  }

  async function tellNoFolder(missing: string | undefined): Promise<void> {
    const open = l10n.t("Open Folder");
    const text =
      missing === undefined
        ? l10n.t("Askwire: open a folder first. The agent works in it.")
        : l10n.t(
            "Askwire: the folder {0} is no longer there. Open it by its new name.",
            visibleLine(missing).replace(/\]\(/g, "] ("),
          );
    if ((await window.showInformationMessage(text, open)) === open) await openFolder();
  }

  function look(): void {
    const ended = chats.all.current().map(({ line }) => line.current());
    for (const line of told) if (!ended.includes(line as (typeof ended)[number])) told.delete(line);
    for (const line of ended) {
      if ((line.is !== "ended" && line.is !== "noFolder") || told.has(line)) continue;
      told.add(line);
      void (line.is === "ended" ? tell(line.why) : tellNoFolder(line.missing));
    }
  }
  return [{ dispose: chats.onChange(look) }];
}
