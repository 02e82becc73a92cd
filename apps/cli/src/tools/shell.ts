import { readFileSync } from "node:fs";
import { defineTool, requireApproval, type Tool, ToolError, type ToolReturn } from "@askwire/server";
import * as z from "zod/mini";
import { refuseInPlanMode } from "./plan-mode.js";
import { type CommandEnding, runCommand } from "./run-command.js";

const description = readFileSync(new URL("./shell.md", import.meta.url), "utf8");

/** What `approve_for_session` covers: every further command. */
const RUN_ACTION = "run command";

/** Characters of a command's output that the model is given. */
const MAX_OUTPUT = 50_000;

const Params = z.looseObject({
  command: z.string().check(
    z.describe("The command, for bash."),
    z.refine((command) => command.trim() !== "" && !command.includes("\0"), "a command"),
  ),
  timeout: z._default(
    z.int().check(z.minimum(1), z.maximum(300), z.describe("Seconds after which it is stopped.")),
    60,
  ),
});

/**
 * Runs commands in the work directory, once the person approved them. It is not confined to that directory.
 *
 * @param graceMs how long a command may take to end once it is told to. Default: 2,000.
 */
export function shellTool(workDir: string, graceMs = 2_000): Tool {
  return defineTool({
    name: "Shell",
    description,
    parameters: Params,
    async run({ command, timeout }, run) {
      refuseInPlanMode(run);
      await requireApproval({
        action: RUN_ACTION,
        description: `Run the command \`${command}\``,
        display: [{ type: "shell", language: "bash", command }],
      });
      const { signal } = run;
      const ending = await runCommand({
        command,
        cwd: workDir,
        env: environment(),
        timeoutMs: timeout * 1_000,
        graceMs,
        maxOutput: MAX_OUTPUT,
        signal,
      }).catch((error: NodeJS.ErrnoException) => {
        signal.throwIfAborted();
        const message = `The command could not be started (${error.code ?? error.message}): is the work directory there?`;
        throw new ToolError({ message, brief: "Not started" });
      });
      signal.throwIfAborted();
      return tell(ending, timeout);
    },
  });
}

/** Our own environment without the token, with which a command could answer in the person's place. */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => name.toUpperCase() !== "ASKWIRE_TOKEN");
  return Object.fromEntries(kept);
}

function tell({ output, exitCode, endedBy, timedOut, leftOver }: CommandEnding, timeout: number): ToolReturn {
  const left = leftOver ? " What it left running in the background was stopped." : "";
  if (timedOut) {
    const message = `The command was stopped after ${timeout} s, with all that it started.`;
    return {
      is_error: true,
      output,
      message,
      display: [{ type: "brief", text: `Stopped after ${timeout} s` }],
    };
  }
  if (exitCode === 0) {
    const nothing = output === "" ? " It printed nothing." : "";
    return { output, message: `The command ended with exit code 0.${nothing}${left}` };
  }
  const how = exitCode === null ? `was ended by ${endedBy}` : `ended with exit code ${exitCode}`;
  const short = exitCode === null ? `Ended by ${endedBy}` : `Exit code ${exitCode}`;
  return {
    is_error: true,
    output,
    message: `The command ${how}.${left}`,
    display: [{ type: "brief", text: short }],
  };
}
