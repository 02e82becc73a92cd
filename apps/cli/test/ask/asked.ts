import { expect } from "vitest";

export const size = { question: "Which sizes?", options: ["S", "M", "L"], multi_select: true };
export const name = { question: "What is it called?" };

/** A file of questions. */
export const asks = (...questions: readonly object[]) => JSON.stringify({ questions });

/** The one line that every run of `askwire ask` prints. */
export function printed(stdout: string) {
  expect(stdout).toMatch(/^\{[^\n]*\}\n$/);
  return JSON.parse(stdout);
}
