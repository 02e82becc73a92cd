import { connect } from "@askwire/client";
import {
  agentMethods,
  bindPeer,
  clientMethods,
  type MessageChannel,
  type WireError,
  type WireId,
} from "@askwire/protocol";
import { linkedPair } from "@askwire/protocol/testing";
import { describe, expect, test } from "vitest";
import { vectors } from "../../../../scripts/vectors.js";

interface Line {
  readonly line: string;
  readonly integers?: true;
  readonly answer: { readonly id: WireId | null; readonly error: number } | null;
  readonly settles?: "result" | "error";
}
interface Message {
  readonly id?: WireId | null;
  readonly method?: string;
  readonly error?: { readonly code: number };
}

const lines = vectors<Line>("wire-1.10/envelope.json", "askwire-draft/envelope.json");
const anyText = () => {};
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Keeps what a channel is sent. */
function listenTo(channel: MessageChannel): Message[] {
  const received: Message[] = [];
  channel.listen({ message: (text) => void received.push(JSON.parse(text)), oversized() {}, closed() {} });
  return received;
}

describe("lines to a server in the vectors (P-ENV-1 to P-ENV-10, P-FRM-5, P-LIM-3)", () => {
  test.each(lines)(
    "a server's side answers a line as the vector says: $name",
    async ({ line, integers, answer, settles }) => {
      const { left, right } = linkedPair(anyText);
      const channel = Object.assign(left, { stringIds: integers !== true });
      const peer = bindPeer({
        channel,
        local: agentMethods,
        remote: clientMethods,
        handlers: {},
        answerMalformed: true,
      });
      const received = listenTo(right);
      let settled: string | undefined;
      peer.ask("request", "ToolCallRequest", { id: "open", name: "Look" }, "open", (reply) => {
        settled = reply.ok ? "result" : `error ${(reply.error as WireError).code}`;
      });
      right.send(line);
      await turn();
      const [request, ...answers] = received;
      expect(request).toMatchObject({ id: "open", method: "request" });
      expect(answers.map(({ id, error }) => ({ id, error: error?.code }))).toEqual(
        answer === null ? [] : [answer],
      );
      expect(settled?.split(" ")[0]).toBe(settles);
      peer.close();
    },
  );
});

describe("lines to a client in the vectors (P-ENV-1 to P-ENV-10)", () => {
  test.each(lines)(
    "a client reads a line of the vectors, answers none that is broken, and lives: $name",
    async ({ line }) => {
      const { left, right } = linkedPair(anyText);
      const received = listenTo(left);
      const connected = connect(right, {});
      await turn();
      const result = { protocol_version: "1.10", server: { name: "x", version: "0" }, slash_commands: [] };
      left.send(JSON.stringify({ jsonrpc: "2.0", id: received[0]?.id, result }));
      const session = await connected;
      received.length = 0;
      left.send(line);
      left.send('{"id":"after","method":"nope"}');
      await turn();
      const codes = received.map(({ error }) => error?.code);
      expect(codes.at(-1)).toBe(-32601);
      expect(codes.filter((code) => code === -32700 || code === -32600)).toEqual([]);
      await session.close();
    },
  );
});
