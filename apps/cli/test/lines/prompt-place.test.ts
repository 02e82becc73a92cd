import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { linesOnScreen, modesLeftOn, notingBorrower } from "../lent-terminal.js";
import { key } from "../panel/at-panel.js";

/** Lets the place draw what came in this tick. */
const drawn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("text typed while others write", () => {
  const words = fc.string({
    unit: fc.constantFrom(..."abc 数，é", "👩‍💻", "e\u0301"),
    minLength: 1,
    maxLength: 6,
  });
  const step = fc.oneof(
    words.map((typed) => ({ typed })),
    fc
      .string({ unit: fc.constantFrom(..."xyz 这\n"), minLength: 1, maxLength: 60 })
      .map((said) => ({ said })),
    fc.constant({ pause: true }),
  );

  test("text typed while others write is sent in full, and their text is there in full, in any order and on any screen", async () => {
    const size = fc.record({
      columns: fc.integer({ min: 10, max: 50 }),
      rows: fc.integer({ min: 2, max: 12 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), size, async (steps, size) => {
        const { lines, type, input, screen } = linesOnScreen(size);
        const line = lines.next("» ", undefined, { passing: true });
        let typed = "x";
        let said = "";
        for (const one of steps) {
          if ("typed" in one) {
            type(one.typed);
            typed += one.typed;
          } else if ("said" in one) {
            lines.write(one.said);
            said += one.said;
          } else await drawn();
        }
        type(`${key.home}x\r`);
        expect(await line).toBe(typed);
        input.end();
        await drawn();
        lines.close();
        // Rows that have no room, and the line that Enter ends, are broken; nothing else is.
        const all = (text: string) => text.replaceAll(/\s/g, "");
        const shown = all(await screen()).replace(all(`» ${typed}`), "");
        expect(shown).toBe(all(said));
      }),
      { numRuns: 60 },
    );
  });

  test("typed text stays below a growing line and below whole lines", async () => {
    const { lines, type, sees } = linesOnScreen();
    const line = lines.next("» ", undefined, { passing: true });
    lines.write("One line.\nHalf ");
    type("do not ");
    await sees("One line.\nHalf \n» do not");
    lines.write("a line");
    await sees("One line.\nHalf a line\n» do not");
    type("delete");
    lines.write(", now whole.\n");
    type(" the files\r");
    expect(await line).toBe("do not delete the files");
    await sees("One line.\nHalf a line, now whole.\n» do not delete the files");
  });

  test("typed text that is sent ends the growing line above, whose rest follows below", async () => {
    const { lines, type, sees } = linesOnScreen();
    const line = lines.next("» ", undefined, { passing: true });
    lines.write("Half ");
    type("stop\r");
    await line;
    lines.write("a line\nmore");
    await sees("Half \n» stop\na line\nmore");
  });

  test("typed text is shown below a line that is drawn again, without what that line held before", async () => {
    const { lines, type, sees } = linesOnScreen();
    void lines.next("» ", undefined, { passing: true });
    type("wait");
    lines.write("• ask");
    await sees("• ask\n» wait");
    lines.write("\r\u001b[K• ask Which");
    await sees("• ask Which\n» wait");
    lines.write("\r\u001b[K• a question\n");
    await sees("• a question\n» wait");
  });
});

describe("a draft", () => {
  test("a draft taller than the screen shows the part around the caret, and is sent in full", async () => {
    const { lines, type, sees } = linesOnScreen({ columns: 20, rows: 5 });
    lines.write("said\n");
    const line = lines.next("> ", undefined, { below: true });
    const text = Array.from({ length: 30 }, (_, index) => `row ${index}`).join("\n");
    await drawn();
    type(text);
    await sees("said\n… row 26\n  row 27\n  row 28\n  row 29");
    type(key.up.repeat(15));
    await sees("said\n… row 14\n  row 15\n  row 16\n… row 17");
    lines.write("more\n");
    await sees("said\nmore\n… row 14\n  row 15\n  row 16\n… row 17");
    type("\r");
    expect(await line).toBe(text);
    await sees(`said\nmore\n> ${text.replaceAll("\n", "\n  ")}`);
  });

  test("a draft adapts to another size of the terminal, and leaves nothing behind", async () => {
    const { lines, type, sees, resize } = linesOnScreen({ columns: 30, rows: 10 });
    lines.write("said\n");
    void lines.next("> ", undefined, { below: true });
    type("这是一个很宽的问题 and more words");
    await sees("said\n> 这是一个很宽的问题 and more\n  words");
    resize(16, 10);
    await sees("said\n> 这是一个很宽\n  的问题 and\n  more words");
    resize(60, 10);
    await sees("said\n> 这是一个很宽的问题 and more words");
  });

  test("a draft that nobody waits for stays in place, and whole lines that nobody waits for are shown as well", async () => {
    const { lines, type, sees } = linesOnScreen();
    type("one\rtwo\r three");
    await sees("> one\n> two\n>  three");
    expect(await lines.next("> ", undefined, { below: true })).toBe("one");
    await sees("> one\n> two\n>  three");
    expect(lines.typing).toBe(true);
    expect(await lines.next("> ", undefined, { below: true })).toBe("two");
    type("!\r");
    expect(await lines.next("> ", undefined, { below: true })).toBe(" three!");
  });

  test("a draft that was sent stands behind its prompt as it was drawn, broken at blanks", async () => {
    const { lines, type, sees } = linesOnScreen({ columns: 20, rows: 6 });
    const line = lines.next("> ", undefined, { below: true });
    await drawn();
    type("some words that run on\nand on");
    await sees("> some words that\n  run on\n  and on");
    type("\r");
    await line;
    await sees("> some words that\n  run on\n  and on");
  });

  test("a draft is no part of an answer line by line, and comes back after it", async () => {
    const { lines, type, sees } = linesOnScreen();
    void lines.next("» ", undefined, { passing: true });
    type("for later");
    await sees("» for later");
    lines.dropTyped();
    const answer = lines.next("y or n > ");
    await sees("y or n >");
    type("y\r");
    expect(await answer).toBe("y");
    await sees("y or n > y\n» for later");
  });

  test("lines that nobody took become a draft again before somebody asks line by line", async () => {
    const { lines, type, sees } = linesOnScreen();
    type("one\rtwo");
    await sees("> one\n> two");
    lines.dropTyped();
    const answer = lines.next("y or n > ");
    await sees("y or n >");
    type("y\r");
    expect(await answer).toBe("y");
    const next = lines.next("> ", undefined, { below: true });
    await sees("y or n > y\n> one\n  two");
    type("\r");
    expect(await next).toBe("one\ntwo");
  });

  test("a draft is not sent by an Enter at blanks alone", async () => {
    const { lines, type, sees } = linesOnScreen();
    const line = lines.next("> ", undefined, { below: true });
    type("\r  \r");
    type("words\r");
    expect(await line).toBe("words");
    await sees("> words");
  });

  test("a draft is wiped by Ctrl-C, which means more only at an empty prompt, and ↑ brings it back", async () => {
    const { lines, type, sees } = linesOnScreen();
    let interrupts = 0;
    lines.onInterrupt(() => {
      interrupts += 1;
    });
    void lines.next("> ", undefined, { below: true });
    type("wrong");
    await sees("> wrong");
    type("\u0003");
    await sees(">");
    expect(interrupts).toBe(0);
    type("\u0003");
    await expect.poll(() => interrupts).toBe(1);
    type(key.up);
    await sees("> wrong");
  });

  test("an unsent draft stays on the terminal when the program leaves, with all that was said", async () => {
    const terminal = linesOnScreen();
    const { lines, type, input } = terminal;
    lines.write("Half a line");
    const line = lines.next("> ", undefined, { below: true });
    type(key.paste("one\ntwo"));
    await terminal.sees("Half a line\n> one\n  two");
    input.end();
    expect(await line).toBeUndefined();
    lines.close();
    await terminal.sees("Half a line\n> one\n  two");
    expect(modesLeftOn(terminal.sent)).toEqual([]);
    expect(terminal.raw).toBe(false);
  });

  test("a draft stays while Ctrl-O gives the line that shows an output, but to nobody who asks", async () => {
    const { lines, type, sees } = linesOnScreen();
    const line = lines.next("> ", undefined, { below: true });
    type(`half${key.ctrl("o")}`);
    expect(await line).toBe("/output");
    void lines.next("> ", undefined, { below: true });
    await sees("> /output\n> half");
    const answer = lines.next("y or n > ");
    type(`${key.ctrl("o")}y\r`);
    expect(await answer).toBe("y");
  });

  test("a draft that is being pasted holds a panel back until its end", async () => {
    const { lines, type } = linesOnScreen();
    void lines.next("> ", undefined, { below: true });
    type("\u001b[200~one\r");
    await expect.poll(() => lines.typing).toBe(true);
    type("\u001b[201~");
    const waits = lines.untilSent(AbortSignal.timeout(2_000));
    type("\r");
    await waits;
    expect(lines.lend(notingBorrower().borrower)).toBeDefined();
  });
});

test("text typed before keys were read one by one ends its lines as a terminal does, and later Ctrl-J is a new line", async () => {
  const { lines, type } = linesOnScreen();
  type("early\n");
  expect(await lines.next("> ", undefined, { below: true })).toBe("early");
  await drawn();
  const next = lines.next("> ", undefined, { below: true });
  type("a\nb\r");
  expect(await next).toBe("a\nb");
});

test("Ctrl-D at an empty prompt ends the input, and lines that follow are written as they come", async () => {
  const { lines, type, sees } = linesOnScreen();
  lines.write("said\n");
  const line = lines.next("> ", undefined, { below: true });
  type("\u0004");
  expect(await line).toBeUndefined();
  lines.write("more\nhalf");
  await sees("said\nmore\nhalf");
});

test("a line of others that is taller than the screen is broken at the end of a row, and continues", async () => {
  const { lines, sees } = linesOnScreen({ columns: 10, rows: 5 });
  void lines.next("> ", undefined, { below: true });
  const text = "0123456789abcdefghij".repeat(4);
  for (const character of text) lines.write(character);
  lines.write("!\n");
  await sees(`${text.match(/.{10}/g)?.join("\n")}\n!\n>`);
});
