import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkTrajectories, Trajectory } from "@askwire/trajectory";
import { expect, test } from "vitest";
import { runProgram, temporaryFolder } from "./run-program.js";

const page = readFileSync(new URL("../../docs/trajectories.md", import.meta.url), "utf8");
const program = fileURLToPath(new URL("../fine-tuning.mjs", import.meta.url));
const command = fileURLToPath(new URL("../../apps/cli/bin/askwire.js", import.meta.url));

const [, json = ""] = /```json\n([\s\S]*?)\n```/.exec(page) ?? [];
const shown = Trajectory.parse(JSON.parse(json));

test("the trajectory that docs/trajectories.md shows is right (P-TRJ-7)", async () => {
  const file = join(await temporaryFolder(), "one.jsonl");
  await writeFile(file, `${JSON.stringify(shown)}\n`);
  const problems: unknown[] = [];
  expect(await checkTrajectories(file, (problem) => problems.push(problem))).toMatchObject({ successes: 1 });
  expect(problems).toEqual([]);
});

test("the script for fine-tuning gives roles, weights and calls of the common chat format", async () => {
  const call = { id: "c-1", name: "run", arguments: "{}" };
  const native = [
    { role: "system", content: "Be short.", loss: false },
    { role: "user", content: "go", loss: false },
    { role: "assistant", content: "", loss: true, tool_calls: [call] },
    { role: "tool", content: "done", loss: false, tool_call_id: "c-1" },
    { role: "assistant", content: "Cut o", loss: false },
  ];
  const lines = [shown, { ...shown, messages: native }].map((line) => `${JSON.stringify(line)}\n`);
  const { stdout, stderr } = await runProgram(process.execPath, [program], { typed: lines.join("\n") });
  expect(stderr).toBe("");
  const [first, second] = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).messages);
  expect(first).toEqual(
    shown.messages.map(({ role, content }) =>
      role === "assistant" ? { role, content, weight: 1 } : { role: "user", content },
    ),
  );
  expect(second).toEqual([
    { role: "system", content: "Be short." },
    { role: "user", content: "go" },
    {
      role: "assistant",
      content: "",
      weight: 1,
      tool_calls: [{ id: "c-1", type: "function", function: { name: "run", arguments: "{}" } }],
    },
    { role: "tool", content: "done", tool_call_id: "c-1" },
    { role: "assistant", content: "Cut o", weight: 0 },
  ]);
});

test("the results of the calls in one text are one chat message, as the model read them", async () => {
  const tool = (content: string) => ({ role: "tool", content, loss: false });
  const [prompt, query, result, ...rest] = shown.messages;
  const messages = [prompt, query, result, tool("<result>\n2\n</result>"), ...rest];
  const typed = `${JSON.stringify({ ...shown, messages })}\n`;
  const { stdout } = await runProgram(process.execPath, [program], { typed });
  const chat: { role: string; content: string }[] = JSON.parse(stdout).messages;
  expect(chat.map(({ role }) => role).join()).toBe("user,assistant,user,assistant,user,assistant");
  expect(chat[2]?.content).toBe(`${result?.content}\n<result>\n2\n</result>`);
});

test("the command prints what docs/trajectories.md shows", async () => {
  const cwd = await temporaryFolder();
  const env = { ...process.env, ASKWIRE_HOME: join(cwd, "home") };
  const askwire = (args: readonly string[], typed = "") =>
    runProgram(process.execPath, [command, ...args], { cwd, env, typed });
  const questions = [{ question: "Which colour?", options: [{ label: "Red" }, { label: "Blue" }] }];
  const asks = { id: "call_1", name: "AskUserQuestion", arguments: JSON.stringify({ questions }) };
  const scripts = {
    door: [`think: Which?\ntool_call: ${JSON.stringify(asks)}`, "text: Then I paint it blue."],
    sum: ["text: <result>4</result>"],
  };
  for (const [id, script] of Object.entries(scripts)) {
    await writeFile(join(cwd, `${id}.json`), JSON.stringify(script));
    const typed = id === "door" ? "Paint the door\n2\n" : "Add two and two\n";
    await askwire(["chat", "--script", `${id}.json`, "--session", id], typed);
  }
  const blocks = page.matchAll(/```console\n(\$ askwire trajectory[\s\S]*?)```/g);
  const shownCommands = [...blocks].map(([, block]) => block).join("");
  let printed = "";
  for (const [line = "", args = ""] of shownCommands.matchAll(/^\$ askwire (.*)$/gm)) {
    const { stdout, stderr } = await askwire(args.split(" "));
    printed += `${line}\n${stdout}`;
    expect(stderr).toBe("");
  }
  expect(printed).toBe(shownCommands);
});
