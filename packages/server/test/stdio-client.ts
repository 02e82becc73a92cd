import { PassThrough } from "node:stream";
import { LineDecoder } from "@askwire/protocol";
import {
  createServer,
  type ServerOptions,
  type Session,
  type StdioOptions,
  serveStdio,
} from "../src/index.js";

/** A request of the server's that waits for an answer. */
export interface Answerable {
  readonly id: string;
  readonly type: string;
  readonly payload: Record<string, unknown>;
}

/** A client on streams that sends whatever it is told, and counts what comes back. */
export interface StdioClient {
  readonly session: Session;
  /** The number of answers for each id, and the codes of errors without an id. */
  readonly responses: ReadonlyMap<string | number, number>;
  readonly nullIds: readonly number[];
  /** Every request of the server's, and every event's type. */
  readonly asked: readonly Answerable[];
  readonly events: readonly string[];
  /** The error or result that an id was answered with last. */
  answerTo(id: string | number): {
    result?: Record<string, unknown>;
    error?: { code: number; message: string };
  };
  send(line: object | string): void;
  until(done: () => boolean): Promise<void>;
  /** Resolves once all that was sent is handled, and a model has had time to speak. */
  quiet(): Promise<void>;
  /** Ends the input; resolves when the server has ended. */
  end(): Promise<void>;
}

/** Connects such a client to a server of its own. */
export function stdioClient(
  options: ServerOptions,
  streams: Pick<StdioOptions, "stringIds"> = {},
): StdioClient {
  const input = new PassThrough();
  const output = new PassThrough();
  const server = createServer(options);
  const served = serveStdio(server, { ...streams, input, output });
  const [session] = server.sessions.values();
  const responses = new Map<string | number, number>();
  const answers = new Map<string | number, object>();
  const nullIds: number[] = [];
  const asked: Answerable[] = [];
  const events: string[] = [];
  let probes = 0;
  let wake = () => {};
  const decoder = new LineDecoder(1e8);
  const sink = {
    line(text: string) {
      const { id, method, params, error, result } = JSON.parse(text);
      if (method === "event") events.push(params.type);
      else if (method === "request") asked.push({ id, type: params.type, payload: params.payload });
      else if (id === null) nullIds.push(error.code);
      else {
        responses.set(id, (responses.get(id) ?? 0) + 1);
        answers.set(id, { result, error });
      }
      wake();
    },
    oversized() {},
  };
  output.on("data", (bytes: Uint8Array) => decoder.push(bytes, sink));

  const client: StdioClient = {
    session: session as Session,
    responses,
    nullIds,
    asked,
    events,
    answerTo: (id) => answers.get(id) ?? {},
    send: (line) => void input.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`),
    async until(done) {
      while (!done()) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    async quiet() {
      probes += 1;
      const probe = `probe-${probes}`;
      client.send({ method: "probe", id: probe });
      await client.until(() => responses.has(probe));
      // A model speaks some turns of the event loop later.
      for (let turns = 0; turns < 5; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    },
    async end() {
      input.end();
      await served;
    },
  };
  return client;
}
