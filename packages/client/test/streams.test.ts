import { once } from "node:events";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import type { ConnectOptions } from "../src/index.js";
import { connectStreams } from "../src/stdio.js";

/** A client over a pair of streams, whose bytes the test writes and reads. */
async function rawStreams(options: ConnectOptions = {}) {
  const input = new PassThrough();
  const output = new PassThrough();
  const seen: string[] = [];
  const problems: string[] = [];
  const connected = connectStreams(input, output, {
    ...options,
    handlers: {
      event(event) {
        if (event.type === "ContentPart" && event.payload.type === "text") seen.push(event.payload.text);
        else seen.push(event.type);
      },
    },
    onProblem: (problem) => void problems.push(problem),
  });
  const greeting = await text(output);
  const { id } = JSON.parse(greeting) as { id: string };
  const server = { name: "raw", version: "0" };
  input.write(line({ id, result: { protocol_version: "1.10", server, slash_commands: [] } }));
  const session = await connected;
  /** Resolves once all that was written so far is handled: a prompt is answered after it. */
  async function settled() {
    const turn = session.prompt("go");
    const { id } = JSON.parse(await text(output)) as { id: string };
    input.write(line({ id, result: { status: "finished" } }));
    await turn.result;
  }
  return { session, input, output, greeting, seen, problems, settled };
}

/** The next text of the client. */
async function text(output: PassThrough): Promise<string> {
  if (output.readableLength === 0) await once(output, "readable");
  return String(output.read());
}

const line = (message: object) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
const says = (text: string) =>
  line({ method: "event", params: { type: "ContentPart", payload: { type: "text", text } } });

test("lines that are cut anywhere, also inside a character, or come at once, are read once each (P-FRM-2)", async () => {
  const { input, seen, settled } = await rawStreams();
  const bytes = Buffer.from(says("Grüße 👋") + says("二"));
  for (const byte of bytes) input.write(Buffer.from([byte]));
  input.write(bytes);
  await settled();
  expect(seen).toEqual(["Grüße 👋", "二", "Grüße 👋", "二"]);
});

test("U+2028 and U+2029 in a line end none (P-FRM-2)", async () => {
  const { input, seen, settled } = await rawStreams();
  input.write(says("a\u2028b\u2029c"));
  await settled();
  expect(seen).toEqual(["a\u2028b\u2029c"]);
});

test("a line may end in CRLF", async () => {
  const { input, seen, settled } = await rawStreams();
  input.write(says("one").replace("\n", "\r\n") + says("two"));
  await settled();
  expect(seen).toEqual(["one", "two"]);
});

test.each([
  "",
  "  ",
  "null",
  "5",
  '"x"',
  "[]",
  "true",
  "{not json",
  '{"jsonrpc":"2.0"}',
  '{"jsonrpc":"1.0","id":"1"}',
])("the line %j is reported, and what follows is read", async (noise) => {
  const { input, seen, problems, settled } = await rawStreams();
  input.write(`${noise}\n${says("after")}`);
  await settled();
  expect(seen).toEqual(["after"]);
  expect(problems).toHaveLength(1);
});

test("a line of 20 MB is read", async () => {
  const { input, seen, settled } = await rawStreams();
  const long = "x".repeat(20_000_000);
  input.write(says(long));
  await settled();
  expect(seen.map(({ length }) => length)).toEqual([long.length]);
});

test("the client writes one object a line, under ids of its own (P-FRM-1, P-FRM-3)", async () => {
  const { session, output, greeting } = await rawStreams();
  const turn = session.prompt("a\u2028b\nc");
  turn.result.catch(() => {});
  const prompt = await text(output);
  const steered = session.steer("d\u2029");
  steered.catch(() => {});
  const lines = [greeting, prompt, await text(output)];
  for (const one of lines) {
    expect(one).toMatch(/^[^\n\u2028\u2029]*\n$/);
    expect(JSON.parse(one)).toMatchObject({ jsonrpc: "2.0", id: expect.any(String) });
  }
  expect(new Set(lines.map((one) => JSON.parse(one).id)).size).toBe(3);
  expect(JSON.parse(prompt).params.user_input).toBe("a\u2028b\nc");
  await session.close();
});
