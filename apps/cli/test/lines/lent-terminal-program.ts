// A program that asks one question in a lent terminal. q gives it back, x exits, t throws.
import { writeFileSync } from "node:fs";
import { openControllingTerminal } from "../../src/device/controlling-terminal.js";
import { createKeyReader } from "../../src/device/key-reader.js";
import type { Borrower } from "../../src/device/loan.js";
import { openLines } from "../../src/lines/lines.js";

writeFileSync("pid", `${process.pid}`);
const place = openControllingTerminal();
if (place === undefined) process.exit(5);
const lines = openLines(place.input, place.output);
process.on("SIGTERM", () => process.exit(143));
lines.write("said\n");
let typed = "";
const draw = () =>
  loan?.show({
    lines: [`a question on ${loan.columns} by ${loan.rows}`, `> ${typed}`],
    caret: { row: 1, column: 2 + typed.length },
  });
const reader = createKeyReader((key) => {
  if (!("text" in key)) return;
  typed += key.text;
  draw();
  if (key.text === "x") process.exit(3);
  if (key.text === "t") throw new Error("thrown");
  if (key.text !== "q") return;
  loan?.end();
  void lines.next("prompt> ").then((line) => {
    lines.write(`got ${line}\n`);
    lines.close();
    place.close();
  });
});
const borrower: Borrower = {
  input: (chunk) => reader.push(chunk),
  redraw: () => draw(),
  gone: () => process.exit(4),
};
const loan = lines.lend(borrower);
loan?.signal("\u001b]0;a question\u0007");
draw();
