// Text that a person did not touch stays byte for byte (P-XAO-9): from the text area of a card to the agent, and in the diff
// editor. `LINE_ENDS_FILES` asks for more files.
import type { ApprovalReply } from "@askwire/client";
import { typedText } from "@askwire/client/text";
import type { FileChange } from "@askwire/protocol";
import { openRequests } from "@askwire/react";
import { expect, test } from "vitest";
import { shownText, type Touch, touchedText } from "../../../scripts/touched-texts.js";
import { diffBlocks } from "../../cli/src/tools/diff-blocks.js";
import { cards } from "../src/cards/cards.js";
import { sidesOf } from "../src/cards/whole-file.js";
import type { Chat } from "../src/chats/chat.js";
import { readMessage, toHost } from "../src/messages.js";

const FILES = Number(process.env.LINE_ENDS_FILES ?? 400);
const files = Array.from({ length: FILES }, (_, index) => ({ seed: index + 1, ...touchedText(index + 1) }));

/** The text after changes in the text area of the card, one after the other. */
function changed(text: string, touches: readonly Touch[]): string {
  let now = text;
  for (const { from, to, typed } of touches) {
    const shown = shownText(now);
    now = typedText(now, shown.slice(0, from) + typed + shown.slice(to), from + typed.length);
  }
  return now;
}

test("a text that is changed in the view reaches the agent with everything untouched byte for byte", async () => {
  for (const { seed, text, touches, problemOf } of files) {
    const requests = openRequests();
    const chat = { id: "chat", requests, open: () => requests.current() } as unknown as Chat;
    const context = { signal: new AbortController().signal, issues: [], onDelivery: () => {} };
    const view = { id: "r1", tool_call_id: "c1", display: [], edit: { content: text, max_length: 100_000 } };
    const answer = Promise.resolve(requests.handlers.approval(view as never, context as never));
    const [{ id: name = "" } = {}] = requests.current();
    const reply = { response: "approve", edited: changed(text, touches) };
    const message = readMessage(toHost, { type: "answerApproval", call: 1, chat: "chat", card: "r1", reply });
    if (message?.type !== "answerApproval") throw new Error(`seed ${seed}: the host does not read it`);
    expect(cards(() => [chat]).answerApproval("chat", name, message.reply as ApprovalReply)).toBe(true);
    const { edited } = (await answer) as { edited: string };
    expect(problemOf(edited), `seed ${seed}`).toBeUndefined();
  }
});

/** A file's text as VS Code has it in a document: without its mark, and with one end for all lines. */
function documentOf(file: string): string {
  const text = file.replace(/^\ufeff/, "");
  const ends = text.match(/\r\n|\n|\r/g) ?? [];
  const returns = ends.filter((end) => end !== "\n").length;
  return text.replace(/\r\n|\n|\r/g, returns > ends.length / 2 ? "\r\n" : "\n");
}

test("the diff editor shows a change in the document of any file, with everything untouched byte for byte", () => {
  let inside = 0;
  for (const { seed, text, touches } of files) {
    const now = changed(text, touches);
    const blocks = diffBlocks("a.ts", text, now) as FileChange[];
    // A difference does not say whether the last line of a new text has an end where there was no line, and whether a
    // carriage return at its end had a line feed.
    if (blocks.length === 0 || text === "" || /\r$/.test(text) || /\r$/.test(now)) continue;
    const current = documentOf(text);
    const end = /\r?\n/.exec(current)?.[0] ?? "\n";
    const sides = sidesOf(current, blocks);
    // A document does not say where a carriage return alone was, by which the agent counts no line.
    if (sides.current !== current && /\r(?!\n)/.test(text)) continue;
    const told = `seed ${seed}: ${JSON.stringify({ text, now, blocks })}`;
    expect(sides.current, told).toBe(current);
    expect(sides.proposed, told).toBe(shownText(now.replace(/^\ufeff/, "")).replaceAll("\n", end));
    inside += 1;
  }
  expect(inside).toBeGreaterThan(FILES / 2);
});
