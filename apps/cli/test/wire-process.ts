import { type ChildProcess, spawn } from "node:child_process";
import { onTestFinished } from "vitest";
import { command } from "./askwire.js";

/** A message as it came, unchecked. */
export interface Message {
  readonly jsonrpc: string;
  readonly id?: string | null;
  readonly method?: string;
  readonly params?: { readonly type: string; readonly payload: Record<string, unknown> };
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data: unknown };
}

/** The built command, or another `program`, as its client sees it: lines in, lines out. */
export interface WireProcess {
  /** Writes one line: an object as JSON, text and bytes as they are. */
  send(line: object | string | Uint8Array): void;
  /** A request of ours; resolves with its response. */
  call(method: string, params?: object): Promise<Message>;
  /**
   * Resolves with the first message that fits, also if it came before. Rejects after the time, by default a minute, or
   * when there will be none.
   */
  seen(which: (message: Message) => boolean, deadlineMs?: number): Promise<Message>;
  /** All messages so far. */
  readonly messages: readonly Message[];
  /** Lines on standard output that are no messages. */
  readonly noise: readonly string[];
  /** Ends the input. */
  end(): void;
  readonly child: ChildProcess;
  readonly ended: Promise<{ status: number | null; signal: NodeJS.Signals | null; stderr: string }>;
}

const DEADLINE_MS = 60_000;

interface LaunchOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly program?: readonly string[];
}

/** A process that ends with its test. */
export function launch(args: readonly string[], options?: LaunchOptions): WireProcess {
  const wire = launchOnly(args, options);
  onTestFinished(() => void wire.child.kill("SIGKILL"));
  return wire;
}

/** A process that its caller ends. */
export function launchOnly(args: readonly string[], options: LaunchOptions = {}): WireProcess {
  const { cwd = process.cwd(), program = [process.execPath, command] } = options;
  const env = { ...process.env, ...options.env };
  const [file = "", ...first] = program;
  const child = spawn(file, [...first, ...args], { cwd, env });
  const messages: Message[] = [];
  const noise: string[] = [];
  const watchers = new Set<() => void>();
  let stderr = "";
  let rest = "";
  let over = false;
  let lastId = 0;

  const notify = () => {
    for (const watcher of [...watchers]) watcher();
  };
  child.stdin.on("error", () => {});
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) read(line);
    notify();
  });
  const ended: WireProcess["ended"] = new Promise((resolve) => {
    child.on("close", (status, signal) => {
      over = true;
      if (rest !== "") noise.push(rest);
      notify();
      resolve({ status, signal, stderr });
    });
  });

  function read(line: string): void {
    try {
      messages.push(JSON.parse(line));
    } catch {
      noise.push(line);
    }
  }

  function send(line: object | string | Uint8Array): void {
    child.stdin.write(typeof line === "string" || line instanceof Uint8Array ? line : JSON.stringify(line));
    child.stdin.write("\n");
  }

  function seen(which: (message: Message) => boolean, deadlineMs = DEADLINE_MS): Promise<Message> {
    return new Promise((resolve, reject) => {
      const settle = (found?: Message) => {
        clearTimeout(timer);
        watchers.delete(look);
        if (found !== undefined) resolve(found);
        else reject(new Error(`no such message; there came ${JSON.stringify(messages, null, 1)}\n${stderr}`));
      };
      const look = () => {
        const found = messages.find(which);
        if (found !== undefined || over) settle(found);
      };
      const timer = setTimeout(settle, deadlineMs);
      watchers.add(look);
      look();
    });
  }

  return {
    send,
    seen,
    call(method, params) {
      lastId += 1;
      const id = `c-${lastId}`;
      send({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) });
      return seen((message) => message.id === id && message.method === undefined);
    },
    messages,
    noise,
    end: () => void child.stdin.end(),
    child,
    ended,
  };
}

export const isEvent = (type: string) => (message: Message) =>
  message.method === "event" && message.params?.type === type;

export const isRequest = (type: string) => (message: Message) =>
  message.method === "request" && message.params?.type === type;
