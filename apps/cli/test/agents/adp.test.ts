import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { askwire, folderWith } from "../askwire.js";
import { openAskwire } from "../terminal.js";

const script = fileURLToPath(new URL("../../../../examples/dialects/adp.json", import.meta.url));

test("a terminal shows the two steps of a call: the query, then the call with its approval (P-ADP-2)", async () => {
  const cwd = await folderWith();
  const args = ["chat", "--plain", "--prompt", "hello", "--dialect", "adp", "--script", script];
  const terminal = openAskwire(args, { cwd });
  const asked = await terminal.waitFor(/n \[why\]: no.* >/);
  expect(asked).toMatch(
    /I look up what it takes\.\n• param_query files\.WriteFile\n {2}↳ files\.WriteFile takes path, content, mode\n/,
  );
  expect(asked).toMatch(/• WriteFile notes\.md\n[\s\S]*\+Notes/);
  expect(asked).not.toMatch(/<|tool_param/);
  terminal.type("y\r");
  await terminal.waitFor("notes.md is there.");
  expect(await readFile(join(cwd, "notes.md"), "utf8")).toBe("Notes");
});

test("a model of the native form is offered every tool by its name, without parameters", async () => {
  const line = (name: string, args: object) =>
    `tool_call: ${JSON.stringify({ id: name, name, arguments: JSON.stringify(args) })}`;
  const scripts = [
    line("param_query", { tool_id: "shell", action: "Shell" }),
    line("Shell", { command: "echo here", timeout: "soon" }),
    "text: Done.",
  ];
  const cwd = await folderWith({ "s.json": JSON.stringify(scripts) });
  const args = ["chat", "--yolo", "--dialect", "adp-native", "--script", "s.json"];
  const { stdout, stderr, status } = await askwire(args, { cwd, input: "hello\n" });
  expect(stdout).toMatch(/• param_query[\s\S]*• Shell[\s\S]*Done\./);
  expect(stderr).toBe("");
  expect(status).toBe(0);
});

test.each([
  ["adp,adp-native", "adp and adp-native both bring the tools of the folder: leave one out"],
  ["adp-native,adp", "adp-native and adp both bring the tools of the folder: leave one out"],
])("--dialect %s is refused in one line that says what to do, with exit code 2", async (names, why) => {
  const args = ["chat", "--dialect", names, "--script", script];
  const { stderr, status } = await askwire(args, { cwd: await folderWith(), input: "hello\n" });
  expect(stderr).toBe(`askwire: --dialect ${names}: ${why}\n`);
  expect(status).toBe(2);
});

test("--dialect adp needs the folder that its tools work in", async () => {
  const args = ["chat", "--dialect", "adp", "--script", script, "--work-dir", "missing"];
  const { stderr, status } = await askwire(args, { cwd: await folderWith(), input: "hello\n" });
  expect(stderr).toBe("askwire: --work-dir missing: no such folder\n");
  expect(status).toBe(2);
});
