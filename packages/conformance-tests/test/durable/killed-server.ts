// A server of kept sessions whose messages go over the IPC channel, and which may kill itself. Tests bundle it.
// Arguments: the folder of the sessions, the session of the crash, and the number of the act in it, 0 for none.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { ChannelSink, MessageChannel } from "@askwire/protocol";
import { createServer, keepIn } from "@askwire/server";
import { nodeDisk } from "@askwire/server/internal";
import { oneByOne, scriptedAgent } from "./agent.js";
import { faultyDisk } from "./faulty-disk.js";
import { type Process, startProcess } from "./process.js";

/** A message to the server or from it, by the number of its connection. */
export interface Parcel {
  readonly connection: number;
  /** The session of a new connection. */
  readonly session?: string;
  readonly text?: string;
}

const quietLog = { debug() {}, info() {}, warn() {}, error() {} };
const [share = "", doomed = "", n = "0"] = process.argv.slice(2);
const dying = startProcess({ n: Number(n), when: "after" });
dying.onEnd(() => process.kill(process.pid, "SIGKILL"));
const going = startProcess();
const processOf = (session: string): Process => (session === doomed ? dying : going);

const server = createServer({
  agent: (session) =>
    scriptedAgent(oneByOne, {
      asksModel() {},
      runs() {},
      goesOn() {},
      writes(effect) {
        const line = `${session.id} ${effect}\n`;
        processOf(session.id).act("effect", () => appendFileSync(join(share, "effects"), line), undefined);
      },
    })(session),
  log: quietLog,
  keep: (id) =>
    keepIn({ share, workDir: "/project", log: quietLog, disk: faultyDisk(nodeDisk, processOf(id)) })(id),
});

const sinks = new Map<number, ChannelSink>();

function channel(connection: number, session: string): MessageChannel {
  return {
    send(text) {
      processOf(session).act("send", () => void process.send?.({ connection, text }), undefined);
    },
    listen: (sink) => void sinks.set(connection, sink),
    close() {
      sinks.get(connection)?.closed();
      sinks.delete(connection);
    },
    drained: () => Promise.resolve(),
  };
}

const sessions = new Map<number, string>();

process.on("message", ({ connection, session: id, text }: Parcel) => {
  if (id !== undefined) {
    const session = server.sessions.get(id) ?? server.createSession({ id, stay: true });
    sessions.set(connection, id);
    server.connect(channel(connection, id), { session, graceMs: 600_000 });
  }
  if (text === undefined) return;
  const sink = sinks.get(connection);
  processOf(sessions.get(connection) ?? "").act("read", () => sink?.message(text), undefined);
});
process.on("disconnect", () => process.exit(0));
process.send?.("ready");
