// The things that the cases inside the extension host are given, and the steps that several of them take.
import { setTimeout as delay } from "node:timers/promises";
import type { Chat } from "../../src/chats/chat.js";
import type { AskwireApi } from "../../src/extension.js";
import type { Person } from "./person.js";

export interface Inside {
  /** The editor's API. An argument, since test files that only list the cases have no editor. */
  readonly code: typeof import("vscode");
  /** The hands and eyes of the person at the window. */
  readonly person: Person;
}

/** A case, which fails by throwing. */
export type Case = (inside: Inside) => Promise<void>;

export const extensionOf = ({ code }: Inside) =>
  code.extensions.getExtension<AskwireApi>("askwire.askwire-vscode");

/** The face of the extension, which is active. */
export function askwireOf(inside: Inside): AskwireApi {
  const extension = extensionOf(inside);
  if (extension?.isActive !== true) throw new Error("expected the extension to be active");
  return extension.exports;
}

/** The address of a file of the folder. */
export function fileOf({ code }: Inside, name: string) {
  const [folder] = code.workspace.workspaceFolders ?? [];
  if (folder === undefined) throw new Error("expected an open folder");
  return code.Uri.joinPath(folder.uri, name);
}

/** The text of a file of the folder; empty for one that is not there. */
export const readFile = async (inside: Inside, name: string): Promise<string> =>
  inside.code.workspace.fs.readFile(fileOf(inside, name)).then(
    (bytes) => new TextDecoder().decode(bytes),
    () => "",
  );

/** Resolves with the first value that is neither undefined nor false. @throws after a minute. */
export async function until<T>(
  expected: string,
  read: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  const last = Date.now() + 60_000;
  for (;;) {
    const found = await read();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > last) throw new Error(`expected ${expected}`);
    await delay(20);
  }
}

/** Begins a session with the agent of the settings. */
export async function begin(inside: Inside): Promise<Chat> {
  await inside.code.commands.executeCommand("askwire.newSession");
  const chat = askwireOf(inside).chats.current();
  if (chat?.line.current().is !== "connected") throw new Error("expected a connected agent");
  return chat;
}

/** The card that a prompt leads to. */
export async function cardAfter(chat: Chat, prompt: string) {
  await chat.say(prompt, []);
  return await until("an open card", () => chat.open()[0]);
}

/** Waits for the agent's last words. */
export const said = (chat: Chat, words: string): Promise<true> =>
  until(`the agent to say ${words}`, () =>
    chat.talk
      .current()
      .entries.some((entry) => entry.kind === "text" && !entry.isOpen && entry.text.includes(words)),
  ) as Promise<true>;
