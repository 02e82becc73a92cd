import { PassThrough, Writable } from "node:stream";
import headless from "@xterm/headless";
import { expect, onTestFinished } from "vitest";
import type { Borrower } from "../src/device/loan.js";
import { openLines } from "../src/lines/lines.js";

/** Lines on a terminal that is in this process, with what a person sees there. */
export function linesOnScreen({ columns = 40, rows = 10 }: { columns?: number; rows?: number } = {}) {
  const cols = columns || 80;
  const display = new headless.Terminal({
    cols,
    rows: rows || 24,
    scrollback: 20_000,
    allowProposedApi: true,
    convertEol: true,
  });
  let sent = "";
  let raw = false;
  const input = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode(on: boolean) {
      raw = on;
    },
  });
  const write = (chunk: Buffer, _encoding: string, done: () => void) => {
    sent += chunk.toString();
    display.write(chunk);
    done();
  };
  const output = Object.assign(new Writable({ write }), { isTTY: true, columns, rows });
  const lines = openLines(input as unknown as NodeJS.ReadStream, output as unknown as NodeJS.WriteStream, {
    // The display is xterm.js.
    env: { TERM_PROGRAM: "vscode" },
    shows: "/output",
  });
  onTestFinished(() => lines.close());

  async function screen(): Promise<string> {
    await new Promise<void>((resolve) => display.write("", resolve));
    const { active } = display.buffer;
    const all = Array.from({ length: active.length }, (_, row) =>
      active.getLine(row)?.translateToString(true),
    );
    return all.join("\n").trimEnd();
  }

  return {
    lines,
    input,
    output,
    screen,
    sees: (text: string | RegExp) =>
      typeof text === "string"
        ? expect.poll(screen, { interval: 5 }).toBe(text)
        : expect.poll(screen, { interval: 5 }).toMatch(text),
    type: (keys: string) => void input.write(keys),
    resize(columns: number, rows: number) {
      display.resize(columns, rows);
      Object.assign(output, { columns, rows }).emit("resize");
    },
    get sent() {
      return sent;
    },
    get raw() {
      return raw;
    },
  };
}

/** Notes what it is told. */
export function notingBorrower() {
  const told = { typed: "", redrawn: 0, gone: 0 };
  const borrower: Borrower = {
    input(chunk) {
      told.typed += chunk.toString();
    },
    redraw() {
      told.redrawn += 1;
    },
    gone() {
      told.gone += 1;
    },
  };
  return { told, borrower };
}

/** The modes that were switched on and not off again. */
export function modesLeftOn(sent: string): string[] {
  const on = new Set<string>();
  for (const [, mode = "", set] of sent.matchAll(/\[\?(\d+)([hl])/g)) {
    // A cursor is hidden, and rows are cut, where a mode is switched off.
    if ((set === "h") !== ["7", "25"].includes(mode)) on.add(mode);
    else on.delete(mode);
  }
  return [...on];
}
