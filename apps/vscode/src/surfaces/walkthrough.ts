// The last step of the walkthrough is done once a question was answered, in whichever place.
import { commands, type Disposable } from "vscode";
import type { Shown } from "./surface.js";

export function walkthrough({ chats }: Shown): Disposable {
  const end = chats.onChange(() => {
    const isAnswered = chats.all
      .current()
      .flatMap(({ talk }) => talk.current().entries)
      .some((entry) => entry.kind === "asked" && entry.settled?.outcome?.status === "answered");
    if (!isAnswered) return;
    end();
    void commands.executeCommand("setContext", "askwire.hasAnswered", true);
  });
  return { dispose: end };
}
