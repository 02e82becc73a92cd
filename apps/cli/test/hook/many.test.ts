import { expect, test } from "vitest";
import { startAskwire } from "../askwire.js";
import { newHome } from "../mcp/hosts.js";
import { someone } from "./someone.js";

/** The hooks of one wave. All are open at once before any is answered. */
const MANY = 50;

test("each of 50 hooks that Claude Code calls at once gets the decision on its own call", async () => {
  const home = await newHome();
  const hooks = Array.from({ length: MANY }, (_, at) => {
    const { child, ended } = startAskwire(["hook", "claude"], {
      env: { ...process.env, CLAUDE_PID: "", ASKWIRE_HOME: home },
    });
    const event = {
      ...{ hook_event_name: "PermissionRequest", session_id: "s1", cwd: "/work/shop" },
      ...{ tool_name: "Bash", tool_input: { command: `make ${at}` } },
    };
    child.stdin.end(JSON.stringify(event));
    return ended;
  });
  const answers: (() => void)[] = [];
  await someone(home, {
    approval: ({ display }) =>
      new Promise((resolve) => {
        const at = Number(/make (\d+)/.exec(JSON.stringify(display))?.[1]);
        const no = { option: "reject", feedback: `not ${at}` };
        answers.push(() => resolve(at % 2 === 0 ? { option: "once" } : no));
      }),
  });
  await expect.poll(() => answers.length, { timeout: 240_000 }).toBe(MANY);
  // The last one is answered first.
  for (const answer of answers.reverse()) answer();
  const ended = await Promise.all(hooks);
  expect(ended.map(({ status }) => status)).toEqual(Array(MANY).fill(0));
  ended.forEach(({ stdout }, at) => {
    const { decision } = JSON.parse(stdout).hookSpecificOutput;
    if (at % 2 === 0) expect(decision).toEqual({ behavior: "allow" });
    else expect(decision).toMatchObject({ behavior: "deny", message: expect.stringContaining(`not ${at}`) });
  });
}, 300_000);
