import { describe, expect, test } from "vitest";
import { someone } from "../hook/someone.js";
import { gatewayOf, newHome, startHost } from "./hosts.js";
import { toolsInProcess } from "./way.js";

const bash = { tool_name: "Bash", input: { command: "npm test" }, tool_use_id: "toolu_1" };
const write = (file_path: string) => ({
  ...{ tool_name: "Write", tool_use_id: "toolu_2" },
  input: { file_path, content: "one\n" },
});
const questions = [
  {
    ...{ question: "Which database?", header: "Database", multiSelect: false },
    options: [
      { label: "SQLite", description: "one file" },
      { label: "PostgreSQL", description: "a server" },
    ],
  },
];
const ask = { tool_name: "AskUserQuestion", input: { questions }, tool_use_id: "toolu_3" };
const plan = { tool_name: "ExitPlanMode", input: { plan: "1. Test" }, tool_use_id: "toolu_4" };

const rule = (toolName: string, ruleContent: string) => [
  {
    ...{ type: "addRules", behavior: "allow", destination: "localSettings" },
    rules: [{ toolName, ruleContent }],
  },
];
const words = (text: string) => ({ behavior: "deny", message: expect.stringContaining(text) });

describe("the tool for --permission-prompt-tool", () => {
  test.each<[string, object, object, object]>([
    ["a command is approved", bash, { option: "once" }, { behavior: "allow" }],
    [
      "a command is approved as the person changed it",
      bash,
      { option: "once", edited: "npm test -- --run" },
      { behavior: "allow", updatedInput: { command: "npm test -- --run" } },
    ],
    ["a command is rejected in words", bash, { option: "reject", feedback: "use pnpm" }, words("use pnpm")],
    [
      "a command is rejected, and the turn ends",
      bash,
      { option: "stop" },
      { ...words("rejected"), interrupt: true },
    ],
    [
      "a command is approved for good in this folder",
      bash,
      { option: "always" },
      { behavior: "allow", updatedPermissions: rule("Bash", "npm test") },
    ],
    [
      "a file is approved, as all of this folder from now on",
      write("/work/shop/a.txt"),
      { option: "always" },
      { behavior: "allow", updatedPermissions: rule("Edit", "/**") },
    ],
    [
      "a question is answered with a note",
      ask,
      { items: [{ question_id: "q1", selected: ["q1_o2"], note: "for now" }] },
      {
        behavior: "allow",
        updatedInput: {
          questions,
          answers: { "Which database?": "PostgreSQL" },
          annotations: { "Which database?": { notes: "for now" } },
        },
      },
    ],
    ["a question is closed", ask, { declined: "dismissed" }, words("closed the question")],
    ["a plan is approved", plan, { option: "once" }, { behavior: "allow" }],
    [
      "a card that is closed denies the call, since nobody allowed it",
      bash,
      { declined: "dismissed" },
      { behavior: "deny", message: expect.any(String) },
    ],
  ])("%s: Claude Code is told so in one text, without a structure", async (_what, given, reply, decision) => {
    const tools = await toolsInProcess(60, { approvals: true });
    const called = tools.call("approve", given);
    await tools.reply(reply);
    const { content, structuredContent } = await called;
    expect(content).toHaveLength(1);
    expect(JSON.parse(content[0]?.text ?? "")).toEqual(decision);
    expect(structuredContent).toBeUndefined();
  });

  test.each([
    ["a command with signs that a rule reads as others", { ...bash, input: { command: "rm *" } }],
    ["a file elsewhere", write("/etc/hosts")],
    ["a plan", plan],
  ])("no rule is offered for %s", async (_what, given) => {
    const tools = await toolsInProcess(60, { approvals: true });
    const called = tools.call("approve", given);
    expect((await tools.asked()).options?.map(({ id }) => id)).toEqual(["once", "reject", "stop"]);
    await tools.reply({ option: "once" });
    await called;
  });

  test("a rule is offered in words that say what it covers, and where it is kept", async () => {
    const tools = await toolsInProcess(60, { approvals: true });
    const called = tools.call("approve", write("/work/shop/a.txt"));
    expect((await tools.asked()).options?.[1]?.label).toBe(
      "Approve, and from now on allow Edit of every file in this project, for you",
    );
    await tools.reply({ option: "once" });
    await called;
  });

  test("a call that is not as Claude Code sends it is denied, and nobody is asked", async () => {
    const tools = await toolsInProcess(60, { approvals: true });
    const { content } = await tools.call("approve", { tool_name: "Bash", input: "ls" });
    expect(JSON.parse(content[0]?.text ?? "")).toEqual(words("expected tool_name, input"));
    expect(tools.pending()).toBe(0);
  });

  test("a question in a form that is not known is denied with the place that is wrong, and nobody is asked", async () => {
    const tools = await toolsInProcess(60, { approvals: true });
    const { content } = await tools.call("approve", { ...ask, input: { questions: [{ text: "Which?" }] } });
    expect(JSON.parse(content[0]?.text ?? "")).toEqual(words("questions[0].question: expected a text"));
    expect(tools.pending()).toBe(0);
  });

  test("it is there with --approvals alone", async () => {
    const names = async (approvals: boolean) =>
      (await (await toolsInProcess(60, { approvals })).list()).map(({ name }) => name);
    expect(await names(false)).not.toContain("approve");
    expect(await names(true)).toContain("approve");
  });

  test("a gateway that cannot be reached denies the call with the reason", async () => {
    const host = await startHost(await newHome(), {
      args: ["--approvals", "--connect", "ws://127.0.0.1:1"],
    });
    const { content } = await host.call("approve", bash);
    expect(JSON.parse(content[0]?.text ?? "")).toEqual(words("Nobody could be asked"));
  });

  test("a gateway that is killed is asked again in its next life, and progress is told all the while", async () => {
    const home = await newHome();
    const host = await startHost(home, { args: ["--approvals"], name: "claude-code" });
    const told: (string | undefined)[] = [];
    const called = host.call("approve", bash, { onprogress: ({ message }) => void told.push(message) });
    const { approvals } = await someone(home, {});
    await expect.poll(() => approvals.length, { timeout: 60_000 }).toBe(1);
    const killed = gatewayOf(home)?.pid as number;
    process.kill(killed, "SIGKILL");
    await expect.poll(() => gatewayOf(home)?.pid ?? killed, { timeout: 60_000 }).not.toBe(killed);
    await someone(home, { approval: () => ({ option: "once" }) });
    expect(JSON.parse((await called).content[0]?.text ?? "")).toEqual({ behavior: "allow" });
    expect(told[0]).toContain("Waiting for a person");
  });

  test("a host that is gone, or that cancels the call, takes its request back", async () => {
    const home = await newHome();
    const host = await startHost(home, { args: ["--approvals"] });
    const cancel = new AbortController();
    host.call("approve", bash, { signal: cancel.signal }).catch(() => {});
    const { approvals, withdrawn } = await someone(home, {});
    await expect.poll(() => approvals.length, { timeout: 60_000 }).toBe(1);
    cancel.abort();
    await expect.poll(() => withdrawn.length, { timeout: 60_000 }).toBe(1);
    host.call("approve", { ...bash, tool_use_id: "toolu_5" }).catch(() => {});
    await expect.poll(() => approvals.length, { timeout: 60_000 }).toBe(2);
    await host.close();
    await expect.poll(() => withdrawn.length, { timeout: 60_000 }).toBe(2);
  });
});
