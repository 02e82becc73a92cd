import { basename } from "node:path";
import { shareFolder } from "@askwire/server";
import type { HookOptions } from "../command-line/hook.js";
import { answerHook } from "../hook/answer.js";
import { watchElsewhere } from "../hook/elsewhere.js";
import { type ClaudeEvent, readHookEvent } from "../hook/event.js";
import { asksByTool } from "../hook/permission-tool.js";
import { onEndSignal } from "../input/end-signals.js";
import { CommandFailure } from "../input/failure.js";
import { standardInput, TOO_LONG } from "../input/standard-input.js";
import { connectPlace } from "../mcp/connected-gateway.js";
import { askedPlace } from "./asked-place.js";

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
  onEndSignal(leave);
  const { signal } = stop;
  const text = await standardInput(signal);
  if (text === undefined) throw new CommandFailure(TOO_LONG);
  const event = readHookEvent(text);
  const pid = Number(process.env.CLAUDE_PID) || undefined;
  const call = event.hook_event_name === "PermissionRequest" ? event : undefined;
  const isAttended = process.env.CLAUDE_CODE_SESSION_ATTENDED !== "0";
  if (call !== undefined && !isAttended && (await asksByTool(pid))) return;
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
