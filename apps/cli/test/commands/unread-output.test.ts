import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { asksLine, colour, command, folderWith } from "../askwire.js";

test("a client that ends its output and reads nothing does not keep the server running (P-CLO-1)", async () => {
  const long = `text: ${"x".repeat(400_000)}`;
  const cwd = await folderWith({ "s.json": JSON.stringify([`${long}\n${asksLine([colour])}`]) });
  const child = spawn(process.execPath, [command, "serve", "--stdio", "--script", "s.json"], { cwd });
  const ended = once(child, "exit");
  child.stdout.pause();
  const initialize = { id: "1", method: "initialize", params: { protocol_version: "1.10" } };
  const prompt = { id: "2", method: "prompt", params: { user_input: "go" } };
  child.stdin.end(`${JSON.stringify(initialize)}\n${JSON.stringify(prompt)}\n`);
  expect(await ended).toEqual([0, null]);
});
