import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { openLines } from "../../src/lines/lines.js";
import { linesOnScreen, modesLeftOn, notingBorrower } from "../lent-terminal.js";

function lent(...size: Parameters<typeof linesOnScreen>) {
  const terminal = linesOnScreen(...size);
  const { told, borrower } = notingBorrower();
  const lend = () => {
    const loan = terminal.lines.lend(borrower);
    if (loan === undefined) throw new Error("the terminal is not lent");
    return loan;
  };
  return { ...terminal, terminal, told, borrower, lend };
}

describe("a lent terminal", () => {
  test("keys go to the borrower of a terminal, and the loan shows nothing but its frame", async () => {
    const { lines, lend, told, type, sees } = lent();
    lines.write("said\n");
    const line = lines.next("> ");
    const loan = lend();
    loan.show({ lines: ["a question", "❯ 1. Yes"] });
    await sees("said\na question\n❯ 1. Yes");
    type("x\u0003\u001b[A");
    await expect.poll(() => told.typed).toBe("x\u0003\u001b[A");
    loan.end();
    await sees("said\n>");
    type("hello\r");
    expect(await line).toBe("hello");
    expect(told.typed).toBe("x\u0003\u001b[A");
  });

  test("half-typed text waits during a loan, and is back at the prompt afterwards", async () => {
    const { lines, lend, type, sees } = lent();
    const line = lines.next("> ");
    type("half");
    await sees("> half");
    const loan = lend();
    loan.show({ lines: ["a question"] });
    await sees("a question");
    loan.end();
    await sees("> half");
    type(" a word\r");
    expect(await line).toBe("half a word");
  });

  test("a prompt that comes during a loan waits, and so does a line typed before", async () => {
    const { lines, lend, type, sees, told } = lent();
    type("early\r");
    await sees("> early\n>");
    const loan = lend();
    loan.show({ lines: ["a question"] });
    const first = lines.next("first> ");
    const second = lines.next("second> ", undefined, { below: true });
    type("y");
    await expect.poll(() => told.typed).toBe("y");
    await sees("a question");
    loan.end();
    expect(await first).toBe("early");
    type("late\r");
    expect(await second).toBe("late");
    await sees("first> early\nsecond> late");
  });

  test("a prompt that is given up during a loan does not appear", async () => {
    const { lines, lend, sees } = lent();
    const stop = new AbortController();
    const line = lines.next("> ", stop.signal);
    const loan = lend();
    loan.show({ lines: ["a question"] });
    stop.abort(new Error("no longer"));
    await expect(line).rejects.toThrow("no longer");
    await sees("a question");
    loan.end();
    await sees("");
  });

  test("output of others is written above the borrower's frame in whole lines, and half a line waits for its end", async () => {
    const { terminal, lines, lend, sees } = lent();
    expect(lines.asking).toBe(false);
    const loan = lend();
    expect(lines.asking).toBe(true);
    loan.show({ lines: ["a question"] });
    lines.write("one\ntw");
    await sees("one\na question");
    lines.write("o\n");
    await sees("one\ntwo\na question");
    expect(terminal.sent).not.toContain("tw\n");
    loan.end();
    await sees("one\ntwo");
  });

  test("half a line ends at a pause during a loan, and the line feed that comes later is dropped", async () => {
    const { terminal, lines, lend, sees } = lent();
    const loan = lend();
    loan.show({ lines: ["a question"] });
    lines.write("half");
    expect(terminal.sent).not.toContain("half");
    await sees("half\na question");
    lines.write("\nmore\n");
    await sees("half\nmore\na question");
    loan.end();
  });

  test("half a line before a loan ends above the frame when its end comes, and continues after the loan otherwise", async () => {
    const { lines, lend, sees } = lent();
    lines.write("half");
    const loan = lend();
    loan.show({ lines: ["a question"] });
    await sees("half\na question");
    lines.write("\nmore");
    loan.end();
    await sees("half\nmore");
    lines.write(" of it\n");
    await sees("half\nmore of it");
  });

  test("a lent terminal is lent to nobody else, and a pipe is never lent", async () => {
    const { lines, lend, borrower } = lent();
    const loan = lend();
    expect(lines.lend(borrower)).toBeUndefined();
    loan.end();
    lend().end();
    lines.close();
    expect(lines.lend(borrower)).toBeUndefined();
    const pipe = openLines(
      new PassThrough() as unknown as NodeJS.ReadStream,
      new PassThrough() as unknown as NodeJS.WriteStream,
    );
    expect(pipe.lend(borrower)).toBeUndefined();
    expect(pipe.typing).toBe(false);
    pipe.close();
  });

  test("a new size of the terminal is reported during a loan, and redraws the frame but no prompt", async () => {
    const { lines, lend, told, resize, sees } = lent();
    void lines.next("> ");
    const loan = lend();
    loan.show({ lines: ["─".repeat(40)] });
    resize(30, 8);
    await expect.poll(() => told.redrawn).toBe(1);
    expect([loan.columns, loan.rows]).toEqual([30, 8]);
    loan.show({ lines: ["─".repeat(30)] });
    await sees("─".repeat(30));
    loan.end();
  });

  test("a terminal size of zero counts as 80 by 24", () => {
    const loan = lent({ columns: 0, rows: 0 }).lend();
    expect([loan.columns, loan.rows]).toEqual([80, 24]);
    loan.end();
  });

  test("a bell and a notification leave the borrower's frame in place, and the title is restored after the loan", async () => {
    const { terminal, lend, sees } = lent();
    const loan = lend();
    loan.show({ lines: ["a question"] });
    loan.signal("\u0007");
    loan.signal("\u001b]0;? a question\u0007");
    loan.show({ lines: ["another"] });
    await sees("another");
    expect(terminal.sent).toContain("\u001b[22;0t\u001b]0;? a question\u0007");
    loan.end();
    expect(terminal.sent).toContain("\u001b[23;0t");
    loan.signal("\u0007");
    loan.show({ lines: ["late"] });
    await sees("");
  });
});

describe("the end of a loan", () => {
  test.each([
    ["the borrower gives it back", 0, ({ loan }: Ended) => loan.end()],
    ["the lines are closed", 1, ({ lines }: Ended) => lines.close()],
    ["the input ends", 1, ({ input }: Ended) => void input.end()],
    ["the input fails", 1, ({ input }: Ended) => void input.destroy(new Error("read EIO"))],
  ])("a loan that ends because %s leaves no frame, no mode and no raw keys", async (_how, gone, end) => {
    const { terminal, lines, input, lend, told, sees } = lent();
    lines.write("said\n");
    const loan = lend();
    loan.show({ lines: ["a question", "❯"], caret: { row: 1, column: 1 } });
    loan.show({ lines: ["a question"] });
    expect(modesLeftOn(terminal.sent).sort()).toEqual(["2004", "25", "7"]);
    end({ lines, input, loan });
    await expect.poll(() => told.gone).toBe(gone);
    await sees("said");
    lines.close();
    expect(modesLeftOn(terminal.sent)).toEqual([]);
    expect(process.listeners("exit").filter(({ name }) => name === "leave")).toEqual([]);
    // Of an input that has failed nothing can be set.
    expect(terminal.raw).toBe(input.errored !== null);
  });

  test("whoever waits for a line learns that none will come when the terminal is gone", async () => {
    const { lines, input, lend, told } = lent();
    const line = lines.next("> ");
    lend();
    input.end();
    expect(await line).toBeUndefined();
    expect(told.gone).toBe(1);
  });
});

type Ended = Pick<ReturnType<typeof lent>, "lines" | "input"> & {
  loan: ReturnType<ReturnType<typeof lent>["lend"]>;
};

describe("words at a prompt", () => {
  test.each([
    ["sent", "\r"],
    ["wiped", "\u0015"],
  ])("words at a prompt count as typed until they are %s", async (_how, key) => {
    const { terminal, lines, type } = lent();
    expect(lines.typing).toBe(false);
    expect(lines.lastKeyAt).toBe(Number.NEGATIVE_INFINITY);
    const before = performance.now();
    void lines.next("> ", undefined, { passing: true });
    type("half");
    await terminal.sees("> half");
    expect(lines.typing).toBe(true);
    expect(lines.lastKeyAt).toBeGreaterThanOrEqual(before);
    let sent = false;
    const waits = lines.untilSent(new AbortController().signal).then(() => {
      sent = true;
    });
    type("!");
    await terminal.sees("> half!");
    expect(sent).toBe(false);
    type(key);
    await waits;
    expect(lines.typing).toBe(false);
    await lines.untilSent(new AbortController().signal);
  });

  test("blanks at a prompt do not count as words", async () => {
    const { lines, type } = lent();
    void lines.next("> ", undefined, { below: true });
    type("  ");
    await expect.poll(() => lines.lastKeyAt).toBeGreaterThan(0);
    expect(lines.typing).toBe(false);
  });

  test("words at a prompt stay when nobody waits for them any longer, and hold a panel back until they are sent or wiped", async () => {
    const { lines, terminal, type } = lent();
    const stop = new AbortController();
    const asked = lines.next("» ", stop.signal, { passing: true });
    type("half");
    await terminal.sees("» half");
    stop.abort(new Error("no longer"));
    await expect(asked).rejects.toThrow("no longer");
    await terminal.sees("> half");
    expect(lines.typing).toBe(true);
    const waits = lines.untilSent(new AbortController().signal);
    const next = lines.next("> ", undefined, { below: true });
    type(" a word\r");
    expect(await next).toBe("half a word");
    await waits;
  });

  test("waiting for words to leave the prompt ends when the wait is given up or the terminal is gone", async () => {
    const { terminal, lines, type, input } = lent();
    type("half");
    await terminal.sees("> half");
    const stop = new AbortController();
    const waits = lines.untilSent(stop.signal);
    stop.abort(new Error("no longer"));
    await expect(waits).rejects.toThrow("no longer");
    await expect(lines.untilSent(stop.signal)).rejects.toThrow("no longer");
    const gone = lines.untilSent(new AbortController().signal);
    input.end();
    await gone;
  });
});
