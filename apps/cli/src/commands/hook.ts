import { basename } from "node:path";
import { addAbortSignal } from "node:stream";
import { shareFolder } from "@askwire/server";
import type { HookOptions } from "../command-line/hook.js";
import { answerHook } from "../hook/answer.js";
import { watchElsewhere } from "../hook/elsewhere.js";
import { type ClaudeEvent, readHookEvent } from "../hook/event.js";
import { CommandFailure } from "../input/failure.js";
import { connectPlace } from "../mcp/connected-gateway.js";
import { askedPlace } from "./asked-place.js";

/** The longest event, in bytes. */
const MOST_READ = 16 * 1_048_576;
/** The time that a hook has to withdraw what it asked, in milliseconds. */
const WITHDRAW_MS = 2_000;

/**
 * Puts one event of Claude Code to people, and prints their decision. It prints nothing without one, which leaves the
 * event to Claude Code: the same as if there were no hook.
 */
export async function hookClaude(options: HookOptions): Promise<void> {
  const stop = new AbortController();
  const leave = () => {
    stop.abort();
    setTimeout(() => process.exit(), WITHDRAW_MS).unref();
  };
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(name, leave);
  const { signal } = stop;
  const event = readHookEvent(await standardInput(signal));
  const pid = Number(process.env.CLAUDE_PID) || undefined;
  const call = event.hook_event_name === "PermissionRequest" ? event : undefined;
  const endWatch = watchElsewhere(call, pid, leave);
  const { timeout, defer = false } = options;
  const late = timeout === undefined ? undefined : setTimeout(leave, timeout * 1_000);
  try {
    const tell = (line: string) => void process.stderr.write(`askwire: hook: ${line}\n`);
    const place = askedPlace("hook claude", shareFolder(process.env, { kimi: false }), options);
    const session = await connectPlace(nameOf(event), place, tell, signal);
    const reply = await answerHook(event, session, { signal, defer });
    if (reply !== undefined && !signal.aborted) process.stdout.write(`${JSON.stringify(reply)}\n`);
    await session.close();
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    endWatch();
    clearTimeout(late);
  }
}

const nameOf = ({ cwd = process.cwd() }: ClaudeEvent) => `Claude Code in ${basename(cwd) || cwd}`;

async function standardInput(signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of addAbortSignal(signal, process.stdin)) {
    size += chunk.length;
    if (size > MOST_READ) throw new CommandFailure(`the event is longer than ${MOST_READ} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
