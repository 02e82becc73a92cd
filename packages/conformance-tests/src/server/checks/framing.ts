import { want, wantMembers, wantSame } from "../../contract/expectations.js";
import type { ServerCheck } from "../context.js";
import { begin, wantError } from "../conversation.js";

/** A message as a client with `Content-Length` headers writes it. */
function framed(message: object, header = "Content-Length"): string {
  const body = JSON.stringify(message);
  return `${header}: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** The messages in an output of that kind. */
function unframed(output: string): unknown[] {
  const messages: unknown[] = [];
  let rest = Buffer.from(output);
  while (rest.length > 0) {
    const [head = "", length] =
      /^Content-Length: (\d+)\r\n(?:[^\r\n]+\r\n)*\r\n/i.exec(rest.toString()) ?? [];
    want(length !== undefined, "a Content-Length header before each message", rest.toString());
    const end = head.length + Number(length);
    messages.push(JSON.parse(rest.subarray(head.length, end).toString()));
    rest = rest.subarray(end);
  }
  return messages;
}

/** F01 to F03: how messages lie in the stream of bytes. */
export const framingChecks: readonly ServerCheck[] = [
  {
    id: "F01",
    title: "a client that begins with a Content-Length header is answered likewise, integers as ids included",
    rules: ["P-FRM-5", "P-FRM-7"],
    async run(context) {
      const method = "conformance/none";
      const { stdout, status } = await context.exchange(
        framed({ jsonrpc: "2.0", id: 7, method, params: { text: "é\n" } }) +
          framed({ jsonrpc: "2.0", id: "seven", method }, "content-length"),
      );
      const [first, second, ...others] = unframed(stdout);
      wantMembers("an error", first, { jsonrpc: "2.0", id: 7, error: { code: -32601 } });
      wantMembers("an error", second, { jsonrpc: "2.0", id: "seven", error: { code: -32601 } });
      want(others.length === 0, "two responses", others);
      wantSame("the exit status", status, 0);
    },
  },
  {
    id: "F02",
    title: "a header without a valid length is answered with -32700, and the connection ends",
    rules: ["P-FRM-8"],
    async run(context) {
      const { stdout } = await context.exchange("Content-Length: many\r\n\r\n{}");
      const messages = unframed(stdout);
      want(messages.length === 1, "one response", messages);
      wantMembers("an error", messages[0], { id: null, error: { code: -32700 } });
    },
  },
  {
    id: "F03",
    title: "a line over 32 MiB is skipped and answered with -32600 and id null, and the connection lives",
    rules: ["P-LIM-2", "P-LIM-1"],
    async run(context) {
      const server = await begin(context);
      const piece = "x".repeat(1_000_000);
      for (let count = 0; count < 34; count += 1) await server.write(piece);
      await server.write("\n");
      await wantError(server, null, -32600);
      await server.quiet();
    },
  },
];
