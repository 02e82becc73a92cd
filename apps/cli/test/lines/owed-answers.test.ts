import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { STATUS_QUERY } from "../../src/device/typed-keys.js";
import { linesOnScreen, notingBorrower } from "../lent-terminal.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A terminal that was asked for its status so often, and what became of the wait for its answers. */
async function asked(times: number) {
  const terminal = linesOnScreen();
  const loan = terminal.lines.lend(notingBorrower().borrower);
  for (let at = 0; at < times; at += 1) loan?.signal(STATUS_QUERY);
  loan?.end();
  const told = { isAnswered: false };
  void terminal.lines.answered().then(() => {
    told.isAnswered = true;
  });
  await turn();
  return { ...terminal, told };
}

test("a terminal that owes its status is waited for until each answer has come, also in pieces and between keys", async () => {
  const { type, told } = await asked(2);
  type("a\u001b[0nb\u001b[");
  await turn();
  expect(told.isAnswered).toBe(false);
  type("0n");
  await turn();
  expect(told.isAnswered).toBe(true);
});

test("a terminal that never answers is waited for a second, and one that was not asked or is gone not at all", async () => {
  const { told } = await asked(1);
  vi.advanceTimersByTime(999);
  await turn();
  expect(told.isAnswered).toBe(false);
  vi.advanceTimersByTime(1);
  await turn();
  await turn();
  expect(told.isAnswered).toBe(true);
  expect((await asked(0)).told.isAnswered).toBe(true);
  const gone = await asked(1);
  gone.input.destroy();
  await turn();
  await turn();
  expect(gone.told.isAnswered).toBe(true);
});
