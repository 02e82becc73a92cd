import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { widthOf } from "../../src/device/fitted-text.js";
import { caretAt, caretColumn, draftRows, rowOf } from "../../src/prompt/draft-rows.js";
import { promptView } from "../../src/prompt/prompt-view.js";

/** Characters of one and two columns, marks, emoji of several parts, tabs, controls, line feeds. */
const characters = fc.constantFrom(..."ab 数，é…\t\n\u001b\u200b", "e\u0301", "👩‍💻", "🇩🇪", "한", "ｗ");
const drafts = fc.string({ unit: characters, maxLength: 60 });
const clusters = new Intl.Segmenter();

/** All places between two characters. */
const carets = (text: string) => [...Array.from(clusters.segment(text), ({ index }) => index), text.length];

describe("the rows of a draft", () => {
  test("the rows of a draft hold all of it except line feeds, in order, and none is wider than its room", () => {
    fc.assert(
      fc.property(drafts, fc.integer({ min: 6, max: 30 }), (text, columns) => {
        const rows = draftRows()(text, columns);
        let whole = "";
        for (const [index, { from, to, shown }] of rows.entries()) {
          const before = rows[index - 1]?.to ?? 0;
          expect(["", "\n"]).toContain(text.slice(before, from));
          whole += text.slice(before, to);
          expect(widthOf(shown)).toBeLessThanOrEqual(columns);
        }
        expect(whole).toBe(text);
      }),
    );
  });

  test("the rows of a draft give each caret a row and a column, from which it is found again", () => {
    fc.assert(
      fc.property(drafts, fc.integer({ min: 6, max: 30 }), (text, columns) => {
        const rows = draftRows()(text, columns);
        for (const caret of carets(text)) {
          const row = rows[rowOf(rows, caret)];
          if (row === undefined) throw new Error("no row");
          expect(caret).toBeGreaterThanOrEqual(row.from);
          expect(caret).toBeLessThanOrEqual(row.to);
          const column = caretColumn(text, row, caret);
          expect(column).toBeLessThanOrEqual(columns);
          // Characters without a width share a column.
          expect(caretColumn(text, row, caretAt(text, row, column))).toBe(column);
        }
      }),
    );
  });

  test("the rows of a draft are broken at blanks and beside wide characters, and a blank there takes no column", () => {
    const shown = (text: string, columns: number) =>
      draftRows()(text, columns).map((row) => row.shown.trimEnd());
    expect(shown("some words and more", 10)).toEqual(["some words", "and more"]);
    expect(shown("这是一个，很宽的问题", 8)).toEqual(["这是一", "个，很宽", "的问题"]);
    expect(shown("averylongword is", 6)).toEqual(["averyl", "ongwor", "d is"]);
    const text = "some words  and";
    const [first, second] = draftRows()(text, 10);
    if (first === undefined || second === undefined) throw new Error("two rows");
    expect([first.to, second.from]).toEqual([12, 12]);
    expect([10, 11, 12].map((caret) => rowOf([first, second], caret))).toEqual([0, 0, 1]);
    expect(caretColumn(text, first, 11)).toBe(10);
  });

  test("the rows of a draft after an edit equal those of a new draft", () => {
    fc.assert(
      fc.property(fc.array(drafts), fc.integer({ min: 6, max: 30 }), (texts, columns) => {
        const kept = draftRows();
        for (const text of texts) expect(kept(text, columns)).toEqual(draftRows()(text, columns));
      }),
    );
  });
});

describe("a drawn prompt", () => {
  const at = (text: string, caret = text.length) => ({ text, caret });

  test("a drawn prompt is never larger than its room, with the caret in it, on any terminal", () => {
    const sizes = fc.record({
      columns: fc.integer({ min: 1, max: 30 }),
      room: fc.integer({ min: 1, max: 8 }),
    });
    const prompts = fc.constantFrom("> ", "\u001b[2m» \u001b[22m", "a number, or your own words > ");
    fc.assert(
      fc.property(prompts, drafts, fc.nat(), sizes, (prompt, text, place, { columns, room }) => {
        const places = carets(text);
        const { lines, caret } = promptView().draw(prompt, at(text, places[place % places.length]), {
          columns,
          room,
        });
        expect(lines.length).toBeLessThanOrEqual(room);
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns);
        expect(caret.row).toBeLessThan(lines.length);
        expect(caret.column).toBeLessThanOrEqual(columns);
      }),
    );
  });

  test("a drawn prompt wraps below its sign, and a taller one shows the part around the caret", () => {
    const view = promptView();
    const size = { columns: 11, room: 3 };
    expect(view.draw("> ", at("abcdefghijk"), size)).toEqual({
      lines: ["> abcdefgh", "  ijk"],
      caret: { row: 1, column: 5 },
    });
    expect(view.draw("> ", at("1\n2\n3\n4\n5"), size).lines).toEqual(["… 3", "  4", "  5"]);
    expect(view.draw("> ", at("1\n2\n3\n4\n5", 4), size).lines).toEqual(["… 3", "  4", "  5"]);
    expect(view.draw("> ", at("1\n2\n3\n4\n5", 2), size)).toEqual({
      lines: ["… 2", "  3", "… 4"],
      caret: { row: 0, column: 2 },
    });
    expect(view.draw("> ", at("1\n2\n3\n4\n5", 0), size).lines).toEqual(["> 1", "  2", "… 3"]);
    expect(view.draw("> ", at("1"), size).lines).toEqual(["> 1"]);
  });

  test("the caret moves between rows of the prompt, and not beyond the first and the last", () => {
    const view = promptView();
    view.draw("> ", at(""), { columns: 11, room: 5 });
    const text = "abcdefghijk\n数据\nx";
    expect(view.vertical(at(text), 1)).toBeUndefined();
    expect(view.vertical(at(text), -1)).toBe(12);
    expect(view.vertical(at(text, 14), -1)).toBe(11);
    expect(view.vertical(at(text, 11), -1)).toBe(3);
    expect(view.vertical(at(text, 3), -1)).toBeUndefined();
    // The end of a row that goes on is the beginning of the next.
    expect(view.vertical(at("abcdefghijklmnopqrstuvwx"), -1)).toBe(15);
  });
});
