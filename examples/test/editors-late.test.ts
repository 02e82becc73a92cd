import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runProgram } from "./run-program.js";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const missing = spawnSync("nvim", ["--version"]).status === 0 ? undefined : "nvim is not installed";

/** Runs the late client of Neovim on an agent whose question has a deadline. Returns the lines that it prints. */
async function decideLate(deadline: string, cancels: "yes" | "no") {
  const serve = [process.execPath, path("../../apps/cli/bin/askwire.js"), "serve", "--stdio", "--"];
  const agent = [...serve, process.execPath, path("../theme-agent.mjs"), deadline];
  const env = { ...process.env, EDITOR_AGENT: JSON.stringify(agent), EDITOR_CANCELS: cancels };
  const args = ["--clean", "--headless", "-S", path("editors/late.lua")];
  const { stdout, status } = await runProgram("nvim", args, { env });
  expect(status).toBe(0);
  return stdout.trim().split("\n");
}

test("an answer of Neovim that comes after the turn was cancelled changes nothing, and the next one counts", async (context) => {
  context.skip(missing !== undefined, missing);
  const [asked, first, again, said, second] = await decideLate("600000", "yes");
  expect([asked, first, again]).toEqual(["QuestionRequest", "turn 1: cancelled", "QuestionRequest"]);
  expect(said).toMatch(/^day, by human;/);
  expect(second).toBe("turn 2: finished");
});

test("an answer of Neovim that comes after the deadline leaves the default, and the next turn is served", async (context) => {
  context.skip(missing !== undefined, missing);
  const turn = (n: number) => ["QuestionRequest", "night, by timer.", `turn ${n}: finished`];
  expect(await decideLate("1", "no")).toEqual([...turn(1), ...turn(2)]);
});
