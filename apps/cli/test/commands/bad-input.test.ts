import { join } from "node:path";
import { expect, test } from "vitest";
import { asksLine, colour, folderWith } from "../askwire.js";
import { isEvent, isRequest, launch } from "../wire-process.js";

const request = (id: unknown, method: unknown, params?: unknown) =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });

/** Latin-1 text as bytes, so that what is no UTF-8 can be written. */
const bytes = (text: string) => Buffer.from(text, "latin1");

type Reply = [id: string | null, code: number];

/** Lines sent while a question is open, and all their replies, in any order. */
const table: [what: string, lines: (string | Uint8Array)[], replies: Reply[]][] = [
  ["broken JSON", ["{not json"], [[null, -32700]]],
  ["a blank line", [""], [[null, -32700]]],
  ["two messages on one line", [request("a", "x") + request("b", "x")], [[null, -32700]]],
  [
    "a message over several lines",
    ["{", "}"],
    [
      [null, -32700],
      [null, -32700],
    ],
  ],
  ["a batch", [`[${request("a", "cancel")}]`], [[null, -32600]]],
  [
    "a string, a number, null",
    ['"x"', "1", "null"],
    [
      [null, -32600],
      [null, -32600],
      [null, -32600],
    ],
  ],
  [
    "an id that is a number, as kimi refuses it, a flag, an object",
    [request(1, "x"), request(true, "x"), request({}, "x")],
    [
      [null, -32600],
      [null, -32600],
      [null, -32600],
    ],
  ],
  ["another jsonrpc", ['{"jsonrpc":"1.0","id":"a","method":"x"}'], [[null, -32600]]],
  ["no jsonrpc", ['{"id":"a","method":"x"}'], [["a", -32601]]],
  ["a method that is no string", [request("a", 7)], [[null, -32600]]],
  [
    "nesting without end",
    [`{"id":"a","method":"x","params":${"[".repeat(5_000)}${"]".repeat(5_000)}}`],
    [[null, -32600]],
  ],
  [
    "an unknown method",
    [request("a", "nope"), request("b", ""), request("c", "toString")],
    [
      ["a", -32601],
      ["b", -32601],
      ["c", -32601],
    ],
  ],
  ["an unknown notification", [request(undefined, "nope")], []],
  [
    "a prompt and a cancel without an id",
    [request(undefined, "prompt", { user_input: "x" }), request(undefined, "cancel")],
    [],
  ],
  [
    "a method of the other side",
    [request("a", "request", {}), request("b", "event", {})],
    [
      ["a", -32601],
      ["b", -32601],
    ],
  ],
  [
    "wrong params",
    [
      request("a", "prompt"),
      request("b", "prompt", { user_input: 7 }),
      request("c", "prompt", []),
      request("d", "initialize", {}),
    ],
    [
      ["a", -32602],
      ["b", -32602],
      ["c", -32602],
      ["d", -32602],
    ],
  ],
  [
    "a second prompt and initialize",
    [request("a", "prompt", { user_input: "x" }), request("b", "initialize", { protocol_version: "1.10" })],
    [
      ["a", -32000],
      ["b", -32000],
    ],
  ],
  [
    "two live requests with one id",
    [`${request("a", "prompt", { user_input: "x" })}\n${request("a", "nope")}`],
    [
      ["a", -32000],
      ["a", -32601],
    ],
  ],
  ["invalid UTF-8 in a text", [bytes('{"id":"a\xff","method":"x"}')], [["a\ufffd", -32601]]],
  ["invalid UTF-8 outside of one", [bytes('{"id":"a"\xc3\x28}')], [[null, -32700]]],
  ["a byte order mark", [`\ufeff${request("a", "x")}`], [[null, -32700]]],
  [
    "a line that ends in CRLF, or is padded",
    [`${request("a", "x")}\r`, ` ${request("b", "x")} `],
    [
      ["a", -32601],
      ["b", -32601],
    ],
  ],
  [
    "U+2028 and a lone surrogate",
    ['{"id":"a\u2028","method":"x"}', '{"id":"b\\ud800","method":"x"}'],
    [
      ["a\u2028", -32601],
      ["b\ufffd", -32601],
    ],
  ],
  [
    "a response to nothing",
    [
      '{"jsonrpc":"2.0","id":"zz","result":{}}',
      '{"jsonrpc":"2.0","id":"zz","error":{"code":1,"message":"x"}}',
    ],
    [],
  ],
  ["an object that says nothing", ["{}", '{"jsonrpc":"2.0"}', '{"id":"x"}'], []],
  [
    "$/cancelRequest without params, of nothing, of the prompt",
    [request(undefined, "$/cancelRequest"), request(undefined, "$/cancelRequest", { id: "x" })],
    [],
  ],
  [
    "a prototype in the params",
    ['{"id":"a","method":"__proto__","params":{"__proto__":{"type":"x"}}}'],
    [["a", -32601]],
  ],
];

test("each kind of bad input over stdio gets the right error, and connection, turn and open question survive", async () => {
  const folder = await folderWith({ "scripts.json": JSON.stringify([asksLine([colour]), "text: Thanks."]) });
  const config = {
    default_model: "echo",
    models: { echo: { provider: "script", model: "scripted", max_context_size: 1000 } },
    providers: {
      script: { type: "_scripted_echo", env: { KIMI_SCRIPTED_ECHO_SCRIPTS: join(folder, "scripts.json") } },
    },
  };
  const wire = launch(["--wire", "--config", JSON.stringify(config)]);
  const capabilities = { supports_question: true };
  await wire.call("initialize", { protocol_version: "1.10", capabilities });
  const turn = wire.call("prompt", { user_input: "hello" });
  const { id } = await wire.seen(isRequest("QuestionRequest"));

  const rows: typeof table = [
    ...table,
    [
      "the question answered by an error that is text, and by nothing",
      [JSON.stringify({ id, error: "x" }), JSON.stringify({ id })],
      [[null, -32600]],
    ],
    ["a line of 33 MiB", [Buffer.alloc(33 * 1024 * 1024, "x")], [[null, -32600]]],
  ];
  const found: Record<string, unknown> = {};
  for (const [what, lines, replies] of rows) {
    const from = wire.messages.length;
    for (const line of lines) wire.send(line);
    // An answer of its own says that all before it was read.
    const probe = await wire.call("probe");
    await wire.seen(() => wire.messages.length > from + replies.length);
    found[what] = wire.messages
      .slice(from)
      .filter((message) => message !== probe)
      .map((message) => `${message.id} ${message.error?.code}`)
      .sort();
  }
  expect(found).toEqual(
    Object.fromEntries(
      rows.map(([what, , replies]) => [what, replies.map(([id, code]) => `${id} ${code}`).sort()]),
    ),
  );

  wire.send({ jsonrpc: "2.0", id, result: { request_id: id, answers: { "Which colour?": "Blue" } } });
  expect((await turn).result).toMatchObject({ status: "finished" });
  const [result] = wire.messages.filter(isEvent("ToolResult"));
  expect(result?.params?.payload.return_value).toMatchObject({
    output: '{"answers": {"Which colour?": "Blue"}}',
  });
  for (const { error } of wire.messages.filter((message) => message.error !== undefined)) {
    expect(error?.message).not.toBe("");
    expect(error?.data).toBeNull();
  }
  wire.end();
  expect(await wire.ended).toEqual({ status: 0, signal: null, stderr: "" });
  expect(wire.noise).toEqual([]);
});
