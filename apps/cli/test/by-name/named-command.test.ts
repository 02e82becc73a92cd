import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { providerKeys } from "@askwire/relays";
import { describe, expect, test } from "vitest";
import { wellKnownAgents } from "../../src/by-name/well-known.js";
import { entry, type Files, found, placesWith } from "./named-agents.js";

const all = (name: string) => ({
  user: entry(name, "users"),
  machine: entry(name, "machines"),
  project: entry(name, "projects"),
});

describe("a name", () => {
  const { user, machine, project } = all("one");
  test.each<[string, Files]>([
    ["users", { user, machine, project }],
    ["machines", { machine, project }],
    ["projects", { project }],
  ])('a name that several files define runs the program "%s"', async (program, files) => {
    const places = await placesWith(files);
    expect((await found("one", places, true)).command).toEqual([program]);
  });

  test("the user and the machine may redefine the name of a shipped agent, and a project never may", async () => {
    const files = all("claude");
    expect((await found("claude", await placesWith(files))).command).toEqual(["users"]);
    const { machine, project } = files;
    expect((await found("claude", await placesWith({ machine, project }))).command).toEqual(["machines"]);
    expect((await found("claude", await placesWith({ project }))).command[0]).toBe("npx");
  });

  test("an agent of a trusted file is found even beside a broken project's file", async () => {
    const places = await placesWith({ project: "[agents.mine]\ncommand = 1" });
    expect((await found("gemini", places)).protocol).toBe("acp");
  });

  test("a name brings its whole entry, from TOML and from JSON", async () => {
    const whole = {
      command: ["node", "a b.mjs", ""],
      protocol: "wire",
      inherit: ["OPENAI_API_KEY"],
      env: { LANG: "C" },
    };
    const places = await placesWith({
      machine:
        '[agents.one]\ncommand = ["node", "a b.mjs", ""]\nprotocol = "wire"\ninherit = ["OPENAI_API_KEY"]\nenv = { LANG = "C" }\n',
    });
    await writeFile(join(places.home, "config.json"), JSON.stringify({ models: 1, agents: { two: whole } }));
    expect(await found("one", places)).toEqual({ ...whole, asked: [] });
    expect(await found("two", places)).toEqual({ ...whole, asked: [] });
  });

  test("an unknown name is refused with the known names and the nearest one", async () => {
    const places = await placesWith({ project: entry("mine", "x") });
    await expect(found("cluade", places)).rejects.toThrow(
      "--agent cluade: no agent has this name (did you mean claude?): known agents are claude, cline, codex, gemini, kimi, kimi-code, mine, opencode",
    );
    await expect(found("__proto__", places)).rejects.toThrow("no agent has this name");
  });
});

describe("a wrong file of agents", () => {
  test.each([
    ['protocol = "acp"', "agents.m.command: expected the program and its arguments, such as "],
    ['command = "node agent.mjs"', "agents.m.command: expected the program and its arguments, such as "],
    ["command = []", "agents.m.command: expected the program and its arguments, such as "],
    ['command = [""]', "agents.m.command: expected the program and its arguments, such as "],
    ['command = ["a\\u0000"]', "agents.m.command: expected the program and its arguments, such as "],
    ['command = ["a"]\nprotocol = "mcp"', 'agents.m.protocol: expected "acp" or "wire"'],
    ['command = ["a"]\ninherit = "A"', 'agents.m.inherit: expected names of variables, such as ["'],
    ['command = ["a"]\ninherit = ["A B"]', 'agents.m.inherit: expected names of variables, such as ["'],
    ['command = ["a"]\ninherit = ["askwire_token"]', 'OPENAI_API_KEY"], without ASKWIRE_TOKEN'],
    ['command = ["a"]\nenv = { A = 1 }', "agents.m.env: expected variables with texts, such as {"],
    ['command = ["a"]\ninherits = []', "agents.m: expected command, protocol, inherit, env, found inherits"],
    ['command = ["a"]\n[agents."b c"]\ncommand = ["a"]', 'agents: expected names of letters, digits, ".", '],
    ["command = [", "line 2: expected TOML, or JSON in braces"],
  ])("the wrong entry %j is refused with its key and what was expected", async (text, problem) => {
    for (const files of [{ user: `[agents.m]\n${text}` }, { project: `[agents.m]\n${text}` }]) {
      const { home, ...places } = await placesWith(files);
      const failure = await found("m", places).catch(({ message }) => message);
      expect(failure).toContain(problem);
      expect(failure).toContain("user" in files ? join(home, "config.toml") : places.projectFile);
    }
  });

  test("a project's entry that is too long to read is refused", async () => {
    const places = await placesWith({ project: entry("m", "x".repeat(2_000)) });
    await expect(found("m", places, true)).rejects.toThrow(
      "agents.m: expected at most 2000 characters to approve",
    );
  });
});

describe("the shipped agents", () => {
  test("the shipped agents run pinned versions of npm packages", () => {
    const packages = [...wellKnownAgents.values()]
      .filter(({ command }) => command[0] === "npx")
      .map(({ command }) => command[2]);
    expect(packages).toHaveLength(6);
    for (const name of packages) expect(name).toMatch(/^(@[\w-]+\/)?[\w-]+@\d+\.\d+\.\d+$/);
  });

  test("the shipped agents inherit only the keys of providers, which are withheld from all other agents", () => {
    for (const { inherit } of wellKnownAgents.values()) {
      for (const name of inherit) expect(providerKeys).toContain(name);
    }
  });
});
