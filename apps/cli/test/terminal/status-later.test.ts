import { expect, test } from "vitest";
import { scripted } from "../../../../packages/relays/test/acp/conversation.js";
import { folderWith } from "../askwire.js";
import { key, start } from "../panel/at-panel.js";

const PROMPT = /^>$/m;

/** `askwire chat` with a script, at its prompt. */
async function chatting(script: readonly string[], files: Readonly<Record<string, string>> = {}) {
  const cwd = await folderWith({ ...files, "s.json": JSON.stringify(script) });
  const terminal = start(["chat", "--script", "s.json"], { cwd });
  await terminal.waitFor(PROMPT);
  return terminal;
}

test("the row below the prompt follows yolo, afk and plan mode that are switched in the session", async () => {
  const terminal = await chatting(["text: Hi."]);
  const lastRow = () => terminal.screen().trimEnd().split("\n").at(-1);
  terminal.type("/yolo on\r");
  await terminal.waitForRows(/^ {2}approves all$/m);
  terminal.type("/afk on\r");
  await terminal.waitForRows(/^ {2}approves all · nobody is asked$/m);
  terminal.type("/yolo off\r");
  await terminal.waitForRows(/^ {2}nobody is asked$/m);
  terminal.type("/plan on\r");
  await terminal.waitForRows(/^ {2}plan mode · nobody is asked$/m);
  expect(lastRow()).toBe("  plan mode · nobody is asked");
});

test("a command and a file are suggested at the prompt of a real terminal, and Ctrl-O shows the last output whole", async () => {
  const shell = `tool_call: ${JSON.stringify({ id: "1", name: "Shell", arguments: JSON.stringify({ command: "seq 1 40" }) })}`;
  const terminal = await chatting([shell, "text: Done."], { "src/main.ts": "" });
  terminal.type("/yo\t");
  await terminal.waitForRows(/^> \/yolo *$/m);
  terminal.type("on\r");
  await terminal.waitForRows(/approves all/);
  terminal.type("look at @mai");
  await terminal.waitForRows(/^ {2}@src\/main\.ts$/m);
  terminal.type(`${key.tab}now`);
  await terminal.waitForRows(/^> look at @src\/main\.ts now$/m);
  terminal.type("\r");
  await terminal.waitFor(/… 32 more lines[\s\S]*Done\.[\s\S]*^> ?$/m);
  terminal.type(key.ctrl("o"));
  await terminal.waitFor(/^> \/output\n1\n2\n3\n4\n5\n6\n/m);
});

test("the row below the prompt has the model and the mode that an ACP agent tells, and follows both", async () => {
  const terminal = start(["chat", "--", ...scripted()], { cwd: await folderWith() });
  await terminal.waitForRows(/^ {2}Code · Small$/m);
  terminal.type("/mode ask\r");
  await terminal.waitForRows(/^ {2}Ask · Small$/m);
  terminal.type("/model large\r");
  await terminal.waitForRows(/^ {2}Ask · Large$/m);
  const update = { sessionUpdate: "current_mode_update", currentModeId: "plan" };
  terminal.type(`${JSON.stringify([["update", update]])}\r`);
  await terminal.waitForRows(/^ {2}plan mode · Large$/m);
});
