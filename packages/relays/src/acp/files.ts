import { realpath } from "node:fs/promises";
import { relative, sep } from "node:path";
import { readInside } from "@askwire/agent/internal";
import { applyWrite, planWrite, WorkFolderError } from "@askwire/agent/work-folder";
import { randomId } from "@askwire/protocol/internal";
import { type AgentSession, ApprovalRequest } from "@askwire/server";
import { askElicited } from "../elicitation/ask-person.js";
import { AcpError } from "./acp-error.js";
import { wholeFileDiff } from "./diff-blocks.js";
import { readParams } from "./reading.js";
import { ReadFile, WriteFile } from "./shapes.js";
import type { AgentCall } from "./tool-call.js";

/** The surroundings of a file request. */
export interface FilePlace {
  readonly session: AgentSession;
  /** The call that the request belongs to; undefined where nobody knows. */
  call(): AgentCall | undefined;
  /** True for a change that was shown to a person who allowed it. */
  isAllowed(path: string, oldText: string | null, newText: string): boolean;
}

/** The error for a resource that is not there. */
const notFound = (path: string) => new AcpError("notFound", `there is no file ${path}`);

/** Answers `fs/read_text_file`, inside the work folder alone. */
export async function readTextFile(params: unknown, { session }: FilePlace): Promise<{ content: string }> {
  const { path, line, limit } = readParams(ReadFile, params);
  const text = await readInside(session.workDir, await insidePath(session.workDir, path)).catch(refused);
  if (text === null) throw notFound(path);
  if (line == null && limit == null) return { content: text };
  const first = Math.max(0, (line ?? 1) - 1);
  const lines = text.split("\n");
  return { content: lines.slice(first, limit == null ? undefined : first + limit).join("\n") };
}

/** Answers `fs/write_text_file`: shows the person the difference, and writes where they allow that. */
export async function writeTextFile(params: unknown, signal: AbortSignal, place: FilePlace): Promise<object> {
  const { path, content } = readParams(WriteFile, params);
  const { session } = place;
  if (session.planMode) throw new AcpError("internal", "plan mode is on: nothing may be written now");
  const inside = await insidePath(session.workDir, path);
  const plan = await planWrite(session.workDir, inside, () => content).catch(refused);
  if (!plan.changed) return {};
  if (!place.isAllowed(path, plan.old_text, content)) {
    const request = new ApprovalRequest({
      tool_call_id: place.call()?.toolCallId ?? randomId(),
      sender: "fs/write_text_file",
      action: "write file",
      description: `${plan.old_text === null ? "Create" : "Change"} the file ${inside}`,
      display: [wholeFileDiff(plan.absolute, plan.old_text, content)],
      options: [
        { id: "approve", kind: "allow" },
        { id: "file", kind: "allow", scope: { kind: "file", value: inside } },
        { id: "action", kind: "allow", scope: { kind: "action" } },
      ],
      for_session: "action",
    });
    const { outcome, answer } = await askElicited(session, request, signal);
    if (answer === undefined || answer.response === "reject") {
      const words = answer?.feedback.trim() ?? outcome.note ?? "";
      const why = words === "" ? "" : `: ${words}`;
      throw new AcpError("internal", `${path} was not written: nobody allowed that${why}`);
    }
  }
  signal.throwIfAborted();
  await applyWrite(plan).catch(refused);
  return {};
}

/** A path from the work folder. A path outside stays unchanged, and is refused where it is used. */
async function insidePath(workDir: string, path: string): Promise<string> {
  const real = await realpath(workDir);
  for (const folder of [workDir, real]) {
    const inside = relative(folder, path);
    if (inside !== "" && inside !== ".." && !inside.startsWith(`..${sep}`))
      return inside.split(sep).join("/");
  }
  return path;
}

function refused(error: unknown): never {
  if (error instanceof WorkFolderError) throw new AcpError("invalidParams", error.message);
  throw error;
}
