import type { Duplex } from "node:stream";
import { outlet } from "../faults/outlet.js";
import { frame, frameReader, opcodes, textFrames } from "../web-socket-frames.js";
import { inbox, type Line, type Surroundings } from "./line.js";
import { outgoing } from "./outgoing.js";

/** A WebSocket of a client, of which a check plays the server. */
export interface WebSocketLine extends Line {
  /** Writes a frame unchanged. */
  frame(opcode: number, payload: Uint8Array, isLast?: boolean): void;
  /** Closes it by a code. */
  close(code: number): void;
  /** Decides whether it is cut and opened again, where such faults are ordered. */
  loses(): boolean;
  /** Cuts it without a word. */
  drop(): void;
  /** The contents of each pong so far. */
  readonly pongs: readonly string[];
  /** Resolves at the end with the client's close code: 1005 for a close without a code, 1006 without a close. */
  readonly closed: Promise<number>;
}

/** The limit of a client's output on one connection, in bytes. */
const MAX_RECEIVED = 64 * 1_048_576;
const ABNORMAL = 1006;

/** Speaks on an upgraded stream. `head` has the bytes that came with the upgrade. */
export function webSocketLine(
  stream: Duplex,
  head: Buffer,
  surroundings: Surroundings & { readonly name: string },
): WebSocketLine {
  const { name, transcript, rules } = surroundings;
  const onSent = (text: string) => {
    rules.told(text);
    surroundings.onSent(text);
  };
  const player = surroundings.player?.();
  const pongs: string[] = [];
  let received = 0;
  let code: number | undefined;
  let saidClose = false;

  const write = (opcode: number, payload: Uint8Array, isLast = true) => {
    if (!stream.destroyed && stream.writable) stream.write(frame(opcode, payload, isLast));
  };
  const out = outlet({
    player,
    write: textFrames(frame, (bytes) => {
      if (!stream.destroyed && stream.writable) stream.write(bytes);
    }),
    note: (what) => transcript.add("note", what),
  });
  const send = (message: object) => {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    transcript.add("sent", text);
    out.send([outgoing(message)]);
    onSent(text);
  };
  let parts = "";
  /** Writes a frame of the check's own, which may be part of a message. */
  const writePart = (opcode: number, payload: Uint8Array, isLast = true) => {
    out.after(() => write(opcode, payload, isLast));
    if (opcode !== opcodes.text && opcode !== opcodes.more) return;
    parts += Buffer.from(payload).toString("latin1");
    if (isLast) onSent(Buffer.from(parts, "latin1").toString());
    if (isLast) parts = "";
  };
  const close = (payload: Uint8Array) => {
    if (!saidClose) write(opcodes.close, payload);
    saidClose = true;
  };
  const { hear, finish, take, messages } = inbox(surroundings, send);

  const read = frameReader(
    {
      message(opcode, payload) {
        if (opcode === opcodes.ping) return write(opcodes.pong, payload);
        if (opcode === opcodes.pong) return void pongs.push(payload.toString());
        if (opcode !== opcodes.close) return hear(payload);
        code ??= payload.length < 2 ? 1005 : payload.readUInt16BE(0);
        close(payload.subarray(0, 2));
        stream.end();
      },
      broken(expected) {
        transcript.add("note", `${name} sent something else than ${expected}`);
        stream.destroy();
      },
    },
    "client",
  );
  const data = (chunk: Buffer) => {
    received += chunk.length;
    if (received > MAX_RECEIVED) stream.destroy();
    else read(chunk);
  };
  const closed = new Promise<number>((resolve) => {
    stream.once("close", () => {
      const by = code ?? ABNORMAL;
      transcript.add("note", `${name} is over, with the client's code ${by}`);
      finish("the end of the connection");
      resolve(by);
    });
  });
  stream.on("error", () => stream.destroy());
  stream.on("data", data);
  stream.on("end", () => stream.end());
  data(head);

  return {
    messages,
    take,
    pongs,
    closed,
    send(...sent) {
      for (const message of sent) send(message);
    },
    frame: writePart,
    loses: () => player?.happens("drop") ?? false,
    close(number) {
      const payload = Buffer.alloc(2);
      payload.writeUInt16BE(number);
      transcript.add("note", `${name} is closed with ${number}`);
      out.after(() => close(payload));
    },
    drop() {
      transcript.add("note", `${name} is cut`);
      out.after(() => stream.destroy());
    },
  };
}
