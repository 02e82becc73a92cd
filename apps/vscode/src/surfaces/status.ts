// The item of the status bar, and the keys by which menus know what is open.
import { commands, type Disposable, l10n, StatusBarAlignment, ThemeColor, window } from "vscode";
import type { SurfaceShown } from "./surface.js";

export function statusItem({ chats, cards }: SurfaceShown): Disposable[] {
  const item = window.createStatusBarItem("askwire.status", StatusBarAlignment.Left);
  item.name = "Askwire";
  item.command = "askwire.view.focus";
  const keys = new Map<string, boolean>();
  const setKey = (key: string, value: boolean) => {
    if (keys.get(key) === value) return;
    keys.set(key, value);
    void commands.executeCommand("setContext", key, value);
  };

  function show(): void {
    const open = cards.open();
    const chat = chats.current();
    const isRunning = chat?.talk.current().isRunning === true;
    const is = chat?.line.current().is ?? "none";
    const icon = open.length > 0 ? "bell-dot" : is === "starting" || isRunning ? "loading~spin" : "comment";
    item.text = open.length > 0 ? `$(${icon}) Askwire: ${open.length}` : `$(${icon}) Askwire`;
    item.tooltip =
      open.length > 0
        ? l10n.t("Askwire: {0} open", open.length)
        : is === "ended"
          ? l10n.t("Askwire: the agent has ended")
          : "Askwire";
    item.backgroundColor = open.length > 0 ? new ThemeColor("statusBarItem.warningBackground") : undefined;
    item.accessibilityInformation = { label: item.tooltip };
    setKey("askwire.running", isRunning);
    setKey(
      "askwire.hasQuestion",
      open.some(({ request }) => request.kind === "question"),
    );
    setKey(
      "askwire.hasApproval",
      open.some(({ request }) => request.kind === "approval"),
    );
  }
  show();
  item.show();
  return [item, { dispose: chats.onChange(show) }];
}
