import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import { StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";
import { linkedPair, type MessageChannel } from "../src/index.js";
import { framedChannel, lineChannel } from "../src/node/index.js";
import { type LinkedChannels, transportSuite } from "../src/testing.js";
import { jsonRpcChannel } from "../src/vscode-jsonrpc/index.js";

/** Both ends of a connection over the loopback, as channels. */
async function overSocket(channel: (socket: Socket) => MessageChannel): Promise<LinkedChannels> {
  const door = createServer().listen(0, "127.0.0.1");
  await once(door, "listening");
  const accepted = once(door, "connection");
  const left = connect((door.address() as AddressInfo).port, "127.0.0.1");
  const [right] = (await accepted) as [Socket];
  door.close();
  return { left: channel(left), right: channel(right) };
}

transportSuite("two linked channels", () => linkedPair(), test);
transportSuite("lines over streams", () => overSocket((socket) => lineChannel(socket, socket)), test);
transportSuite("frames over streams", () => overSocket((socket) => framedChannel(socket, socket)), test);
transportSuite(
  "a reader and a writer of vscode-jsonrpc",
  () =>
    overSocket((socket) =>
      jsonRpcChannel({ reader: new StreamMessageReader(socket), writer: new StreamMessageWriter(socket) }),
    ),
  test,
);

type Fault = (left: MessageChannel, right: MessageChannel) => Partial<MessageChannel>;

/** The titles of the checks that fail over linked channels of which the left one has a fault. */
async function failing(fault: Fault): Promise<string[]> {
  const runs: [string, () => Promise<void>][] = [];
  const open = () => {
    const { left, right } = linkedPair();
    const plain: MessageChannel = {
      send: (text) => left.send(text),
      listen: (sink) => left.listen(sink),
      close: () => left.close(),
      drained: (bytes) => left.drained(bytes),
    };
    return { left: { ...plain, ...fault(left, right) }, right };
  };
  transportSuite("broken", open, (name, run) => runs.push([name, run]), { patienceMs: 500 });
  const failures: string[] = [];
  for (const [name, run] of runs) await run().catch(() => failures.push(name.slice("broken: ".length)));
  return failures;
}

/** Each fault, and a check that finds it. */
const faults: Record<string, [Fault, string]> = {
  "loses a message": [
    (left) => {
      let count = 0;
      return {
        send(text) {
          count += 1;
          if (count !== 500) left.send(text);
        },
      };
    },
    "many messages arrive once",
  ],
  "sends a message twice": [
    (left) => ({
      send(text) {
        left.send(text);
        if (text.includes('message 7"')) left.send(text);
      },
    }),
    "many messages arrive once",
  ],
  "writes other characters": [
    (left) => ({ send: (text) => left.send(text.replace("🎉", "??")) }),
    "a message arrives unchanged",
  ],
  "cuts a long message": [
    (left) => ({ send: (text) => left.send(text.length > 65_536 ? `${text.slice(0, 65_536)}"}}` : text) }),
    "a long message arrives whole",
  ],
  "drops what comes before the listener": [
    (left) => {
      let isLate = false;
      setTimeout(() => {
        isLate = true;
      }, 0);
      return { send: (text) => (isLate || !text.includes("early") ? left.send(text) : undefined) };
    },
    "a message that comes before the listener",
  ],
  "delivers within the call that sends": [
    (_left, right) => {
      let deliver = (_text: string) => {};
      const { listen } = right;
      right.listen = (sink) => {
        deliver = (text) => sink.message(text);
        listen(sink);
      };
      return { send: (text) => deliver(text) };
    },
    "no message is delivered within the call",
  ],
  "sends after its close": [
    (left) => ({ close: () => void setTimeout(() => left.close(), 0) }),
    "a closed channel ignores what it is to send",
  ],
  "loses what comes while it is held": [
    (left) => {
      let isHeld = false;
      return {
        listen: (sink) => left.listen({ ...sink, message: (text) => isHeld || sink.message(text) }),
        hold(until) {
          isHeld = true;
          void until.then(() => {
            isHeld = false;
          });
        },
      };
    },
    "a channel that is held delivers all of it afterwards",
  ],
  "counts no bytes": [() => ({ bytesRead: 0 }), "the bytes that have come are counted"],
  "never ends": [() => ({ close() {} }), "what was sent before the end arrives"],
  "waits for ever for what is unsent": [
    () => ({ drained: () => new Promise<never>(() => {}) }),
    "the wait for what is unsent ends",
  ],
  "tells its end twice": [
    (left) => ({
      listen: (sink) =>
        left.listen({
          ...sink,
          closed() {
            sink.closed();
            sink.closed();
          },
        }),
    }),
    "what was sent before the end arrives",
  ],
  "tells a cause of an orderly end": [
    (left) => ({ listen: (sink) => left.listen({ ...sink, closed: () => sink.closed(new Error("gone")) }) }),
    "what was sent before the end arrives",
  ],
};

test("a transport without a fault fails no check", async () => {
  expect(await failing(() => ({}))).toEqual([]);
});

test.each(Object.entries(faults))("a transport that %s is found", async (_name, [fault, check]) => {
  expect((await failing(fault)).join("\n")).toContain(check);
});

test("a check of a member that neither channel has is skipped, with the reason", async () => {
  const skipped: string[] = [];
  const runs: Promise<void>[] = [];
  transportSuite("bare", linkedPair, (name, run) => {
    runs.push(run({ skip: (reason) => skipped.push(`${name}: ${reason}`) }));
  });
  await Promise.all(runs);
  expect(skipped).toEqual([
    "bare: a channel that is held delivers all of it afterwards, where it can be held: neither channel has hold",
    "bare: the bytes that have come are counted, where the transport can tell: neither channel has bytesRead",
  ]);
});
