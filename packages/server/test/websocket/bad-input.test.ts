import { expect, test } from "vitest";
import { openQuestion } from "./gateway.js";

const request = (id: unknown, method: unknown, params?: unknown) =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });

/** The frames, and the ids and codes of all their answers. */
const table: [what: string, frames: string[], replies: string[]][] = [
  ["broken JSON (P-ENV-1)", ["{not json"], ["null -32700"]],
  ["an empty frame, a blank one", ["", " \n "], ["null -32700", "null -32700"]],
  ["two messages in one frame", [`${request("a", "x")}\n${request("b", "x")}`], ["null -32700"]],
  ["one message in two frames", ["{", "}"], ["null -32700", "null -32700"]],
  ["a message over several lines, which a frame may hold", ['{"id":"a",\r\n"method":"x"}\n'], ["a -32601"]],
  ["a batch (P-ENV-2)", [`[${request("a", "cancel")}]`, "[]"], ["null -32600", "null -32600"]],
  ["no object", ['"x"', "1", "null"], ["null -32600", "null -32600", "null -32600"]],
  ["another jsonrpc (P-ENV-3)", ['{"jsonrpc":"1.0","id":"a","method":"x"}'], ["null -32600"]],
  ["no jsonrpc", ['{"id":"a","method":"x"}'], ["a -32601"]],
  [
    "an id that is a fraction, a flag, an object (P-ENV-4)",
    [request(1.5, "x"), request(true, "x"), request({}, "x")],
    ["null -32600", "null -32600", "null -32600"],
  ],
  ["an id that is an integer (P-FRM-5)", [request(1, "x"), request(-2, "x")], ["1 -32601", "-2 -32601"]],
  ["an empty id", [request("", "x")], [" -32601"]],
  ["a method that is no string (P-ENV-5)", [request("a", 7)], ["null -32600"]],
  [
    "nesting without end (P-LIM-3)",
    [`{"id":"a","method":"x","params":${"[".repeat(5_000)}${"]".repeat(5_000)}}`],
    ["null -32600"],
  ],
  [
    "an unknown method",
    [request("a", "nope"), request("b", ""), request("c", "toString"), request("d", "__proto__")],
    ["a -32601", "b -32601", "c -32601", "d -32601"],
  ],
  [
    "an unknown notification, a prompt without an id (P-ENV-6)",
    [request(undefined, "nope"), request(undefined, "prompt", { user_input: "x" })],
    [],
  ],
  [
    "a method of the other side",
    [request("a", "request", {}), request("b", "event", {})],
    ["a -32601", "b -32601"],
  ],
  [
    "wrong params",
    [
      request("a", "prompt"),
      request("b", "prompt", { user_input: 7 }),
      request("c", "prompt", []),
      request("d", "initialize", {}),
    ],
    ["a -32602", "b -32602", "c -32602", "d -32602"],
  ],
  ["a second prompt (P-TRN-1)", [request("a", "prompt", { user_input: "x" })], ["a -32000"]],
  [
    "two live requests with one id (P-ENG-1)",
    [request("a", "prompt", { user_input: "x" }), request("a", "prompt", { user_input: "x" })],
    ["a -32000", "a -32000"],
  ],
  [
    "U+2028 and a lone surrogate (P-FRM-3, P-FRM-4)",
    ['{"id":"a\u2028","method":"x"}', '{"id":"b\\ud800","method":"x"}'],
    ["a\u2028 -32601", "b\ufffd -32601"],
  ],
  ["a byte order mark", [`\ufeff${request("a", "x")}`], ["null -32700"]],
  [
    "a response to nothing (P-ENV-9)",
    ['{"id":"zz","result":{}}', '{"id":"zz","error":{"code":1,"message":"x"}}', '{"id":null,"result":{}}'],
    [],
  ],
  ["an object that says nothing", ["{}", '{"jsonrpc":"2.0"}', '{"id":"x"}'], []],
  [
    "$/cancelRequest without params, of nothing (P-ENG-5)",
    [request(undefined, "$/cancelRequest"), request(undefined, "$/cancelRequest", { id: "x" })],
    [],
  ],
];

test("bad input over WebSocket gets the right error each, and connection, turn and open question live on", async () => {
  const { one, asked, unharmed } = await openQuestion();
  const rows: typeof table = [
    ...table,
    [
      "the question answered by an error that is text (P-ENV-8)",
      [JSON.stringify({ id: asked.id, error: "x" })],
      ["null -32600"],
    ],
    ["the question answered by nothing", [JSON.stringify({ id: asked.id })], []],
  ];
  const found: Record<string, string[]> = {};
  for (const [what, frames] of rows) {
    const from = one.received.length;
    for (const frame of frames) one.send(frame);
    // Answers of its own say that all before it was read and answered.
    await one.settled();
    const probes = /^c\d+$/;
    found[what] = one.received
      .slice(from)
      .filter(({ id }) => !probes.test(id ?? ""))
      .map(({ id, error }) => `${id} ${error?.code}`)
      .sort();
  }
  expect(found).toEqual(Object.fromEntries(rows.map(([what, , replies]) => [what, [...replies].sort()])));
  for (const { error } of one.received.filter((message) => message.error !== undefined)) {
    expect(error?.message).not.toBe("");
    expect(error?.data).toBeNull();
  }
  await unharmed();
});
