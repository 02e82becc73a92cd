import { CheckFailure } from "../contract/check.js";
import { outlet } from "../faults/outlet.js";
import type { Player } from "../faults/player.js";
import { onStream } from "../faults/stream.js";
import { byteLines } from "../programs/byte-lines.js";
import { type Exit, exitInWords, type ProcessGroup } from "../programs/process-group.js";
import { CarriedWire, type CheckedWire, type WireOptions } from "./wire.js";

/** A server under check on its standard streams: bytes in, messages out. */
export interface WireServer extends CheckedWire {
  readonly pid: number | undefined;
  /** Writes bytes as they are. Resolves when the pipe has taken them. */
  write(bytes: string | Uint8Array): Promise<void>;
  /** Stops reading its output until `resume`. */
  stall(): void;
  resume(): void;
  /** Bytes that came and are not read because of a stall. */
  readonly unread: number;
  /** Ends its input. */
  end(): void;
  /** Sends it SIGTERM, as a client does that wants it to end. */
  terminate(): void;
  /** Kills all its processes at once, as a crash does. Resolves when they have ended. */
  kill(): Promise<Exit>;
  readonly exit: Promise<Exit>;
}

export interface WireServerOptions extends Pick<WireOptions, "record" | "awaiting"> {
  readonly group: ProcessGroup;
  /** Absent where no faults are ordered. */
  readonly player: Player | undefined;
}

export function wireServer({ group, record, awaiting, player }: WireServerOptions): WireServer {
  const { child } = group;
  const out = outlet({
    player,
    write: (parts) => void child.stdin.write(onStream(parts)),
    note: (text) => record({ kind: "note", text }),
  });
  const wire = new CarriedWire({
    transmit: (text, mayRepeat) => out.send([{ bytes: Buffer.from(text), mayRepeat }]),
    repeatsAnswers: () => player?.happens("repeat") ?? false,
    record,
    awaiting,
  });
  const { push, end } = byteLines((line) => wire.take(line));
  child.stdout.on("data", push);
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    for (const line of text.trimEnd().split("\n")) record({ kind: "stderr", text: line });
  });
  const exit = group.ended.then((exit) => {
    const how = exitInWords(exit);
    record({ kind: "note", text: how });
    const rest = end();
    if (rest.length > 0 && exit.signal === null)
      wire.violated(new CheckFailure("a line feed after the last line", Buffer.from(rest).toString()));
    wire.finish((wanted) => new CheckFailure(wanted, how));
    return exit;
  });

  return {
    ...wire,
    get violation() {
      return wire.violation;
    },
    pid: child.pid,
    write(bytes) {
      wire.sending(typeof bytes === "string" ? bytes : Buffer.from(bytes).toString());
      return new Promise((resolve) => out.after(() => void child.stdin.write(bytes, () => resolve())));
    },
    stall: () => void child.stdout.pause(),
    resume: () => void child.stdout.resume(),
    get unread() {
      return child.stdout.readableLength;
    },
    end: () => out.after(() => void child.stdin.end()),
    terminate: () => out.after(() => void child.kill("SIGTERM")),
    kill() {
      out.after(() => void group.destroy());
      return exit;
    },
    exit,
  };
}
