import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { chosenAgent } from "../src/agent/chosen-agent.js";
import { isInstalled, listedAgents } from "../src/agent/listed-agents.js";
import { agentSettings, testHost } from "./host.js";

const host = testHost();

test.each([
  [{}, { is: "interview", name: "" }],
  [{ interview: "/home/me/deploy.yaml" }, { is: "interview", name: "deploy.yaml" }],
  [
    { agent: "model", model: "kimi:kimi-k2" },
    { is: "model", name: "kimi-k2" },
  ],
  [
    { agent: "model", model: "large" },
    { is: "model", name: "large" },
  ],
  [
    { agent: "command", command: ["/usr/bin/gemini", "--acp"] },
    { is: "program", name: "gemini" },
  ],
  [{ agent: "claude" }, { is: "named", name: "claude" }],
  [
    { agent: "claude", address: "ws://127.0.0.1:8080/wire#token" },
    { is: "gateway", name: "127.0.0.1:8080" },
  ],
  [{ address: "nowhere" }, { is: "gateway", name: "nowhere" }],
] as const)("the agent of the settings %j is shown as %j", (settings, shown) => {
  expect(chosenAgent({ ...agentSettings, address: "", ...settings })).toEqual(shown);
});

test("the agents that can be chosen are those that the command knows, with a project's that nobody has approved", async () => {
  const { extension, folder } = await host();
  await mkdir(join(folder, ".askwire"));
  const file = '[agents.ours]\ncommand = ["./run"]\n[mcpServers.tools]\ncommand = "./serve"\n';
  await writeFile(join(folder, ".askwire/config.toml"), file);
  const agents = await listedAgents(extension, folder, agentSettings);
  expect(agents.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["claude", "gemini", "kimi", "ours"]),
  );
  expect(agents.find(({ name }) => name === "ours")).toMatchObject({
    from: "project",
    approval: "not_approved",
  });
  expect(agents.some(({ name }) => name.includes("tools"))).toBe(false);
});

test("a configuration that cannot be read says so in place of a list of agents", async () => {
  const { extension, folder } = await host();
  await mkdir(join(folder, ".askwire"));
  await writeFile(join(folder, ".askwire/config.toml"), "[agents");
  await expect(listedAgents(extension, folder, agentSettings)).rejects.toThrow(/config\.toml/);
});

test("a program is installed where a folder of PATH has it, or where it is itself a path", () => {
  const env = { PATH: "/nowhere:/bin" };
  const found = ["sh", "/bin/sh", "sh-that-is-not-there"].map((name) => isInstalled(name, env));
  expect(found).toEqual([true, true, false]);
  expect(isInstalled("sh", {})).toBe(false);
});
