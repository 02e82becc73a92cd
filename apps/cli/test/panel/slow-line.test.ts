import { expect, test } from "vitest";
import { command } from "../askwire.js";
import { openTerminal } from "../terminal.js";
import { key, press } from "./at-panel.js";
import { database, inTurn, inTurnOf } from "./in-turn.js";

const OPEN = /Esc decline/;

test("over a line of 300 ms each way one types, answers and resizes, and each text is there once", async () => {
  const { terminal, asks, received, says } = await inTurn({ delayMs: 300 });
  says("I look first.\n");
  terminal.type("also the tests");
  await terminal.waitForRows(/^» also the tests$/m);
  terminal.type(key.ctrl("c"));
  await terminal.waitForRows(/^»$/m);
  asks(database);
  await terminal.waitForRows(OPEN);
  terminal.resize(60, 24);
  await terminal.waitForRows(OPEN);
  await press(terminal, [[key.down, /❯ 2\. /], key.enter]);
  expect(await received("r")).toMatchObject({ result: { answers: { "Which database?": "PostgreSQL" } } });
  await terminal.waitForRows(/→ PostgreSQL · as a service\n»$/);
  const told = ["I look first.", "● Which database?", "  → PostgreSQL · as a service", "»"];
  expect(terminal.screen().split("\n").slice(-told.length)).toEqual(told);
});

test("a press before the person's terminal has shown the panel counts as little as one at a fast line", async () => {
  const { terminal, asks, received } = await inTurn({ delayMs: 600 });
  asks(database);
  // The panel is drawn, and still on its way: this Enter comes when it is older than half a second.
  await expect.poll(() => terminal.written, { interval: 5 }).toContain("Which database?");
  terminal.type(key.enter);
  expect(terminal.rows().join("\n")).not.toContain("Which database?");
  await terminal.waitForRows(OPEN);
  expect(terminal.screen()).not.toContain("● Which database?");
  await press(terminal, [[key.down, /❯ 2\. /], key.enter]);
  expect(await received("r")).toMatchObject({ result: { answers: { "Which database?": "PostgreSQL" } } });
});

test("the terminal's answer to a panel that was open as the chat ended is not typed into the shell", async () => {
  const shell = '"$@"; echo "Back in the shell."; read -r line; printf "It read: %q.\\n" "$line"';
  const { terminal, asks, dies } = await inTurnOf(
    (args, options) =>
      openTerminal("bash", ["-c", shell, "bash", process.execPath, command, ...args], options),
    { delayMs: 300 },
  );
  asks(database);
  await expect.poll(() => terminal.written, { interval: 5 }).toContain("\u001b[5n");
  dies();
  await terminal.waitFor("Back in the shell.");
  terminal.type("words\r");
  expect(await terminal.waitFor(/It read: .*/)).toContain("It read: words.");
});
