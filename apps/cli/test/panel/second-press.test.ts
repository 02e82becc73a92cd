import { setTimeout as passing } from "node:timers/promises";
import { expect, test } from "vitest";
import { key, press, reject } from "./at-panel.js";
import { inTurn } from "./in-turn.js";

/** `DOUBLE_PRESSES` asks for more. */
const PRESSES = Number(process.env.DOUBLE_PRESSES ?? 6);

/** Milliseconds between the halves of a double press, from 30 to 600. */
const gaps = Array.from(
  { length: PRESSES },
  (_, at) => 30 + Math.round((570 * at) / Math.max(1, PRESSES - 1)),
);

const OPEN = /Approve \(y\)[\s\S]*Esc decline/;

test(`the second half of ${PRESSES} double presses of Enter approves no second command`, {
  timeout: 30_000 + PRESSES * 5_000,
}, async () => {
  const { terminal, approves, received } = await inTurn();
  for (const [at, gap] of gaps.entries()) {
    const [first, second] = [`first ${at}`, `second ${at}`];
    approves(`touch ${at}`, { id: first });
    await terminal.waitForRows(new RegExp(`touch ${at}[\\s\\S]*${OPEN.source}`));
    terminal.type(key.enter);
    const pressedAt = performance.now();
    const next = received(first).then((answer) => {
      approves(`rm -r ${at}`, { id: second });
      return answer;
    });
    await passing(gap);
    // A busy machine may delay the second half until the second command is long in sight: that is no double press.
    const isDouble = performance.now() - pressedAt <= 600;
    if (isDouble) terminal.type(key.enter);
    expect(await next, `${gap} ms`).toMatchObject({ result: { response: "approve" } });
    await terminal.waitForRows(new RegExp(`rm -r ${at}[\\s\\S]*${OPEN.source}`));
    await press(terminal, reject);
    expect(await received(second), `${gap} ms`).toMatchObject({ result: { response: "reject" } });
  }
});

test("a double press approves nothing with a part out of sight", async () => {
  const { terminal, approves, received } = await inTurn({ rows: 16 });
  const command = [...Array.from({ length: 40 }, (_, line) => `echo ${line}`), "rm -r build"].join("\n");
  approves("Run a script", { display: [{ type: "shell", language: "bash", command }] });
  await terminal.waitForRows(OPEN);
  expect(terminal.rows().join("\n")).toMatch(/Ctrl-E shows all[\s\S]*rm -r build/);
  terminal.type(key.enter + key.enter);
  await terminal.waitForRows(/echo 1\n[\s\S]*Not approved yet[\s\S]*Esc back/);
  await press(terminal, [
    [key.end, /rm -r build/],
    [key.escape, OPEN],
  ]);
  terminal.type(key.enter);
  expect(await received("a")).toMatchObject({ result: { response: "approve" } });
});
