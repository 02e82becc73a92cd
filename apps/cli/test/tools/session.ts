import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { modelAgent, scriptedModel } from "@askwire/agent";
import { type ApprovalReply, type ApprovalView, type ClientHandlers, connect } from "@askwire/client";
import type { ToolReturnValue } from "@askwire/protocol";
import { linkedPair } from "@askwire/protocol/testing";
import { createServer, type ServerOptions, type Tool } from "@askwire/server";
import { afterEach, beforeEach } from "vitest";
import { workTools } from "../../src/tools/index.js";

/** A tool's name and its arguments. */
export type Call = readonly [name: string, args: object];

export interface ToolsOptions extends Partial<ServerOptions> {
  /** Default: everything is approved for this once. */
  readonly approval?: (view: ApprovalView) => ApprovalReply | Promise<ApprovalReply>;
  /** Default: the client cannot show questions. */
  readonly question?: ClientHandlers["question"];
  readonly planMode?: boolean;
  /** Default: those of the command. */
  readonly tools?: readonly Tool[];
}

/** A folder with a work directory in it and one beside it, new for each test. */
export function useFolders(): { readonly base: string; readonly work: string; readonly other: string } {
  let base = "";
  beforeEach(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), "askwire-tools-")));
    await mkdir(join(base, "work"));
    await mkdir(join(base, "other"));
  });
  afterEach(() => rm(base, { recursive: true, force: true }));
  return {
    get base() {
      return base;
    },
    get work() {
      return join(base, "work");
    },
    get other() {
      return join(base, "other");
    },
  };
}

/** Makes a named pipe, for which Node has no call. */
export function makePipe(path: string): void {
  execFileSync("/bin/sh", ["-c", 'mkfifo "$0"', path]);
}

/** A client on the wire with an agent whose model makes these calls: all calls of a step together. */
export async function openTools(
  workDir: string,
  steps: readonly (readonly Call[])[],
  options: ToolsOptions = {},
) {
  const { approval = () => "approve", question, tools = workTools({ workDir }), ...serverOptions } = options;
  const scripts = steps.map((calls, step) =>
    calls
      .map(([name, args], index) => {
        const call = { id: `tc-${step + 1}-${index + 1}`, name, arguments: JSON.stringify(args) };
        return `tool_call: ${JSON.stringify(call)}`;
      })
      .join("\n"),
  );
  const { left, right } = linkedPair();
  const ignore = () => {};
  const server = createServer({
    agent: () => modelAgent({ model: scriptedModel([...scripts, "text: Done."]), tools }),
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    ...serverOptions,
  });
  const { session: serverSession } = server.connect(left);
  const approvals: ApprovalView[] = [];
  const results: ToolReturnValue[] = [];
  const session = await connect(right, {
    shows: { approvalOptions: true, edits: true },
    handlers: {
      ...(question !== undefined && { question }),
      approval(view) {
        approvals.push(view);
        return approval(view);
      },
      event(event) {
        if (event.type === "ToolResult") results.push(event.payload.return_value);
      },
    },
  });
  return { session, serverSession, approvals, results };
}

/** Makes the calls one after another, and gives what each came to and what was asked. */
export async function callTools(workDir: string, calls: readonly Call[], options: ToolsOptions = {}) {
  const steps = calls.map((call) => [call]);
  const { planMode = false, ...others } = options;
  const { session, approvals, results } = await openTools(workDir, steps, others);
  if (planMode) await session.setPlanMode(true);
  const { status } = await session.prompt("go").result;
  await session.close();
  return { status, approvals, results };
}

/** Makes one call that nobody is asked more about than whether it may. */
export async function callTool(workDir: string, name: string, args: object, options: ToolsOptions = {}) {
  const { results, approvals } = await callTools(workDir, [[name, args]], options);
  const [result] = results;
  if (result === undefined) throw new Error(`${name} had no result`);
  return { ...result, approvals };
}
