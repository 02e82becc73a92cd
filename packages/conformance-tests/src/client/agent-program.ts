import { chmod, writeFile } from "node:fs/promises";
import { PROTOCOL_VERSION } from "@askwire/protocol";

/** The frames between the suite and the agent's process: a byte for the kind, four for the length, the content. */
export const framesUp = { hello: 1, data: 2, end: 3, signal: 4 } as const;
export const framesDown = { data: 1, closeInput: 2, exit: 3 } as const;
export const FRAME_HEAD = 5;

interface Settings {
  /** The socket where the suite listens. */
  readonly address: string;
  /** The text that `info` prints, which some clients run first. */
  readonly info: string;
  readonly up: typeof framesUp;
  readonly down: typeof framesDown;
  readonly head: typeof FRAME_HEAD;
}

/**
 * The program of the agent: it carries bytes between the client and the suite, and obeys the suite. Run from its own
 * text, it uses nothing from outside itself.
 */
function relay(require: NodeJS.Require, { address, info, up, down, head }: Settings): void {
  const { connect } = require("node:net") as typeof import("node:net");
  const { argv, env, pid, stdin, stdout } = process;
  if (argv.includes("info")) return void stdout.write(info);
  const socket = connect(address);
  const tell = (kind: number, content: Uint8Array) => {
    const start = Buffer.alloc(head);
    start.writeUInt8(kind);
    start.writeUInt32BE(content.length, 1);
    socket.write(Buffer.concat([start, content]));
  };
  const obey = (kind: number | undefined, content: Buffer) => {
    if (kind === down.data) stdout.write(content);
    else if (kind === down.closeInput) stdin.destroy();
    else if (kind === down.exit) process.exit(content.readUInt8());
  };
  let waiting = Buffer.alloc(0);
  socket.on("data", (chunk) => {
    waiting = Buffer.concat([waiting, chunk]);
    while (waiting.length >= head && waiting.length >= head + waiting.readUInt32BE(1)) {
      const end = head + waiting.readUInt32BE(1);
      obey(waiting[0], waiting.subarray(head, end));
      waiting = waiting.subarray(end);
    }
  });
  socket.on("error", () => {});
  socket.on("close", () => process.exit(0));
  tell(up.hello, Buffer.from(JSON.stringify({ argv: argv.slice(2), cwd: process.cwd(), env, pid })));
  stdin.on("data", (chunk: Buffer) => tell(up.data, chunk));
  stdin.on("end", () => tell(up.end, Buffer.alloc(0)));
  stdin.on("error", () => {});
  stdout.on("error", () => {});
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.on(signal, () => tell(up.signal, Buffer.from(signal)));
  }
}

/** A program to start: its file, and the words before all other arguments. */
export interface Executable {
  readonly file: string;
  readonly words: readonly string[];
}

/**
 * Writes the program that a client launches as its agent. Windows runs no script by its path, so there the agent is
 * Node with the program as first argument.
 *
 * @param path its path, in a folder where only this user may write. Its program is put beside it.
 * @param address the socket where the suite listens.
 * @param node the words before a script that run it. Default: the Node of this process.
 */
export async function writeAgent(
  path: string,
  address: string,
  {
    platform = process.platform,
    node = [process.execPath],
  }: { readonly platform?: NodeJS.Platform; readonly node?: readonly string[] | undefined } = {},
): Promise<Executable> {
  const info = `${JSON.stringify({ kimi_cli_version: "1.49.0", wire_protocol_version: PROTOCOL_VERSION })}\n`;
  const settings: Settings = { address, info, up: framesUp, down: framesDown, head: FRAME_HEAD };
  const program = `${path}.cjs`;
  await writeFile(program, `(${relay})(require, ${JSON.stringify(settings)});\n`);
  const start = [...node, program];
  if (platform === "win32") return { file: start[0] ?? process.execPath, words: start.slice(1) };
  await writeFile(path, `#!/bin/sh\nexec ${start.map(quoted).join(" ")} "$@"\n`);
  await chmod(path, 0o700);
  return { file: path, words: [] };
}

/** A text as one word of the shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
