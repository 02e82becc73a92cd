import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { asksLine, askwire, colour, folderWith } from "../askwire.js";

/** A line of a script: the model calls a tool, in its text where `written` says what it wrote. */
function callLine(name: string, args: object, extras: object | null = null): string {
  return `tool_call: ${JSON.stringify({ id: "tc-9", name, arguments: JSON.stringify(args), extras })}`;
}

export const written = "<tool_param><tool_id>files</tool_id><action>ReadFile</action></tool_param>";
export const queryLine = callLine("param_query", { tool_id: "files", action: "ReadFile" }, { written });

interface Conversation {
  readonly script: readonly string[];
  readonly input: string;
  /** More options of the command. */
  readonly args?: readonly string[];
}

/** Sessions of the command, each a script of model calls by its id, kept under one home. */
export async function sessions(scripts: Readonly<Record<string, Conversation>>) {
  const cwd = await folderWith({ "notes.txt": "some notes" });
  const home = await folderWith();
  const env = { ASKWIRE_HOME: home };
  for (const [id, { script, input, args = [] }] of Object.entries(scripts)) {
    const file = join(await folderWith({ "script.json": JSON.stringify(script) }), "script.json");
    await askwire(["chat", "--script", file, "--session", id, ...args], { cwd, input, env });
  }
  const [work = ""] = await readdir(join(home, "sessions"));
  const run = (...args: string[]): ReturnType<typeof askwire> =>
    askwire(["trajectory", ...args], { cwd, env });
  return {
    cwd,
    home,
    env,
    kept: join(home, "sessions", work),
    run,
    lines: () => linesIn(join(cwd, "out.jsonl")),
  };
}

/** The parsed lines of a file, each of which ends in a line feed. */
export async function linesIn(file: string) {
  const text = await readFile(file, "utf8");
  expect(text === "" || text.endsWith("\n")).toBe(true);
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

export const good = { script: ["think: Hm.\ntext: Hello."], input: "hi\n" };
export const asking = { script: [asksLine([colour]), "text: Red."], input: "paint\n1\n" };
export const cut = {
  script: [callLine("param_query", {}, { written, not_executed: ["files.ReadFile"] }), "text: So be it."],
  input: "read\n",
};
export const invented = { script: ["text: <result>4</result>"], input: "add\n" };
export const failing = { script: ["text: Half\nerror: 400 bad"], input: "work\n" };
