import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { onLines } from "@askwire/protocol/node";
import { onTestFinished } from "vitest";

/** A message of a server, as it came. */
export interface Message {
  readonly id?: string | null;
  readonly method?: string;
  readonly params?: { readonly type: string; readonly payload: Record<string, unknown> };
  readonly result?: Record<string, unknown>;
}

/** A program that speaks to a client over its standard streams, and may be killed. */
export function startProgram(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
) {
  const child: ChildProcess = spawn(command, args, { ...options, stdio: ["pipe", "pipe", "inherit"] });
  const received: Message[] = [];
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const resume of waiting) resume();
  };
  const ended = once(child, "close").then(wake);
  let isOver = false;
  void ended.then(() => {
    isOver = true;
    wake();
  });
  onLines(child.stdout as Readable, (line) => {
    received.push(JSON.parse(line));
    wake();
  });
  onTestFinished(() => void child.kill("SIGKILL"));

  async function until(find: () => Message | undefined): Promise<Message> {
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      if (isOver) throw new Error("the program ended before that");
      await new Promise<void>((resolve) => waiting.add(resolve));
    }
  }

  const send = (message: object) => child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  return {
    send,
    reply: ({ id }: Message, result: object) => send({ id, result: { request_id: id, ...result } }),
    /** Introduces a client that shows questions. */
    meet() {
      const capabilities = { supports_question: true, supports_plan_mode: false };
      send({
        id: "1",
        method: "initialize",
        params: { protocol_version: "1.10", client: { name: "t" }, capabilities },
      });
      return until(() => received.find(({ id, result }) => id === "1" && result !== undefined));
    },
    prompt: (user_input: string) => send({ id: "2", method: "prompt", params: { user_input } }),
    /** The first question or approval, other than one of this id. */
    asked: (before?: Message) =>
      until(() =>
        received.find(
          ({ id, params }) => params?.type.endsWith("Request") === true && (id ?? "") !== (before?.id ?? ""),
        ),
      ),
    /** The n-th event or request of a type, from 1. */
    seen: (type: string, n = 1) => until(() => received.filter(({ params }) => params?.type === type)[n - 1]),
    /** The text that was said so far. */
    said: () =>
      received
        .flatMap(({ params }) => (params?.type === "ContentPart" ? [String(params.payload.text)] : []))
        .join(""),
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
    async end() {
      child.stdin?.end();
      await ended;
    },
  };
}
