import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith } from "../askwire.js";
import { key, press, start } from "./at-panel.js";

const call = (name: string, args: object) =>
  `tool_call: ${JSON.stringify({ id: "1", name, arguments: JSON.stringify(args) })}`;

/** `askwire chat` with one call that asks, and an editor that runs this. */
async function prompted(script: string, EDITOR: string) {
  const cwd = await folderWith({ "s.json": JSON.stringify([script, "text: Done."]) });
  const env = { EDITOR, VISUAL: "" };
  return { cwd, terminal: start(["chat", "--script", "s.json", "--prompt", "go"], { cwd, rows: 30, env }) };
}

test("a command is changed in the person's editor, shown as changed, and runs so once it is approved (P-XAO-3)", async () => {
  const { terminal, cwd } = await prompted(call("Shell", { command: "echo one >log" }), "sed -i s/one/two/");
  await terminal.waitForRows(/Change it first \(e\)[\s\S]*Esc decline/);
  await press(terminal, [
    ["e", /❯ \d\. Change it first/],
    [key.enter, /Your change:[\s\S]*\+echo two >log[\s\S]*Change it again[\s\S]*Esc decline/],
  ]);
  terminal.type(key.enter);
  await terminal.waitForRows(/Done\.\n>$/);
  expect(await readFile(join(cwd, "log"), "utf8")).toBe("two\n");
  expect(terminal.screen()).toContain("→ approved, with your change");
});

test("an editor has the terminal and its keys to itself, and its failure changes nothing (P-XAO-3)", async () => {
  const editor = 'sh -c \'printf "typed? "; read word; echo "got $word"; exit 3\' #';
  const { terminal, cwd } = await prompted(call("WriteFile", { path: "a.txt", content: "one\n" }), editor);
  await terminal.waitForRows(/Change it first \(e\)[\s\S]*Esc decline/);
  await press(terminal, [
    ["e", /❯ \d\. Change it first/],
    [key.enter, /typed\?/],
    ["yes\r", /got yes[\s\S]*nothing was changed[\s\S]*exit code 3[\s\S]*Change it first[\s\S]*Esc decline/],
    ["n", /❯ \d\. Reject/],
  ]);
  terminal.type(key.enter);
  await terminal.waitForRows(/→ rejected\n[\s\S]*>$/);
  await expect(readFile(join(cwd, "a.txt"))).rejects.toThrow("ENOENT");
});
