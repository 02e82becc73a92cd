import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  calls,
  fails,
  type ModelAnswer,
  modelEndpoint,
  says,
  stops,
  streams,
} from "../../../../packages/agent/test/model-endpoint.js";
import { folderWith } from "../askwire.js";
import { isAlive } from "../is-alive.js";
import { openAskwire } from "../terminal.js";

const CTRL_C = "\u0003";

/** A conversation whose first prompt was given, with a model that answers like this. */
async function prompted(...answers: ModelAnswer[]) {
  const endpoint = await modelEndpoint(answers);
  const cwd = await folderWith();
  const env = { ASKWIRE_HOME: await folderWith(), OPENAI_BASE_URL: endpoint.url, OPENAI_API_KEY: "key-1" };
  const chat = openAskwire(["chat", "--plain", "--model", "openai-compatible:small"], {
    cwd,
    env,
  });
  await chat.waitFor(/^>$/m);
  chat.type("go\r");
  return { chat, cwd, endpoint };
}

const shell = (command: string): ModelAnswer =>
  streams(calls(0, "call-1", "Shell", JSON.stringify({ command })), stops("tool_calls"));
const hello = streams(says("Hello."), stops());

test("Ctrl-C at an approval rejects it: nothing is done, and the prompt comes again (P-APR-5)", async () => {
  const { chat, cwd } = await prompted(shell("touch done"), hello);
  await chat.waitFor(/n \[why\]: no.* >/);
  chat.type(CTRL_C);
  await chat.waitFor(/\n {2}↳ Rejected by user\n>$/);
  expect(existsSync(join(cwd, "done"))).toBe(false);
  chat.type("on\r");
  await chat.waitFor(/Hello\.\n>$/);
});

test("Ctrl-C while a command runs ends the command and the turn", async () => {
  const { chat, cwd } = await prompted(shell("echo $$ >pid; mv pid started; sleep 1000"), hello);
  await chat.waitFor(/n \[why\]: no.* >/);
  chat.type("y\r");
  await expect.poll(() => existsSync(join(cwd, "started"))).toBe(true);
  chat.type(CTRL_C);
  await chat.waitFor(/\(cancelled\)\n>$/);
  const pid = Number(readFileSync(join(cwd, "started"), "utf8"));
  await expect.poll(() => isAlive(pid)).toBe(false);
  chat.type("on\r");
  await chat.waitFor(/Hello\.\n>$/);
});

test("Ctrl-C while a busy provider is waited for ends the turn at once", async () => {
  const { chat, endpoint } = await prompted(fails(429, "slow down", { "retry-after": "3000" }), hello);
  await chat.waitFor("(trying again in ");
  chat.type(CTRL_C);
  await chat.waitFor(/\(cancelled\)\n>$/);
  expect(endpoint.calls).toHaveLength(1);
  chat.type("on\r");
  await chat.waitFor(/Hello\.\n>$/);
});

test("a provider that refuses ends the turn, not the conversation", async () => {
  const { chat } = await prompted(fails(404, "no such model"), hello);
  await chat.waitFor(/askwire: HTTP status 404: no such model\n>$/);
  chat.type("on\r");
  await chat.waitFor(/Hello\.\n>$/);
  chat.type(CTRL_C);
  // The result of the last turn counts.
  expect((await chat.ended).exitCode).toBe(0);
});
