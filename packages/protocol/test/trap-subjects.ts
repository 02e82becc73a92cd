import {
  CancellationTokenSource,
  createMessageConnection,
  type DataCallback,
  type Message,
  type MessageReader,
} from "vscode-jsonrpc/node";
import { createEngine } from "../src/framing/engine.js";
import { defaultLimits } from "../src/index.js";
import { promised } from "./promised.js";
import { rawChannel } from "./raw-channel.js";

/** A JSON-RPC connection under test: our engine, or the library with nothing around it. */
export interface Subject {
  /** Delivers texts within one turn. Throws what reading throws. */
  receive(...texts: object[]): void;
  /** What was written so far. */
  messages(): Record<string, unknown>[];
  request(method: string): { reply: Promise<unknown>; forget(): void };
  notify(method: string): void;
  /** The transport has ended. */
  end(): void;
  /** Whether a sent request still has an entry: its late answer would be taken for one. */
  awaits(): boolean;
}

export interface SubjectHandlers {
  request?(args: unknown[], reply: { after(action: () => void): void }): unknown;
  notification?(args: unknown[]): void;
}

export type Connect = (handlers?: SubjectHandlers, options?: { integerIds?: boolean }) => Subject;

/** Our engine. Requests go out under the ids `r1`, `r2` and so on. */
export const ours: Connect = (handlers = {}, { integerIds = false } = {}) => {
  const wire = rawChannel();
  wire.channel.integerIds = integerIds;
  let lastId = 0;
  let awaited = 0;
  const engine = createEngine(
    wire.channel,
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
    receive: wire.receive,
    messages: wire.messages,
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
    end: () => wire.end(),
    awaits: () => awaited > 0,
  };
};

/**
 * `vscode-jsonrpc` over the least reader and writer that do JSON texts, with the parallelism that it is fast with.
 * It answers to the ids that it makes, so a test reads the id from what was written.
 */
export const bare: Connect = (handlers = {}) => {
  const written: Message[] = [];
  let deliver: DataCallback = () => {};
  let close: () => void = () => {};
  const nothing = () => ({ dispose() {} });
  const reader: MessageReader = {
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
  };
  const connection = createMessageConnection(
    reader,
    {
      onError: nothing,
      onClose: nothing,
      async write(message) {
        written.push(message);
      },
      end() {},
      dispose() {},
    },
    undefined,
    { maxParallelism: Number.MAX_SAFE_INTEGER },
  );
  // The last argument of a request is the library's cancellation token.
  connection.onRequest("call", async (...args: unknown[]) => {
    const result = await handlers.request?.(args.slice(0, -1), { after: (action) => action() });
    return result ?? null;
  });
  connection.onNotification("tell", (...args: unknown[]) => handlers.notification?.(args));
  connection.listen();
  return {
    receive: (...texts) => {
      for (const text of texts) deliver(JSON.parse(JSON.stringify(text)) as Message);
    },
    messages: () => written.map((message) => JSON.parse(JSON.stringify(message))),
    request(method) {
      const source = new CancellationTokenSource();
      // The nearest to forgetting that there is: it asks the other side, and goes on waiting.
      return { reply: connection.sendRequest(method, {}, source.token), forget: () => source.cancel() };
    },
    notify: (method) => void connection.sendNotification(method, {}),
    end: () => close(),
    awaits: () => connection.hasPendingResponse(),
  };
};
