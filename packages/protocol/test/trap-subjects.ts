import {
  CancellationTokenSource,
  createMessageConnection,
  type DataCallback,
  type Message,
  type MessageReader,
  type MessageWriter,
} from "vscode-jsonrpc/node";
import { createEngine } from "../src/framing/engine.js";
import { defaultLimits, type MessageChannel } from "../src/index.js";
import { jsonRpcChannel } from "../src/vscode-jsonrpc/index.js";
import { promised } from "./promised.js";
import { rawChannel } from "./raw-channel.js";

/** A JSON-RPC connection under test: our engine, our engine over the library, or the library with nothing around. */
export interface Subject {
  /** Delivers texts within one turn. Throws what reading throws. */
  receive(...texts: object[]): void;
  /** The messages written so far. */
  messages(): Record<string, unknown>[];
  request(method: string): { reply: Promise<unknown>; forget(): void };
  notify(method: string): void;
  /** The transport has ended. */
  end(): void;
  /** True while a sent request has an entry, to which a late answer would go. */
  awaits(): boolean;
}

export interface SubjectHandlers {
  request?(args: unknown[], reply: { after(action: () => void): void }): unknown;
  notification?(args: unknown[]): void;
}

export type Connect = (handlers?: SubjectHandlers) => Subject;

/** Our engine. Requests go out under the ids `r1`, `r2` and so on. */
export const ours: Connect = (handlers = {}) => {
  const wire = rawChannel();
  return {
    ...engineOver(wire.channel, handlers),
    receive: wire.receive,
    messages: wire.messages,
    end: () => wire.end(),
  };
};

/** Our engine over a connection of the library, as its users have it: without an option. */
export const overConnection: Connect = (handlers = {}) => {
  const { reader, writer, ...wire } = readerAndWriter();
  const channel = jsonRpcChannel(createMessageConnection(reader, writer));
  return { ...engineOver(channel, handlers), ...wire };
};

function engineOver(
  channel: MessageChannel,
  handlers: SubjectHandlers,
): Pick<Subject, "request" | "notify" | "awaits"> {
  let lastId = 0;
  let awaited = 0;
  const engine = createEngine(
    channel,
    {
      async request(_method, params, call) {
        const after = (action: () => void) => call.afterReply(action);
        return { result: (await handlers.request?.([params], { after })) ?? null };
      },
      notification: (_method, params) => handlers.notification?.([params]),
      problem() {},
      closed() {},
    },
    { limits: defaultLimits, answerMalformed: true },
  );
  return {
    request(method) {
      lastId += 1;
      awaited += 1;
      const { reply, forget } = promised(engine, method, {}, `r${lastId}`);
      const settled = reply.finally(() => {
        awaited -= 1;
      });
      return { reply: settled, forget };
    },
    notify: (method) => engine.notify(method, {}),
    awaits: () => awaited > 0,
  };
}

/**
 * `vscode-jsonrpc` over a minimal reader and writer of JSON texts, with the parallelism that makes it fast. The library
 * answers only its own ids, so a test reads the id from the output.
 */
export const bare: Connect = (handlers = {}) => {
  const { reader, writer, ...wire } = readerAndWriter();
  const connection = createMessageConnection(reader, writer, undefined, {
    maxParallelism: Number.MAX_SAFE_INTEGER,
  });
  // The last argument of a request is the library's cancellation token.
  connection.onRequest("call", async (...args: unknown[]) => {
    const result = await handlers.request?.(args.slice(0, -1), { after: (action) => action() });
    return result ?? null;
  });
  connection.onNotification("tell", (...args: unknown[]) => handlers.notification?.(args));
  connection.listen();
  return {
    ...wire,
    request(method) {
      const source = new CancellationTokenSource();
      // The nearest to forgetting that there is: it asks the other side, and goes on waiting.
      return { reply: connection.sendRequest(method, {}, source.token), forget: () => source.cancel() };
    },
    notify: (method) => void connection.sendNotification(method, {}),
    awaits: () => connection.hasPendingResponse(),
  };
};

/** The least reader and writer that do JSON texts. */
function readerAndWriter(): Pick<Subject, "receive" | "messages" | "end"> & {
  reader: MessageReader;
  writer: MessageWriter;
} {
  const written: Message[] = [];
  let deliver: DataCallback = () => {};
  let close: () => void = () => {};
  const nothing = () => ({ dispose() {} });
  return {
    reader: {
      onError: nothing,
      onPartialMessage: nothing,
      onClose(listener) {
        close = () => listener(undefined);
        return { dispose() {} };
      },
      listen(callback) {
        deliver = callback;
        return { dispose() {} };
      },
      dispose() {},
    },
    writer: {
      onError: nothing,
      onClose: nothing,
      async write(message) {
        written.push(message);
      },
      end() {},
      dispose() {},
    },
    receive: (...texts) => {
      for (const text of texts) deliver(JSON.parse(JSON.stringify(text)) as Message);
    },
    messages: () => written.map((message) => JSON.parse(JSON.stringify(message))),
    end: () => close(),
  };
}
