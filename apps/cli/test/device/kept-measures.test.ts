import { expect, test } from "vitest";
import { cut, widthOf, withoutTabs, wrapped } from "../../src/device/fitted-text.js";
import { KeptMeasures } from "../../src/device/kept-measures.js";
import { MeasuredTexts } from "../../src/device/measured-texts.js";

/** Lengths, with the texts that were measured. */
function lengths() {
  const measured: string[] = [];
  const kept = new KeptMeasures((text, columns) => {
    measured.push(`${text} in ${columns}`);
    return text.length;
  });
  return { kept, measured };
}

test("a text is measured once at each width while frame after frame shows it", () => {
  const { kept, measured } = lengths();
  for (let frame = 0; frame < 5; frame += 1) {
    kept.next();
    for (const columns of [10, 20, 10]) expect(kept.of("text", columns)).toBe(4);
  }
  expect(measured).toEqual(["text in 10", "text in 20"]);
});

test("a text that a frame does not show is forgotten", () => {
  const { kept, measured } = lengths();
  for (const text of ["one", "two", "one"]) {
    kept.next();
    kept.of(text, 10);
  }
  expect(measured).toEqual(["one in 10", "two in 10", "one in 10"]);
});

test.each([
  ["many texts", Array.from({ length: 10_000 }, (_, index) => `text ${index}`)],
  ["long texts", Array.from({ length: 100 }, (_, index) => `${index} `.repeat(5_000))],
  ["one enormous text", ["x".repeat(1_000_000)]],
])("a frame of %s is kept up to a bound, and every measure is right", (_what, texts) => {
  const { kept, measured } = lengths();
  for (let frame = 0; frame < 2; frame += 1) {
    kept.next();
    expect(texts.map((text) => kept.of(text, 10))).toEqual(texts.map(({ length }) => length));
  }
  const again = measured.slice(texts.length);
  const keptTexts = texts.slice(0, texts.length - again.length);
  expect(keptTexts.length).toBeLessThanOrEqual(4_096);
  expect(keptTexts.join("").length).toBeLessThanOrEqual(262_144);
  expect(again.length).toBeGreaterThan(0);
});

test("a line of a long text is wrapped when it is first taken, and once", () => {
  let made = 0;
  const texts = new MeasuredTexts({
    widthOf,
    withoutTabs,
    cut,
    *wrapped(text: string, columns: number) {
      for (const line of wrapped(text, columns)) {
        made += 1;
        yield line;
      }
    },
  });
  const text = "漢字 and words ".repeat(2_000);
  const taken = (count: number) => {
    const lines: string[] = [];
    for (const line of texts.wrapped(text, 80)) if (lines.push(line) === count) break;
    return lines;
  };
  const first = taken(10);
  expect(made).toBe(10);
  texts.next();
  expect(taken(5)).toEqual(first.slice(0, 5));
  expect(made).toBe(10);
  expect(taken(12).slice(0, 10)).toEqual(first);
  expect(made).toBe(12);
  expect([...texts.wrapped(text, 80)]).toEqual([...wrapped(text, 80)]);
});
