import {
  call,
  calls,
  capable,
  initialize,
  lines,
  prompt,
  request,
  scenario,
  see,
  send,
  settle,
  turn,
} from "../scenario.js";

const usage = "usage: input_other=90 output=10 input_cache_read=7 input_cache_creation=3";

export const turns = [
  scenario("turns/text", {
    scripts: [lines("id: m-1", "text: Hello", "text: , you.", usage), "text: Again."],
    steps: [...initialize(), ...turn("p1", "hello"), ...turn("p2", [{ type: "text", text: "more" }])],
  }),
  scenario("turns/parts", {
    scripts: [
      lines(
        "think: Hm",
        "think: , well.",
        'text: "quoted"',
        "image_url: https://example.com/a.png",
        'audio_url: {"url": "https://example.com/a.mp3", "id": "a-1"}',
        "video_url: https://example.com/a.mp4",
        usage,
      ),
      "text: seen",
    ],
    steps: [
      ...initialize(),
      ...turn("p1", [
        { type: "text", text: "look" },
        { type: "think", think: "hm", encrypted: null },
        { type: "image_url", image_url: { url: "https://example.com/b.png", id: null } },
        { type: "video_url", video_url: { url: "https://example.com/b.mp4" } },
      ]),
      ...turn("p2", "x"),
    ],
  }),
  scenario("turns/audio", {
    scripts: ["text: heard"],
    steps: [
      ...initialize(),
      ...turn("p1", [{ type: "audio_url", audio_url: { url: "data:audio/mp3;base64,AA==" } }]),
    ],
  }),
  scenario("turns/no words", {
    scripts: ["text: one", "text: two", "text: three"],
    steps: [...initialize(), ...turn("p1", ""), ...turn("p2", []), ...turn("p3", "  ")],
  }),
  scenario("turns/silent model", {
    scripts: ["id: m-1", lines("id: m-2", usage)],
    steps: [...initialize(), ...turn("p1"), ...turn("p2")],
  }),
  scenario("turns/odd prompts", {
    scripts: [],
    steps: [
      ...initialize(),
      ...call("a", "prompt"),
      ...call("b", "prompt", null),
      ...call("c", "prompt", []),
      ...call("d", "prompt", {}),
      ...call("e", "prompt", { user_input: 1 }),
      ...call("f", "prompt", { user_input: null }),
      ...call("g", "prompt", { user_input: [{ type: "text" }] }),
      ...call("h", "prompt", { user_input: ["text"] }),
      ...call("i", "prompt", { user_input: { type: "text", text: "x" } }),
      ...call("j", "prompt", { user_input: [{ type: "image_url", image_url: "x" }] }),
    ],
  }),
  scenario("turns/part of an unknown type", {
    scripts: ["text: next"],
    steps: [
      ...initialize(),
      ...call("p1", "prompt", { user_input: [{ type: "nonsense", text: "x" }] }),
      ...turn("p2"),
    ],
  }),
  scenario("turns/lone surrogate", {
    // Kimi's never says anything more.
    patienceMs: 60_000,
    scripts: ["text: next", "text: more"],
    steps: [
      ...initialize(),
      send('{"jsonrpc":"2.0","id":"p1","method":"prompt","params":{"user_input":"\\ud800"}}'),
      see("response p1"),
      ...turn("p2"),
    ],
  }),
  scenario("turns/more members", {
    scripts: ["text: yes"],
    steps: [
      ...initialize(),
      ...call("p1", "prompt", { user_input: [{ type: "text", text: "x", more: 1 }], other: true }),
    ],
  }),
  scenario("turns/without initialize", {
    scripts: ["text: yes", lines("text: x", calls("SetTodoList", { todos: [] })), "text: z"],
    steps: [...turn("p1", "hello"), ...turn("p2", "again"), ...initialize(), ...call("r", "replay")],
  }),
  scenario("turns/exhausted script", { scripts: [], steps: [...initialize(), ...turn("p1")] }),
  scenario("turns/broken script", {
    scripts: ["nothing", "what: is this", "usage: x", "text: fine"],
    steps: [...initialize(), ...turn("p1"), ...turn("p2"), ...turn("p3"), ...turn("p4")],
  }),
  scenario("turns/pipelined", {
    scripts: ["text: one", "text: two"],
    steps: [
      request("init", "initialize", { protocol_version: "1.10", capabilities: capable }),
      prompt("p1", "hello"),
      see("response p1"),
      prompt("p2", "hello"),
      see("response p2"),
      settle,
    ],
  }),
];
