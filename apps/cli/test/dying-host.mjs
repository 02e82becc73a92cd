// A host that can be killed: it starts the command that its arguments name, hands on what it is told, and tells the
// process of the command.
import { spawn } from "node:child_process";

const child = spawn(process.execPath, process.argv.slice(2), {
  stdio: ["pipe", "pipe", "inherit"],
  env: { ...process.env, CLAUDE_PID: String(process.pid) },
});
process.send?.(child.pid);
child.stdin.on("error", () => {});
process.stdin.pipe(child.stdin);
child.stdout.pipe(process.stdout);
child.once("close", () => process.exit());
