import type { ChannelSink } from "@askwire/protocol";
import { linkedPair } from "@askwire/protocol/testing";
import { type ConnectOptions, connect } from "../src/index.js";

type Message = Record<string, unknown> & { id: string; method?: string };

/**
 * A client and the other end of its connection, which the test types. `version` null: no `initialize`; `offers` is
 * put into the result of `initialize`.
 */
export async function rawServer(
  options: ConnectOptions = {},
  version: string | null = "1.10",
  offers: object = {},
) {
  const { left, right } = linkedPair();
  const unread: Message[] = [];
  let wake = () => {};
  const sink: ChannelSink = {
    message(text) {
      unread.push(JSON.parse(text) as Message);
      wake();
    },
    oversized() {},
    closed() {},
  };
  left.listen(sink);

  /** The next message of the client. */
  async function next(): Promise<Message> {
    while (unread.length === 0) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return unread.shift() as Message;
  }
  const send = (message: object) => left.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
  const reply = (id: string, result: unknown) => send({ id, result });
  const fail = (id: string, code: number, message = "no") => send({ id, error: { code, message } });

  const connected = connect(right, options);
  const initialize = await next();
  const { id } = initialize;
  if (version === null) fail(id, -32601);
  else {
    const server = { name: "raw", version: "0" };
    reply(id, { protocol_version: version, server, slash_commands: [], ...offers });
  }
  return {
    session: await connected,
    /** The client's introduction. */
    initialize,
    next,
    send,
    reply,
    fail,
    event: (type: string, payload: object = {}) => send({ method: "event", params: { type, payload } }),
    ask: (type: string, payload: { id: string; [field: string]: unknown }) =>
      send({ method: "request", id: payload.id, params: { type, payload } }),
    end: () => left.close(),
    /** Lets the client handle all that was sent: the answer to an unknown request comes after it. */
    async settled() {
      send({ method: "request", id: "settled", params: { type: "Settled", payload: {} } });
      const message = await next();
      if (message.id !== "settled") throw new Error(`expected nothing, got ${JSON.stringify(message)}`);
    },
  };
}

export const question = {
  id: "r-1",
  tool_call_id: "tc-1",
  questions: [{ question: "Which?", options: [{ label: "A" }, { label: "B" }] }],
};

export const approval = {
  id: "a-1",
  tool_call_id: "tc-1",
  sender: "Shell",
  action: "run",
  description: "rm x",
};
