import { describe, expect, test } from "vitest";
import {
  type AgentSettings,
  agentArguments,
  isShared,
  SettingProblem,
  startEnvironment,
} from "../src/agent/agent-command.js";
import { heldBy } from "../src/chats/held-by.js";
import { agentSettings, english } from "./host.js";

const settings = (more: Partial<AgentSettings> = {}): AgentSettings => ({ ...agentSettings, ...more });
const served = ["serve", "--stdio", "--raw-errors", "--session", "s1"];

describe("the settings", () => {
  test.each<[string, Partial<AgentSettings>, string[]]>([
    ["the shipped interview", {}, []],
    ["a questionnaire", { interview: "/q.yaml" }, ["--interview", "/q.yaml"]],
    ["a model", { agent: "model", model: "kimi:k2" }, ["--model", "kimi:k2"]],
    ["a program", { agent: "command", command: ["gemini", "--acp"] }, ["--", "gemini", "--acp"]],
    ["its protocol", { agent: "command", command: ["x"], protocol: "acp" }, ["--acp", "--", "x"]],
    ["an agent by its name", { agent: "claude" }, ["--agent", "claude"]],
  ])("the settings start %s", (_what, more, args) => {
    expect(agentArguments(settings(more), "s1", { others: false }, english)).toEqual([...served, ...args]);
  });

  test("an agent that lets others in does not send them the text of an exception", () => {
    const args = agentArguments(settings(), "s1", { others: true }, english);
    expect(args).toEqual(["serve", "--stdio", "--session", "s1"]);
  });

  test.each([
    [undefined, false, false],
    ["", false, false],
    ["0", false, false],
    ["1", false, true],
    ["0", true, true],
  ])(
    "an agent with ASKWIRE_INBOX %s inherited and askwire.inbox %s lets others in: %s",
    (value, inbox, lets) => {
      expect(isShared(value === undefined ? {} : { ASKWIRE_INBOX: value }, { inbox })).toBe(lets);
    },
  );

  test.each<[string, Partial<AgentSettings>]>([
    ["askwire.model", { agent: "model" }],
    ["askwire.command", { agent: "command" }],
    ["askwire.agent", { agent: "--yolo" }],
    ["askwire.agent", { agent: "" }],
  ])("an error names the setting %s where it is missing or starts nothing", (name, more) => {
    const start = () => agentArguments(settings(more), "s1", { others: false }, english);
    expect(start).toThrow(SettingProblem);
    expect(start).toThrow(expect.objectContaining({ setting: name }));
  });
});

describe("the environment of an agent", () => {
  const inherited = {
    PATH: "/bin",
    VSCODE_PID: "1",
    NODE_OPTIONS: "--inspect",
    ELECTRON_NO_ASAR: "1",
    DEBUG: "*",
  };

  test("the environment of an agent has nothing that steers the editor", () => {
    expect(startEnvironment(inherited, settings(), "key")).toEqual({
      PATH: "/bin",
      ELECTRON_RUN_AS_NODE: "1",
    });
  });

  test("the environment of an agent has the key and the address of the model's provider", () => {
    const model = settings({ agent: "model", model: "kimi:k2", modelBaseUrl: "http://127.0.0.1:1/v1" });
    expect(startEnvironment({}, model, "secret")).toMatchObject({
      KIMI_API_KEY: "secret",
      KIMI_BASE_URL: "http://127.0.0.1:1/v1",
    });
  });

  test("the environment of another vendor's agent has only the variables that it inherits", () => {
    expect(startEnvironment({}, settings({ inherit: ["A", "B"] }), undefined)).toMatchObject({
      ASKWIRE_INHERIT: "A,B",
    });
  });

  test("an agent that is to be in the inbox is told so by its environment", () => {
    expect(startEnvironment({}, settings({ inbox: true }), undefined)).toMatchObject({ ASKWIRE_INBOX: "1" });
    expect(startEnvironment({}, settings(), undefined)).not.toHaveProperty("ASKWIRE_INBOX");
  });
});

test("the process that has a session open is read from the agent's last words", () => {
  expect(heldBy(new Error("ended: the session is in use by process 4711 (/x/lock)"))).toBe("4711");
  expect(heldBy(new Error("ended with status 1"))).toBeUndefined();
});
