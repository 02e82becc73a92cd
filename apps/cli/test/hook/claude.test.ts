import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import type { ClientHandlers } from "@askwire/client";
import { describe, expect, test } from "vitest";
import { deferred } from "../../../../scripts/deferred.js";
import { askwire, folderWith, startAskwire } from "../askwire.js";
import { gatewayOf, newHome } from "../mcp/hosts.js";
import { someone } from "./someone.js";

const bash = {
  hook_event_name: "PermissionRequest",
  session_id: "s1",
  cwd: "/work/shop",
  tool_name: "Bash",
  tool_input: { command: "npm test", description: "Run the tests" },
};

const suggestions = [
  {
    type: "addRules",
    behavior: "allow",
    rules: [{ toolName: "Bash", ruleContent: "npm test *" }],
    destination: "localSettings",
  },
];

const asked = {
  questions: [
    {
      question: "Which database?",
      header: "Database",
      options: [{ label: "SQLite" }, { label: "PostgreSQL" }],
      multiSelect: false,
    },
  ],
};

/** A hook that Claude Code has started. */
function startHook(
  home: string,
  event: object,
  { args = [], env = {} }: { args?: string[]; env?: object } = {},
) {
  const started = startAskwire(["hook", "claude", ...args], {
    env: { ...process.env, CLAUDE_PID: "", ASKWIRE_HOME: home, ...env },
  });
  started.child.stdin.end(JSON.stringify(event));
  return started;
}

/** A home whose gateway runs, and somebody who answers there. */
async function home(handlers: ClientHandlers = {}) {
  const folder = await newHome();
  const { ended } = startHook(folder, {
    ...bash,
    hook_event_name: "Elicitation",
    mcp_server_name: "s",
    message: "m",
    mode: "url",
    url: "nowhere",
  });
  await ended;
  return { folder, ...(await someone(folder, handlers)) };
}

const printed = (stdout: string) => JSON.parse(stdout).hookSpecificOutput;

describe("a call that waits for a permission", () => {
  test.each<[string, ClientHandlers["approval"], object]>([
    ["approved", () => ({ option: "once" }), { behavior: "allow" }],
    [
      "approved for good",
      () => ({ option: "always" }),
      { behavior: "allow", updatedPermissions: suggestions },
    ],
    [
      "changed first",
      () => ({ option: "once", edited: "npm test -- --run" }),
      { behavior: "allow", updatedInput: { command: "npm test -- --run", description: "Run the tests" } },
    ],
    [
      "rejected in words",
      () => ({ option: "reject", feedback: "use pnpm" }),
      { behavior: "deny", message: expect.stringContaining("use pnpm") },
    ],
    [
      "rejected for good",
      () => ({ option: "stop" }),
      { behavior: "deny", message: expect.any(String), interrupt: true },
    ],
  ])("a decision of a person is Claude Code's: %s", async (_how, approval, decision) => {
    const { folder, approvals } = await home({ approval: approval as never });
    const { ended } = startHook(folder, { ...bash, permission_suggestions: suggestions });
    const { stdout, status } = await ended;
    expect(printed(stdout)).toEqual({ hookEventName: "PermissionRequest", decision });
    expect(status).toBe(0);
    expect(approvals[0]).toMatchObject({
      program: { name: "Claude Code in shop", origin: { folder: "/work/shop", tool: "Bash" } },
    });
  });

  test.each(["PermissionRequest", "PreToolUse"])(
    "a yes to a plan has its input beside it, without which Claude Code passes over it: %s",
    async (hook_event_name) => {
      const { folder } = await home({ approval: () => ({ option: "once" }) });
      const tool_input = { plan: "1. Test", planFilePath: "/work/plan.md" };
      const event = {
        ...bash,
        hook_event_name,
        tool_use_id: "toolu_1",
        tool_name: "ExitPlanMode",
        tool_input,
      };
      const said = printed((await startHook(folder, event).ended).stdout);
      expect(said.decision ?? said).toMatchObject({ updatedInput: tool_input });
    },
  );

  test("a person who closes the card leaves the call to Claude Code's own dialog", async () => {
    const { folder } = await home({ approval: () => ({ declined: "dismissed" }) as never });
    expect(await startHook(folder, bash).ended).toMatchObject({ stdout: "", status: 0 });
  });

  test("nothing is printed where Claude Code ends the hook, and the request is taken back", async () => {
    const { folder, approvals, withdrawn } = await home();
    const { child, ended } = startHook(folder, bash);
    await expect.poll(() => approvals.length, { timeout: 60_000 }).toBe(1);
    child.kill("SIGTERM");
    expect((await ended).stdout).toBe("");
    await expect.poll(() => withdrawn.length, { timeout: 60_000 }).toBe(1);
  });

  test("nothing is printed after the time that was given", async () => {
    const { folder, approvals, withdrawn } = await home();
    const { ended } = startHook(folder, bash, { args: ["--timeout", "1"] });
    expect((await ended).stdout).toBe("");
    expect(withdrawn).toHaveLength(approvals.length);
  });

  test("nobody is asked any longer once Claude Code is gone", async () => {
    const { folder, approvals, withdrawn } = await home();
    const { child: claude } = startAskwire(["gateway", "--idle", "1440"], {
      env: { ...process.env, ASKWIRE_HOME: await newHome() },
    });
    const { ended } = startHook(folder, bash, { env: { CLAUDE_PID: String(claude.pid) } });
    await expect.poll(() => approvals.length, { timeout: 60_000 }).toBe(1);
    claude.kill("SIGKILL");
    expect((await ended).stdout).toBe("");
    await expect.poll(() => withdrawn.length, { timeout: 60_000 }).toBe(1);
  });

  test("nobody is asked any longer once the transcript has the result of this call, and not of one before", async () => {
    const call = (id: string) => ({
      message: { content: [{ type: "tool_use", id, name: "Bash", input: bash.tool_input }] },
    });
    const result = (id: string) => ({
      message: { content: [{ type: "tool_result", tool_use_id: id, content: "ok" }] },
    });
    const lines = (...all: object[]) => all.map((line) => `${JSON.stringify(line)}\n`).join("");
    const project = await folderWith({ "t.jsonl": lines(call("t1"), result("t1")) });
    const transcript_path = join(project, "t.jsonl");
    const { folder, approvals, withdrawn } = await home();
    const { ended } = startHook(folder, { ...bash, transcript_path });
    await expect.poll(() => approvals.length, { timeout: 60_000 }).toBe(1);
    expect(withdrawn).toEqual([]);
    await appendFile(transcript_path, lines(call("t2"), result("other")));
    await appendFile(transcript_path, lines(result("t2")));
    expect((await ended).stdout).toBe("");
    await expect.poll(() => withdrawn.length, { timeout: 60_000 }).toBe(1);
  });

  test("two equal calls are asked one by one, since an answer counts for its own call", async () => {
    const { folder, approvals } = await home({ approval: () => ({ option: "once" }) });
    for (const count of [1, 2]) {
      expect(printed((await startHook(folder, bash).ended).stdout).decision).toEqual({ behavior: "allow" });
      expect(approvals).toHaveLength(count);
    }
  });

  test("a gateway that is killed is asked again in its next life", async () => {
    const { folder, approvals } = await home();
    const { ended } = startHook(folder, bash);
    await expect.poll(() => approvals.length, { timeout: 60_000 }).toBe(1);
    const killed = gatewayOf(folder)?.pid as number;
    process.kill(killed, "SIGKILL");
    await expect.poll(() => gatewayOf(folder)?.pid ?? killed, { timeout: 60_000 }).not.toBe(killed);
    await someone(folder, { approval: () => ({ option: "once" }) });
    expect(printed((await ended).stdout).decision).toEqual({ behavior: "allow" });
  });
});

test("a question of Claude's is answered in Claude's own form", async () => {
  const { folder } = await home({
    question: () => ({ items: [{ question_id: "q1", selected: ["q1_o2"], note: "for now" }] }),
  });
  const event = { ...bash, tool_name: "AskUserQuestion", tool_input: asked };
  expect(printed((await startHook(folder, event).ended).stdout).decision).toEqual({
    behavior: "allow",
    updatedInput: {
      ...asked,
      answers: { "Which database?": "PostgreSQL" },
      annotations: { "Which database?": { notes: "for now" } },
    },
  });
});

test("a question of Claude's in a form that is not known is left to Claude Code, with the place that is wrong", async () => {
  const { folder, questions } = await home();
  const before = questions.length;
  const event = { ...bash, tool_name: "AskUserQuestion", tool_input: { questions: [{ text: "Which?" }] } };
  const { stdout, stderr, status } = await startHook(folder, event).ended;
  expect(stdout).toBe("");
  expect(stderr).toContain("AskUserQuestion: questions[0].question: expected a text");
  expect(status).toBe(1);
  expect(questions).toHaveLength(before);
});

describe("a hook before a call", () => {
  const before = { ...bash, hook_event_name: "PreToolUse", tool_use_id: "toolu_1" };

  test("a rejection before a call has the person's words as its reason", async () => {
    const { folder } = await home({ approval: () => ({ option: "reject", feedback: "use pnpm" }) });
    expect(printed((await startHook(folder, before).ended).stdout)).toEqual({
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: expect.stringContaining("use pnpm"),
    });
  });

  test("a deferred call stays open for a person, and the next run gets the answer under the same call", async () => {
    const answer = deferred<{ option: string }>();
    const { folder, approvals, withdrawn } = await home({ approval: () => answer.promise as never });
    const { stdout } = await startHook(folder, before, { args: ["--defer"] }).ended;
    expect(printed(stdout)).toEqual({ hookEventName: "PreToolUse", permissionDecision: "defer" });
    await expect.poll(() => approvals.length, { timeout: 60_000 }).toBe(1);
    expect(
      printed((await startHook(folder, before, { args: ["--defer"] }).ended).stdout).permissionDecision,
    ).toBe("defer");
    expect(approvals).toHaveLength(1);
    answer.resolve({ option: "once" });
    const decision = async () =>
      printed((await startHook(folder, before, { args: ["--defer"] }).ended).stdout).permissionDecision;
    await expect.poll(decision, { timeout: 60_000 }).toBe("allow");
    expect(withdrawn).toEqual([]);
  });
});

describe("a form of somebody's MCP server", () => {
  const form = {
    hook_event_name: "Elicitation",
    session_id: "s1",
    mcp_server_name: "tickets",
    message: "Which ticket?",
    mode: "form",
    requested_schema: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
  };

  test("a form that is filled in reaches the server", async () => {
    const { folder } = await home({
      question: ({ questions }) => ({
        items: [{ question_id: questions[0]?.id ?? "", selected: [], own_text: "T-7" }],
      }),
    });
    expect(printed((await startHook(folder, form).ended).stdout)).toEqual({
      hookEventName: "Elicitation",
      action: "accept",
      content: { id: "T-7" },
    });
  });

  test("a form that a person closes is declined", async () => {
    const { folder } = await home({ question: () => ({ declined: "dismissed" }) });
    expect(printed((await startHook(folder, form).ended).stdout)).toMatchObject({ action: "decline" });
  });
});

test.each([
  ["no JSON", "x", "expected the JSON of an event"],
  ["an event that no hook answers", '{"hook_event_name":"Stop"}', 'got "Stop"'],
  ["a call without a tool", JSON.stringify({ ...bash, tool_name: 5 }), "tool_name: expected string"],
])("what is no event is refused with the field, and decides nothing: %s", async (_what, input, why) => {
  const { stdout, stderr, status } = await askwire(["hook", "claude"], { input });
  expect(stdout).toBe("");
  expect(stderr).toContain(why);
  // Claude Code takes status 2 as a rejection.
  expect(status).toBe(1);
});

test.each([
  ["an option that is not there", ["claude", "--defr"], "unknown option"],
  ["a value that does not fit", ["claude", "--timeout", "soon"], "--timeout"],
  ["options that do not go together", ["claude", "--token-file", "t"], "--token-file needs --connect"],
  ["a host that is not there", ["cladue"], "cladue"],
])("a hook with %s is no hook for Claude Code, and rejects nothing", async (_what, args, why) => {
  const { stdout, stderr, status } = await askwire(["hook", ...args], { input: JSON.stringify(bash) });
  expect(stdout).toBe("");
  expect(stderr).toContain(why);
  expect(status).toBe(1);
});
