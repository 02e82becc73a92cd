// The last step of the walkthrough is done once a question was answered, in whichever place.
import type { Entry } from "@askwire/react/stores";
import { commands, type Disposable } from "vscode";
import type { SurfaceShown } from "./surface.js";

export function walkthrough({ chats }: SurfaceShown): Disposable {
  const end = chats.onChange(() => {
    const isAnswered = (entry: Entry) =>
      entry.kind === "asked" && entry.settled?.outcome?.status === "answered";
    if (!chats.all.current().some(({ talk }) => talk.current().entries.some(isAnswered))) return;
    end();
    void commands.executeCommand("setContext", "askwire.hasAnswered", true);
  });
  return { dispose: end };
}
