import { type FormState, questionRows } from "@askwire/client/form";
import { terminalWords } from "@askwire/client/words";
import stringWidth from "string-width";
import { expect, test } from "vitest";
import { counted } from "../../../../../scripts/growth.js";
import type { Frame } from "../../../src/device/loan.js";
import { paintFor } from "../../../src/device/paint.js";
import type { PanelContent, PanelSize } from "../../../src/panel/content.js";
import { panelView } from "../../../src/panel/view.js";
import {
  approval,
  chinese,
  content,
  database,
  diff,
  features,
  form,
  open,
  option,
  question,
  strange,
  themes,
  typed,
} from "./forms.js";

const paint = paintFor({ isTTY: true }, {});

const many = question("Which branch?", {
  multi_select: true,
  options: Array.from({ length: 100 }, (_, index) =>
    option(`Branch ${index + 1}`, index % 3 ? "described" : ""),
  ),
});

/** Contents of a screen, each in a state that is hard to fit. */
const contents: readonly PanelContent[] = [
  content(
    form([database], [typed("a long text of one's own, with 漢字 and 👩‍👩‍👧‍👦 in it, and on it goes")]),
    {
      waiting: 3,
      deadline: { seconds: 42, on_expiry: "default" },
    },
  ),
  content(
    form(
      [database, features, open],
      [{ type: "show", tab: 1 }, { type: "focus", row: 5 }, { type: "confirm" }],
    ),
  ),
  content(
    form(
      [database, features, open, themes],
      [
        { type: "choose", row: 0 },
        { type: "show", tab: 4 },
      ],
    ),
  ),
  content(form([themes, chinese], [{ type: "focus", row: 1 }])),
  content(form([strange], [{ type: "focus", row: 2 }])),
  content(
    form(
      [strange, many],
      [
        { type: "show", tab: 1 },
        { type: "focus", row: 57 },
      ],
    ),
  ),
  content(approval([{ type: "focus", row: 3 }, typed("因为旧的方式更好，而且大家都已经习惯了")]), {
    subject: diff.map((line) => (line.startsWith("+") ? paint("green", line) : line)),
  }),
  content(form([strange], [{ type: "read", reading: true }]), { top: 7 }),
  content(
    form([open], [typed("e\u0301".repeat(90)), { type: "edit", edit: { type: "caret", to: "left" } }]),
    {
      ready: false,
    },
  ),
];

const page = (shown: PanelContent, size: PanelSize) =>
  panelView({ words: terminalWords.en.panel, paint }).draw(shown, size);

// biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with one.
const withoutColours = (line: string) => line.replaceAll(/\u001b\[[0-9;]*m/g, "");

/** The line of the current row, by its mark; undefined in the pager. */
const currentRow = ({ reading }: FormState, lines: readonly string[]) =>
  reading ? 0 : lines.findIndex((line) => line.includes("❯"));

function check(
  shown: PanelContent,
  { columns, rows }: PanelSize,
  lines: readonly string[],
  caret: Frame["caret"],
) {
  const where = `${contents.indexOf(shown)} in ${columns}x${rows}`;
  if (lines.length > rows - 1) throw new Error(`${where}: ${lines.length} lines`);
  const wide = lines.find((line) => stringWidth(line) > columns || line.includes("\n"));
  if (wide !== undefined) throw new Error(`${where}: ${stringWidth(wide)} columns: ${wide}`);
  const row = currentRow(shown.form, lines);
  if (rows >= 4 && row === -1) throw new Error(`${where}: no current row`);
  if (caret === undefined) return;
  // Own text may have more rows below its first.
  if (
    caret.row < row ||
    caret.row > row + 10 ||
    caret.row >= lines.length ||
    caret.column < 0 ||
    caret.column >= columns
  )
    throw new Error(`${where}: caret in ${caret.row}, ${caret.column}, the row is ${row}`);
}

test("a frame of any size fits: fewer lines than rows, none too wide, with the current row", () => {
  let drawn = 0;
  const widths = [...Array.from({ length: 40 }, (_, index) => index + 1), 60, 79, 80, 81, 100, 120];
  for (const rows of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 16, 20, 24, 32, 50])
    for (const columns of widths) {
      const shown = contents[drawn % contents.length] as PanelContent;
      const made = page(shown, { columns, rows });
      check(shown, { columns, rows }, made.lines, made.caret);
      drawn += 1;
    }
  expect(drawn).toBe(782);
});

test("every content fits in the sizes in use, and in the smallest", () => {
  const view = panelView({ words: terminalWords.en.panel, paint });
  for (const shown of contents)
    for (const columns of [1, 2, 3, 5, 8, 10, 13, 20, 40, 71, 72, 80, 120])
      for (const rows of [1, 2, 3, 4, 5, 8, 24, 50]) {
        const { lines, caret } = view.draw(shown, { columns, rows });
        check(shown, { columns, rows }, lines, caret);
      }
});

test("colours add nothing but themselves: without them the same is said", () => {
  const plain = (_style: string, text: string) => text;
  for (const shown of contents)
    for (const size of [
      { columns: 80, rows: 24 },
      { columns: 24, rows: 9 },
    ]) {
      const bare = { ...shown, subject: shown.subject.map(withoutColours) };
      const uncoloured = panelView({ words: terminalWords.en.panel, paint: plain }).draw(bare, size);
      expect(page(shown, size).lines.map(withoutColours)).toEqual(uncoloured.lines);
    }
});

test("the row under the cursor is drawn in full where it fits", () => {
  for (const [row] of questionRows(strange).entries()) {
    const state = form([strange], [{ type: "focus", row }]);
    const text = page(content(state), { columns: 60, rows: 40 }).lines.join("\n");
    if (row === 2) expect(text.replaceAll(/[^ab]/g, "")).toContain("a".repeat(200));
    expect(text).toContain("❯");
  }
});

test("drawing after a key takes hardly more work where the texts are longer", async () => {
  const view = panelView({ words: terminalWords.en.panel, paint });
  const size = { columns: 120, rows: 50 };
  const work = async (length: number) => {
    const long = question("Which?", {
      body: "Long 漢字 text, with — words. ".repeat(100 * length),
      options: Array.from({ length: 100 }, (_, index) =>
        option(`Option ${index}`, "what it means ".repeat(80), { preview: "line\n".repeat(100 * length) }),
      ),
    });
    const shown = [20, 60].map((row) => content(form([long, open], [{ type: "focus", row }])));
    const draw = () => {
      for (const each of shown) view.draw(each, size);
    };
    // The first time finds where the lines of each text are.
    draw();
    return counted(draw);
  };
  // Work that goes with the length grows to 16; the text above the options alone is made visible whole each time.
  expect((await work(64)) / (await work(4))).toBeLessThan(8);
});
