import { spawn } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import { startAskwire } from "../askwire.js";
import { newHome } from "../mcp/hosts.js";
import { someone } from "./someone.js";

const event = {
  ...{ hook_event_name: "PermissionRequest", session_id: "s1", cwd: "/work/shop" },
  ...{ tool_name: "Bash", tool_input: { command: "npm test" } },
};

/** A hook of a Claude Code that was started with these arguments. */
function startHook(home: string, args: readonly string[], attended: "0" | "1") {
  const claude = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)", "--", ...args]);
  onTestFinished(() => void claude.kill("SIGKILL"));
  const env = { CLAUDE_PID: String(claude.pid), CLAUDE_CODE_SESSION_ATTENDED: attended, ASKWIRE_HOME: home };
  const { child, ended } = startAskwire(["hook", "claude"], { env: { ...process.env, ...env } });
  child.stdin.end(JSON.stringify(event));
  return ended;
}

test.skipIf(process.platform === "win32")(
  "a run that asks by the permission tool is asked about once: the hook leaves the call to it",
  async () => {
    const asked = ["-p", "go", "--permission-prompt-tool", "mcp__askwire__approve"];
    expect(await startHook(await newHome(), asked, "0")).toMatchObject({ stdout: "", stderr: "", status: 0 });
  },
);

test.each<[string, readonly string[], "0" | "1"]>([
  ["without the tool", ["-p", "go"], "0"],
  ["with somebody else's tool", ["-p", "--permission-prompt-tool", "mcp__other__approve"], "0"],
  [
    "at a terminal, which takes no heed of the tool",
    ["--permission-prompt-tool", "mcp__askwire__approve"],
    "1",
  ],
])("a run %s is asked about by the hook", async (_what, args, attended) => {
  const home = await newHome();
  const ended = startHook(home, args, attended);
  await someone(home, { approval: () => ({ option: "once" }) });
  expect((await ended).stdout).toContain('"allow"');
});
