import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readTypedKeys } from "../../src/device/typed-keys.js";
import { type PromptEditor, promptEditor } from "../../src/prompt/prompt-editor.js";
import { promptView } from "../../src/prompt/prompt-view.js";
import { key } from "../panel/at-panel.js";

const ALT_ENTER = "\u001b\r";
const ctrl = key.ctrl;

/** An editor that reads what is typed, with what was sent and how often a text had no room. */
function typedInto() {
  const told = { sent: [] as string[], full: 0, other: [] as string[] };
  const view = promptView();
  const editor: PromptEditor = promptEditor({
    vertical: view.vertical,
    full() {
      told.full += 1;
    },
  });
  const reader = readTypedKeys((typed) => {
    const meant = editor.key(typed);
    if (meant === "send") told.sent.push(editor.take());
    else if (meant !== undefined) told.other.push(meant);
  });
  return { editor, told, type: (keys: string) => reader.push(Buffer.from(keys)) };
}

/** The draft after these keys, with a | where the caret is. */
function after(...keys: string[]): string {
  const { editor, type } = typedInto();
  for (const part of keys) type(part);
  const { text, caret } = editor.draft;
  return `${text.slice(0, caret)}|${text.slice(caret)}`;
}

describe("line editing at the prompt, as in a shell", () => {
  test.each<[string, string[], string]>([
    ["characters are typed at the caret", ["ac", key.left, "b"], "ab|c"],
    ["an emoji is one character", ["a👩‍💻", key.backspace], "a|"],
    ["Delete and Ctrl-D take the next character", ["abc", ctrl("a"), key.delete, ctrl("d")], "|c"],
    [
      "Ctrl-A and Ctrl-E go to the ends of the line",
      ["one", "\n", "two", ctrl("a"), "x", ctrl("e"), "y"],
      "one\nxtwoy|",
    ],
    ["Home and End too", ["one", "\n", "two", key.home, "x", key.end, "y"], "one\nxtwoy|"],
    ["Ctrl-B and Ctrl-F move by a character", ["ab", ctrl("b"), ctrl("b"), ctrl("f"), "x"], "ax|b"],
    ["Alt-B and Alt-F move by a word", ["one two", "\u001bb", "x", "\u001bf", "y"], "one xtwoy|"],
    ["Ctrl-W and Alt-Backspace take a word", ["one two three", ctrl("w"), "\u001b\u007f"], "one |"],
    ["Alt-D takes the word ahead", ["one two", ctrl("a"), "\u001bd"], "| two"],
    ["Ctrl-U takes the line before the caret", ["one", "\n", "two", key.left, ctrl("u")], "one\n|o"],
    ["Ctrl-U at the beginning of a line joins it with the one before", ["one", "\n", ctrl("u")], "one|"],
    [
      "Ctrl-K takes the rest of the line, then the line feed",
      ["one", "\n", "two", key.up, ctrl("a"), ctrl("k"), ctrl("k")],
      "|two",
    ],
    ["Ctrl-Y brings back what was taken", ["one two", ctrl("w"), ctrl("a"), ctrl("y")], "two|one "],
    ["Ctrl-J and Alt-Enter make a new line", ["a\nb", ALT_ENTER, "c"], "a\nb\nc|"],
    ["a paste of several lines is one draft", [key.paste("a\r\nb\rc\n")], "a\nb\nc\n|"],
    ["a tab is typed", ["a\tb"], "a\tb|"],
    ["keys that mean nothing type nothing", ["a", "\u001b[15~", "\u001b[Z", ctrl("g"), "\u001b[I"], "a|"],
    ["↑ and ↓ move between lines", ["one", "\n", "two", key.up, "x", key.down, "y"], "onex\ntwoy|"],
  ])("line editing at the prompt: %s", (_what, keys, draft) => {
    expect(after(...keys)).toBe(draft);
  });

  test("Ctrl-D ends the input only at an empty prompt", () => {
    const { told, type } = typedInto();
    type(`a${key.left}${ctrl("d")}`);
    expect(told.other).toEqual([]);
    type(ctrl("d"));
    expect(told.other).toEqual(["end_of_input"]);
  });
});

describe("the history of the prompt", () => {
  test("the history of the prompt shows what was sent, the latest first, and then the words begun before", () => {
    const { editor, type } = typedInto();
    type("one\rtwo\rthr");
    const shown = [key.up, key.up, key.up, key.down, key.down, key.down].map((arrow) => {
      type(arrow);
      return editor.draft.text;
    });
    expect(shown).toEqual(["two", "one", "one", "two", "thr", "thr"]);
  });

  test("the history of the prompt loses no begun words when one of its texts is sent", () => {
    const { editor, told, type } = typedInto();
    type(`one\rbegun${key.up}!\r`);
    expect(told.sent).toEqual(["one", "one!"]);
    expect(editor.draft).toEqual({ text: "begun", caret: 5 });
    type(`${key.up}${key.up}`);
    expect(editor.draft.text).toBe("one");
  });

  test("the history of the prompt holds a repeated text once, no blank text, and at most a hundred", () => {
    const { editor, type } = typedInto();
    type("same\rsame\r \rlast\r");
    type(key.up + key.up);
    expect(editor.draft.text).toBe("same");
    type(key.up);
    expect(editor.draft.text).toBe("same");
    type(ctrl("u"));
    for (let number = 0; number < 150; number++) type(`${number}\r`);
    type(key.up.repeat(200));
    expect(editor.draft.text).toBe("50");
  });
});

describe("the typed text", () => {
  const characters = fc.constantFrom(
    ..."ab 数，é… \t",
    "e\u0301",
    "👩‍💻",
    "🇩🇪",
    "\u200b",
    "\u0000".repeat(0),
  );
  const piece = fc.oneof(
    fc.string({ unit: characters, maxLength: 20 }).map((text) => ({ text, typed: text })),
    fc
      .string({ unit: fc.oneof(characters, fc.constant("\n")), maxLength: 20 })
      .map((text) => ({ text, typed: key.paste(text) })),
    fc.constantFrom("\n", ALT_ENTER).map((typed) => ({ text: "\n", typed })),
  );

  test("the typed text is sent, whatever is typed and pasted, and however its bytes are cut", () => {
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 8 }),
        fc.array(fc.nat(9), { minLength: 1 }),
        (pieces, cuts) => {
          const { told, type, editor } = typedInto();
          const bytes = Buffer.from(pieces.map(({ typed }) => typed).join(""));
          const reader = readTypedKeys((typed) => void editor.key(typed));
          for (let at = 0, cut = 0; at < bytes.length; cut++) {
            const size = 1 + (cuts[cut % cuts.length] as number);
            reader.push(bytes.subarray(at, at + size));
            at += size;
          }
          reader.close();
          type("\r");
          expect(told.sent).toEqual([pieces.map(({ text }) => text).join("")]);
        },
      ),
    );
  });

  test("the typed text is sent even where words are typed in the middle and removed", () => {
    const moves = fc.constantFrom(
      key.left,
      key.right,
      key.home,
      key.end,
      key.up,
      key.down,
      "\u001bb",
      "\u001bf",
    );
    fc.assert(
      fc.property(
        fc.string({ unit: characters, maxLength: 30 }),
        fc.array(moves, { maxLength: 10 }),
        (text, keys) => {
          const { told, type } = typedInto();
          type(key.paste(`${text}x`));
          for (const move of keys) type(move);
          // A letter that no mark joins.
          type(`z${key.backspace}${ctrl("a")}\r`);
          expect(told.sent).toEqual([`${text}x`]);
        },
      ),
    );
  });

  test("the typed text is sent to its last character up to 512 Ki of them, and more is reported", () => {
    const { editor, told, type } = typedInto();
    type(key.paste("数".repeat(512 * 1024 - 1)));
    expect(told.full).toBe(0);
    type("ab");
    expect(told.full).toBe(1);
    expect(editor.draft.text.length).toBe(512 * 1024);
    expect(editor.draft.text.endsWith("数a")).toBe(true);
  });
});
