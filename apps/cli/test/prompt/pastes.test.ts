import { describe, expect, test } from "vitest";
import { readTypedKeys } from "../../src/device/typed-keys.js";
import { DRAFT_LENGTH } from "../../src/prompt/draft.js";
import { Pastes } from "../../src/prompt/pastes.js";
import { promptEditor } from "../../src/prompt/prompt-editor.js";
import { promptView } from "../../src/prompt/prompt-view.js";
import { key } from "../panel/at-panel.js";

const lines = (count: number, word = "row") =>
  Array.from({ length: count }, (_, index) => `${word} ${index}`).join("\n");

/** An editor that reads what is typed, with what a person sees of it. */
function typedInto() {
  const pastes = new Pastes((count) => `[${count} lines]`);
  const view = promptView((character) => pastes.labelOf(character));
  let full = 0;
  const editor = promptEditor({
    vertical: view.vertical,
    pastes,
    full() {
      full += 1;
    },
  });
  const sent: string[] = [];
  const reader = readTypedKeys((typed) => {
    if (editor.key(typed) === "send") sent.push(editor.take());
  });
  return {
    sent,
    pastes,
    fulls: () => full,
    text: () => editor.text,
    type: (keys: string) => reader.push(Buffer.from(keys)),
    seen: () => view.draw("> ", editor.draft, { columns: 40, room: 20 }),
  };
}

describe("a long paste in a draft", () => {
  test("a paste of more than ten lines is one short text in a draft, and is sent in full", () => {
    const { type, seen, sent } = typedInto();
    const pasted = lines(120);
    type(`look ${key.paste(pasted)} now`);
    expect(seen().lines).toEqual(["> look [120 lines] now"]);
    expect(seen().caret).toEqual({ row: 0, column: 22 });
    type("\r");
    expect(sent).toEqual([`look ${pasted} now`]);
  });

  test("a paste of ten lines stands in a draft unchanged", () => {
    const { type, seen } = typedInto();
    type(key.paste(lines(10)));
    expect(seen().lines).toHaveLength(10);
  });

  test("a long paste is passed by one key, removed by one key, and expanded by Ctrl-T", () => {
    const { type, seen, text } = typedInto();
    type(`a${key.paste(lines(12))}b${key.left}${key.left}`);
    expect(seen().caret).toEqual({ row: 0, column: 3 });
    type(key.ctrl("T"));
    expect(seen().lines).toHaveLength(12);
    expect(text()).toBe(`a${lines(12)}b`);
    type(`\u0003${key.ctrl("U")}${key.paste(lines(30))}`);
    type(key.backspace);
    expect(text()).not.toContain("row 29");
  });

  test("two long pastes are sent in full and in their order, and the first is expanded where the caret is", () => {
    const { type, sent, seen } = typedInto();
    type(`${key.paste(lines(20, "one"))} and ${key.paste(lines(30, "two"))}`);
    expect(seen().lines).toEqual(["> [20 lines] and [30 lines]"]);
    type(`${key.ctrl("A")}${key.ctrl("T")}`);
    expect(seen().lines.at(-1)).toContain("and [30 lines]");
    type("\r");
    expect(sent).toEqual([`${lines(20, "one")} and ${lines(30, "two")}`]);
  });

  test("a long paste that comes back from the history is one short text again", () => {
    const { type, seen, sent } = typedInto();
    type(`look ${key.paste(lines(50))}\r${key.up}`);
    expect(seen().lines).toEqual(["> look [50 lines]"]);
    type("\r");
    expect(sent[1]).toBe(sent[0]);
  });

  test("long pastes count with all their text towards the length of a draft", () => {
    const { type, text, fulls } = typedInto();
    type(key.paste(`${"x\n".repeat(DRAFT_LENGTH / 2 - 50)}`));
    type(key.paste(lines(120)));
    expect(text()).toHaveLength(DRAFT_LENGTH);
    expect(fulls()).toBe(1);
  });

  test("a character by which a paste is meant inside never stands for it when it comes from outside", () => {
    const { type, text } = typedInto();
    type(key.paste(lines(11)));
    type(key.paste("\ufdd0\ufdd1"));
    expect(text()).toBe(`${lines(11)}\ufffd\ufffd`);
  });

  test("the oldest pastes without a draft are forgotten, and a draft with very many takes a further one unchanged", () => {
    const pastes = new Pastes();
    let draft = "";
    for (let at = 0; at < 40; at += 1) draft += pastes.fold(lines(11, `p${at}`), draft);
    expect(pastes.whole(draft)).toBe(Array.from({ length: 40 }, (_, at) => lines(11, `p${at}`)).join(""));
    for (let at = 0; at < 40; at += 1) pastes.fold(lines(11, `q${at}`), "");
    expect(pastes.shown(lines(11, "q0"))).toBe(lines(11, "q0"));
  });
});
