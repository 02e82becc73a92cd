import type { Outcome } from "@askwire/protocol";
import {
  type ApprovalOptionInit,
  ask,
  defineTool,
  requireApproval,
  type Tool,
  ToolError,
  type ToolReturn,
} from "@askwire/server";
import * as z from "zod/mini";
import { commandEnvironment } from "../process/command-environment.js";
import { commandScope } from "./command-scope.js";
import { refuseInPlanMode } from "./plan-mode.js";
import { shell as description } from "./prose.js";
import { type CommandEnding, runCommand } from "./run-command.js";

/** The action of a command. */
const RUN_ACTION = "run command";

/** The most characters of a command's output for the model. */
const MAX_OUTPUT = 50_000;

/** The seconds added when the person says to keep waiting, and the seconds for that answer. */
const MORE_TIME = 600;

/** The most characters of a command that the person may change, and of a changed one that the model is told. */
const MOST_EDITED = 16_384;
const MAX_TOLD = 4_000;

/** The most characters of a command shown in its question. */
const MAX_SHOWN = 200;

const Params = z.looseObject({
  command: z.string().check(
    z.describe("The command, for bash."),
    z.refine((command) => command.trim() !== "" && !command.includes("\0"), "a command"),
  ),
  timeout: z._default(
    z.int().check(z.minimum(1), z.maximum(300), z.describe("Seconds that it may take.")),
    60,
  ),
});

/**
 * Runs commands in the work directory, after the person's approval. A command is not confined to that directory.
 *
 * @param graceMs how long a command may take to end once it is told to. Default: 2,000.
 */
export function shellTool(workDir: string, graceMs = 2_000): Tool {
  return defineTool({
    name: "Shell",
    description,
    parameters: Params,
    restart: "asks-first",
    async run({ command, timeout }, run) {
      refuseInPlanMode(run);
      const { edited } = await requireApproval({
        action: RUN_ACTION,
        ...optionsFor(command),
        description: `Run the command \`${command}\``,
        display: [{ type: "shell", language: "bash", command }],
        ...(command.length <= MOST_EDITED && {
          edit: { content: command, language: "bash", max_length: MOST_EDITED, check: commandProblem },
        }),
      });
      const { signal } = run;
      const time: TimeGiven = { seconds: timeout, whyEnded: "" };
      const ending = await runCommand({
        command: edited ?? command,
        cwd: workDir,
        env: commandEnvironment(process.env),
        timeoutMs: timeout * 1_000,
        moreTime: (over) => askForTime(edited ?? command, time, over),
        graceMs,
        maxOutput: MAX_OUTPUT,
        onOutput: (text) => run.printed(text),
        signal,
      }).catch((error: NodeJS.ErrnoException) => {
        signal.throwIfAborted();
        const message = `The command could not be started (${error.code ?? error.message}): is the work directory there?`;
        throw new ToolError({ message, brief: "Not started" });
      });
      signal.throwIfAborted();
      return tell(ending, time, changedTo(edited));
    },
  });
}

/** The ways to approve a command: this once and, of a reader, further commands of it (P-XAO-7). */
function optionsFor(command: string): { options: ApprovalOptionInit[]; for_session?: string } {
  const scope = commandScope(command);
  const once: ApprovalOptionInit = { id: "approve", kind: "allow" };
  if (scope === undefined) return { options: [once] };
  return { options: [once, { id: "program", kind: "allow", scope }], for_session: "program" };
}

/** The mistake of a command that the person wrote; undefined if there is none. */
const commandProblem = (command: string) =>
  command.trim() === "" || command.includes("\0") ? "expected a command" : undefined;

/** The words for the model on a command that the person changed; empty for an unchanged command. */
function changedTo(edited: string | undefined): string {
  if (edited === undefined) return "";
  const shown = edited.length > MAX_TOLD ? `${edited.slice(0, MAX_TOLD)}…` : edited;
  return `The user changed the command before it ran, to: ${shown}\n`;
}

/** The time for a command, and the reason for the model if there is no more. */
interface TimeGiven {
  seconds: number;
  whyEnded: string;
}

/**
 * Asks for more time for a command whose time is up, if a person can be asked. The time of asking does not count.
 * Resolves with the added milliseconds.
 */
async function askForTime(command: string, time: TimeGiven, signal: AbortSignal): Promise<number> {
  const shown = command.length > MAX_SHOWN ? `${command.slice(0, MAX_SHOWN)}…` : command;
  const { answer, outcome } = await ask(
    {
      header: "Shell",
      question: `The command \`${shown}\` has not ended within ${time.seconds} s. Keep waiting for it?`,
      options: [
        {
          id: "wait",
          label: "Keep waiting",
          description: `${MORE_TIME / 60} minutes more, then you are asked again`,
        },
        { id: "end", label: "End it", description: "It is stopped, with all that it started" },
      ],
      own_text: false,
    },
    { deadline: { ms: MORE_TIME * 1_000, on_expiry: "cancel" }, signal },
  );
  if (answer !== "wait") {
    time.whyEnded = whyEnded(answer, outcome);
    return 0;
  }
  time.seconds += MORE_TIME;
  return MORE_TIME * 1_000;
}

function whyEnded(answer: "end" | undefined, { status, note }: Outcome): string {
  if (answer === "end") return " The user chose to end it rather than to keep waiting.";
  if (status === "unavailable") return "";
  const said = note === undefined ? "" : ` They said: ${note}`;
  return ` The user was asked whether to keep waiting for it, and did not choose to.${said}`;
}

/** @param changed the text in front of the message: that the person changed the command. */
function tell(
  { output, exitCode, endedBy, timedOut, leftOver }: CommandEnding,
  time: TimeGiven,
  changed: string,
): ToolReturn {
  const left = leftOver ? " What it left running in the background was stopped." : "";
  if (timedOut) {
    const { seconds, whyEnded } = time;
    const message = `${changed}The command was stopped after ${seconds} s, with all that it started.${whyEnded}`;
    return {
      is_error: true,
      output,
      message,
      display: [{ type: "brief", text: `Stopped after ${seconds} s` }],
    };
  }
  if (exitCode === 0) {
    const nothing = output === "" ? " It printed nothing." : "";
    return { output, message: `${changed}The command ended with exit code 0.${nothing}${left}` };
  }
  const how = exitCode === null ? `was ended by ${endedBy}` : `ended with exit code ${exitCode}`;
  const short = exitCode === null ? `Ended by ${endedBy}` : `Exit code ${exitCode}`;
  return {
    is_error: true,
    output,
    message: `${changed}The command ${how}.${left}`,
    display: [{ type: "brief", text: short }],
  };
}
