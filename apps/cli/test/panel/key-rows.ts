import { expect, test } from "vitest";
import { type AskedQuestion, askAt, press, report, type Step } from "./at-panel.js";

export const colour = { question: "Which colour?", header: "Colour", options: ["Red", "Green", "Blue"] };
export const sizes = {
  question: "Which sizes?",
  header: "Sizes",
  options: ["S", "M", "L"],
  multi_select: true,
};
export const name = { question: "What name?", header: "Name" };

/** A row of the key table: the keys, and their effect. */
export interface KeyRow {
  readonly does: string;
  /** Default: the questions of the table. */
  readonly asked?: readonly AskedQuestion[];
  readonly pressed: readonly Step[];
  readonly items?: readonly object[];
  readonly exitCode?: number;
}

export const chose = (question: number, ...options: number[]) => ({
  question_id: `q${question}`,
  selected: options.map((option) => `q${question}_o${option}`),
});
export const said = (question: number, own_text: string, ...options: number[]) => ({
  ...chose(question, ...options),
  own_text,
});

export const DECLINED = 3;
export const WITHDRAWN = 130;
export const AGAIN = /again/;

/** A test for each row: what `askwire ask` reports once these keys were pressed. */
export const keys = (asked: readonly AskedQuestion[], rows: readonly KeyRow[]) =>
  // Not by "$does": of that a title has 40 characters, and not the ids at its end.
  test.each(rows.map((row) => [row.does, row] as const))("at a terminal: %s", async (_does, row) => {
    const terminal = await askAt(row.asked ?? asked);
    await press(terminal, row.pressed);
    const { exitCode, items } = await report(terminal);
    expect(exitCode).toBe(row.exitCode ?? 0);
    expect(items).toEqual(row.items ?? []);
  });
