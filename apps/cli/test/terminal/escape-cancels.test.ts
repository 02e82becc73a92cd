import { expect, test } from "vitest";
import {
  fails,
  modelEndpoint,
  says,
  stops,
  streams,
} from "../../../../packages/agent/test/model-endpoint.js";
import { folderWith } from "../askwire.js";
import { openAskwire } from "../terminal.js";

/** A conversation with a model that keeps the agent waiting, then greets. */
async function waiting(...options: string[]) {
  const { url } = await modelEndpoint([
    fails(429, "slow down", { "retry-after": "3000" }),
    streams(says("Hello."), stops()),
  ]);
  const env = { ASKWIRE_HOME: await folderWith(), OPENAI_BASE_URL: url, OPENAI_API_KEY: "key-1" };
  const chat = openAskwire(["chat", "--model", "openai-compatible:small", ...options], {
    cwd: await folderWith(),
    env,
  });
  await chat.waitForRows(/^>$/m);
  chat.type("go\r");
  await chat.waitForRows(/429[\s\S]*^»$/m);
  return chat;
}

test("Esc cancels the turn that runs, as the row below the prompt says, and the conversation goes on", async () => {
  const chat = await waiting();
  expect(chat.status()).toMatch(/works · \d+ s · Esc cancels · small/);
  chat.type("\u001b");
  const rows = await chat.waitForRows(/\(cancelled\)\n>/);
  expect(rows.split("\n").slice(1)).toEqual([
    "> go",
    expect.stringMatching(/^\(trying again in .*429/),
    "(cancelled)",
    ">",
    "  small",
  ]);
  chat.type("on\r");
  await chat.waitForRows(/\n\n> on\nHello\.\n>/);
});

test("a Chinese person reads that Esc cancels too", async () => {
  const chat = await waiting("--lang", "zh");
  expect(chat.status()).toContain("Esc 取消");
});
