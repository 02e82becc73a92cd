import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { linesOnScreen, notingBorrower } from "../lent-terminal.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

const ESCAPE = "\u001b";
/** The time after which an Escape is one. */
const ALONE_MS = 600;

/** A terminal with what was told of Escapes there. */
function escapes() {
  const terminal = linesOnScreen();
  const told = { count: 0 };
  terminal.lines.onEscape(() => {
    told.count += 1;
  });
  async function type(keys: string, pass = ALONE_MS) {
    terminal.type(keys);
    await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(pass);
  }
  return { ...terminal, type, told };
}

test("Esc at an empty prompt is told, with a reader and without; in words it does nothing", async () => {
  const { lines, type, told } = escapes();
  await type(ESCAPE);
  expect(told.count).toBe(1);
  void lines.next("» ", undefined, { passing: true });
  await type(ESCAPE);
  expect(told.count).toBe(2);
  await type("words");
  await type(ESCAPE);
  await type("\u0003");
  await type("\u001b[A");
  expect(told.count).toBe(2);
});

test("Esc that was pressed for a panel is not told: in the panel, as it goes, and within a second after that", async () => {
  const { lines, type, told } = escapes();
  const { borrower } = notingBorrower();
  const loan = lines.lend(borrower);
  await type(ESCAPE);
  loan?.end();
  await type(ESCAPE);
  vi.advanceTimersByTime(399);
  await type(ESCAPE, 0);
  expect(told.count).toBe(0);
  vi.advanceTimersByTime(1_000);
  expect(told.count).toBe(0);
  await type(ESCAPE);
  expect(told.count).toBe(1);
});

test("Esc at a question in lines, and Esc just before a panel has the terminal, are not told", async () => {
  const { lines, type, told } = escapes();
  void lines.next("answer > ").catch(() => {});
  await type(ESCAPE);
  expect(told.count).toBe(0);
  const other = escapes();
  await other.type(ESCAPE, 100);
  other.lines.lend(notingBorrower().borrower);
  vi.advanceTimersByTime(ALONE_MS);
  expect(other.told.count).toBe(0);
});
