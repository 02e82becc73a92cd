import { type FormAction, reduceForm } from "@askwire/client/form";
import { terminalWords } from "@askwire/client/words";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cut, widthOf, withoutTabs, wrapped } from "../../../src/device/fitted-text.js";
import { MeasuredTexts } from "../../../src/device/measured-texts.js";
import { paintFor } from "../../../src/device/paint.js";
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
const words = terminalWords.en.panel;

/** A view that notes each text that it measures, anew at each width. */
function notingView() {
  const measured: string[] = [];
  const noting =
    <Measure, Rest extends unknown[]>(measure: (text: string, ...rest: Rest) => Measure) =>
    (text: string, ...rest: Rest) => {
      measured.push(text);
      return measure(text, ...rest);
    };
  const texts = new MeasuredTexts({
    widthOf: noting(widthOf),
    withoutTabs: noting(withoutTabs),
    cut: noting(cut),
    wrapped: noting(wrapped),
  });
  return { view: panelView({ words, paint, texts }), measured };
}

const eight = question("Where should the service keep its data?", {
  options: [
    ...["One", "Two", "Three", "Four", "Five", "Six", "Seven"].map((label) =>
      option(label, `What ${label} means for the service, in a few more words than fit beside its label`),
    ),
    option("暂时不用", "在数据结构确定之前，全部保存在内存里"),
  ],
});

test.each([
  ["wide", 80, []],
  ["narrow", 40, [eight.options[1]?.description]],
])("an arrow key in a %s panel measures only the two rows that it changes", (_width, columns, cutAnew) => {
  const { view, measured } = notingView();
  const press = (row: number) => {
    measured.length = 0;
    view.draw(content(form([eight], [{ type: "focus", row }])), { columns, rows: 24 });
  };
  press(1);
  expect(measured.length).toBeGreaterThan(40);
  press(1);
  expect(measured).toEqual([]);
  press(2);
  expect(new Set(measured)).toEqual(
    new Set([
      "  2. ",
      "Two",
      ...cutAnew,
      `${paint("cyan", "❯")} ${paint("cyan", "3. ")}`,
      paint("cyan", "Three"),
    ]),
  );
  expect(measured.length).toBeLessThan(12);
});

const forms = fc.constantFrom(
  form([eight]),
  form([strange]),
  form([database, features, open]),
  form([themes, chinese]),
  approval(),
);

const action: fc.Arbitrary<FormAction> = fc.oneof(
  fc.constantFrom<FormAction>(
    { type: "move", by: 1 },
    { type: "move", by: -1 },
    { type: "tab", by: 1, wrap: true },
    { type: "confirm" },
    { type: "read", reading: true },
    { type: "read", reading: false },
  ),
  fc.constantFrom("own text ", "漢字", "e\u0301", "\n").map(typed),
  fc.nat(4).map((row): FormAction => ({ type: "choose", row })),
);

const size = fc.record({ columns: fc.integer({ min: 1, max: 120 }), rows: fc.integer({ min: 1, max: 40 }) });

test("a frame with kept measures is the frame drawn anew, after any keys and at any size", async () => {
  const steps = fc.array(fc.record({ action, resized: fc.option(size, { freq: 3 }), top: fc.nat(9) }), {
    minLength: 1,
    maxLength: 25,
  });
  await fc.assert(
    fc.property(forms, steps, (begun, steps) => {
      const view = panelView({ words, paint });
      let state = begun;
      let shown = { columns: 80, rows: 24 };
      for (const { action, resized, top } of steps) {
        state = reduceForm(state, action);
        shown = resized ?? shown;
        const now = content(state, { top, waiting: 1, subject: state.questions.length === 1 ? diff : [] });
        expect(view.draw(now, shown)).toEqual(panelView({ words, paint }).draw(now, shown));
      }
    }),
    { numRuns: 100 },
  );
});
