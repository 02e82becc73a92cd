import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { asksLine, colour, folderWith } from "../askwire.js";
import { isEvent, isRequest, launch, type Message, type WireProcess } from "../wire-process.js";

const call = (name: string, args: unknown) =>
  `tool_call: ${JSON.stringify({ id: "tc-1", name, arguments: JSON.stringify(args) })}`;

const hello = {
  protocol_version: "1.10",
  client: { name: "raw" },
  capabilities: { supports_question: true, supports_plan_mode: true },
  external_tools: [{ name: "weather", description: "", parameters: {} }],
  hooks: [{ id: "h", event: "PreToolUse", matcher: "^SetTodoList$" }],
};

interface State {
  readonly script?: string;
  /** True for the message that shows the state, after `initialize` and a prompt. Absent: no prompt. */
  readonly reached?: (message: Message) => boolean;
}

const states: Record<string, State> = {
  "before initialize": {},
  "when idle": {},
  "while a question is open": { script: asksLine([colour]), reached: isRequest("QuestionRequest") },
  "while an approval is open": {
    script: call("WriteFile", { path: "a.txt", content: "a" }),
    reached: isRequest("ApprovalRequest"),
  },
  "while a client's tool runs": { script: call("weather", {}), reached: isRequest("ToolCallRequest") },
  "while a hook is open": { script: call("SetTodoList", { todos: [] }), reached: isRequest("HookRequest") },
  "while a plan is before the person": {
    script: call("EnterPlanMode", {}),
    reached: isRequest("QuestionRequest"),
  },
  "while a busy provider is waited for": { script: "error: 503 busy", reached: isEvent("StepRetry") },
};

/** The command in one of the states, and the journal of its session. */
async function enter(name: string): Promise<{ wire: WireProcess; journal(): Promise<string> }> {
  const { script, reached } = states[name] as State;
  const share = await folderWith();
  const cwd = await folderWith({ "scripts.json": JSON.stringify([script ?? "text: hi", "text: done"]) });
  const provider = { type: "_scripted_echo", env: { KIMI_SCRIPTED_ECHO_SCRIPTS: join(cwd, "scripts.json") } };
  const config = JSON.stringify({
    default_model: "m",
    models: { m: { provider: "p", model: "m", max_context_size: 1000 } },
    providers: { p: provider },
  });
  const wire = launch(["--wire", "--config", config, "--session", "one"], {
    cwd,
    env: { KIMI_SHARE_DIR: share },
  });
  if (name !== "before initialize") await wire.call("initialize", hello);
  if (reached !== undefined) {
    wire.call("prompt", { user_input: "go" }).catch(() => {});
    await wire.seen(reached);
  }
  return {
    wire,
    async journal() {
      const [work = ""] = await readdir(join(share, "sessions"));
      return await readFile(join(share, "sessions", work, "one", "wire.jsonl"), "utf8");
    },
  };
}

describe.each(Object.keys(states))("the command %s", (name) => {
  test("the end of the input ends the command with 0, and the journal leaves the turn to the next process (P-CLO-1, P-RES-9)", async () => {
    const { wire, journal } = await enter(name);
    wire.end();
    expect(await wire.ended).toEqual({ status: 0, signal: null, stderr: "" });
    if (states[name]?.reached === undefined) return;
    const lines = (await journal()).trim().split("\n");
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ message: { type: "TurnSuspended" } });
    expect(lines.filter((line) => /"type": "(InteractionSettled|TurnEnd)"/.test(line))).toEqual([]);
  });

  test("SIGTERM ends the command, with everything kept written", async () => {
    const { wire, journal } = await enter(name);
    wire.child.kill("SIGTERM");
    const { status, signal } = await wire.ended;
    // Before it has read its options it has no handler yet, and nothing to write.
    if (name === "before initialize") expect(status === 143 || signal === "SIGTERM").toBe(true);
    else expect({ status, signal }).toEqual({ status: 143, signal: null });
    if (states[name]?.reached !== undefined) expect(await journal()).toContain('"TurnSuspended"');
  });
});
