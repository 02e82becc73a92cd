import { describe, expect, test } from "vitest";
import {
  fails,
  type ModelAnswer,
  modelEndpoint,
  says,
  stops,
  streams,
  thinks,
} from "../../../../packages/agent/test/model-endpoint.js";
import { askwire, folderWith } from "../askwire.js";
import { isEvent, launch, type WireProcess } from "../wire-process.js";

/** Nothing that this machine is set up with. */
const nothing = Object.fromEntries(
  ["BASE_URL", "API_KEY", "MODEL_NAME", "MODEL_MAX_CONTEXT_SIZE", "MODEL_CAPABILITIES", "MODEL_MAX_TOKENS"]
    .map((name) => [`KIMI_${name}`, ""])
    .concat([
      ["OPENAI_BASE_URL", ""],
      ["OPENAI_API_KEY", ""],
    ]),
);

const toml = (url: string, model = "", provider = "", rest = "") => `
# of mine
default_model = "small"
[models.small]
provider = "here"
model = "small-1"
max_context_size = 1000
${model}
[providers.here]
type = "openai_legacy"
base_url = "${url}"
api_key = "key-1"
${provider}
${rest}
`;

/** Makes a wire server in the place of Kimi CLI, with a folder's configuration and an introduced client. */
async function wireWith(
  files: Record<string, string>,
  env: Record<string, string> = {},
  args: string[] = [],
) {
  const share = await folderWith(files);
  const wire = launch(["--wire", ...args], {
    cwd: await folderWith(),
    env: { ...nothing, KIMI_SHARE_DIR: share, ASKWIRE_HOME: share, ...env },
  });
  await wire.call("initialize", { protocol_version: "1.10" });
  return wire;
}

const answers = (...answers: ModelAnswer[]) => modelEndpoint(answers);
const hello = streams(
  says("Hello."),
  stops("stop", { prompt_tokens: 90, completion_tokens: 10, cached_tokens: 50 }),
);
const prompt = (wire: WireProcess, user_input: unknown = "hi") => wire.call("prompt", { user_input });

describe("the configuration of --wire in the place of Kimi CLI", () => {
  test("--wire reads config.toml in KIMI_SHARE_DIR, and talks to the provider that it names", async () => {
    const endpoint = await answers(hello);
    const headers = '[providers.here.custom_headers]\nx-team = "red"';
    const wire = await wireWith({
      "config.toml": toml(`${endpoint.url}/`, "", "", headers),
      "config.json": "{",
    });
    expect((await prompt(wire)).result).toMatchObject({ status: "finished" });
    expect(endpoint.calls[0]).toMatchObject({
      path: "/v1/chat/completions",
      headers: { authorization: "Bearer key-1", "x-team": "red" },
      body: { model: "small-1", stream_options: { include_usage: true } },
    });
    expect(endpoint.calls[0]?.body.max_tokens).toBeUndefined();
    expect((await wire.seen(isEvent("StatusUpdate"))).params?.payload).toMatchObject({
      context_usage: 0.09,
      max_context_tokens: 1000,
      token_usage: { input_other: 40, output: 10, input_cache_read: 50, input_cache_creation: 0 },
      message_id: "chat-1",
    });
  });

  test("--wire reads config.json where that is the file there", async () => {
    const wire = await wireWith({ "config.json": '{"default_model": ""}' });
    expect((await prompt(wire)).error?.code).toBe(-32001);
  });

  test("--wire finds Kimi's provider in the environment alone", async () => {
    const endpoint = await answers(streams(thinks("hm"), says("Hello."), stops()), hello);
    const wire = await wireWith(
      {},
      { KIMI_BASE_URL: endpoint.url, KIMI_API_KEY: "key-2", KIMI_MODEL_NAME: "k2" },
    );
    await prompt(wire);
    await prompt(wire);
    const [first, second] = endpoint.calls;
    expect(first).toMatchObject({
      headers: { authorization: "Bearer key-2" },
      body: { model: "k2", max_tokens: 32_000 },
    });
    // The model's thoughts go back to it.
    expect(second?.body.messages[2]).toEqual({
      role: "assistant",
      content: "Hello.",
      reasoning_content: "hm",
    });
  });

  test("--wire prefers the environment to the file", async () => {
    const endpoint = await answers(hello);
    const kimi = toml("http://127.0.0.1:1").replace("openai_legacy", "kimi");
    const wire = await wireWith(
      { "config.toml": kimi },
      {
        KIMI_BASE_URL: endpoint.url,
        KIMI_API_KEY: "key-2",
        KIMI_MODEL_NAME: "k2",
        KIMI_MODEL_MAX_CONTEXT_SIZE: "200",
      },
    );
    await prompt(wire);
    expect(endpoint.calls[0]).toMatchObject({
      headers: { authorization: "Bearer key-2" },
      body: { model: "k2" },
    });
    const { payload } = (await wire.seen(isEvent("StatusUpdate"))).params ?? {};
    expect(payload).toMatchObject({ max_context_tokens: 200, context_usage: 0.45 });
  });

  test("--wire looks --model up in the configuration, else at the provider that it names", async () => {
    const endpoint = await answers(hello, hello);
    const files = {
      "config.toml": `${toml(endpoint.url)}[models."a:b"]\nprovider="here"\nmodel="b-1"\nmax_context_size=1`,
    };
    await prompt(await wireWith(files, {}, ["--model", "a:b"]));
    await prompt(
      await wireWith(files, { OPENAI_BASE_URL: endpoint.url }, ["--model", "openai-compatible:c:d"]),
    );
    expect(endpoint.calls.map(({ body }) => body.model)).toEqual(["b-1", "c:d"]);
  });
});

describe("the settings of a model", () => {
  const image = [{ type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } }];
  const film = [{ type: "video_url", video_url: { url: "ms://film-1" } }];

  test("a model of text alone refuses a picture, and its provider is sent nothing", async () => {
    const endpoint = await answers(hello);
    const wire = await wireWith({ "config.toml": toml(endpoint.url) });
    expect((await prompt(wire, image)).error?.code).toBe(-32002);
    expect(endpoint.calls).toEqual([]);
  });

  test("the inputs that a model takes reach its provider unchanged", async () => {
    const endpoint = await answers(hello);
    const wire = await wireWith({
      "config.toml": toml(endpoint.url, 'capabilities = ["image_in", "video_in"]'),
    });
    const text = { type: "text", text: "What is this?" };
    await prompt(wire, [text, ...image, ...film]);
    expect(endpoint.calls[0]?.body.messages[1]).toEqual({
      role: "user",
      content: [text, ...image, ...film],
    });
  });

  test.each([
    ["with a login has its own error code", 'oauth = { storage = "file", key = "k" }', -32004],
    ["with a key names the place of the key", "", -32003],
  ])("a 401 from a provider %s", async (_what, provider, code) => {
    const endpoint = await answers(fails(401, "expired"));
    const wire = await wireWith({ "config.toml": toml(endpoint.url, "", provider) });
    const place = code === -32003 ? /expired; check .*config\.toml: providers\.here\.api_key$/ : /expired$/;
    expect((await prompt(wire)).error).toMatchObject({ code, message: expect.stringMatching(place) });
  });

  test("max_retries_per_step says how often a step is tried", async () => {
    const busy = fails(503, "full", { "retry-after-ms": "1" });
    const endpoint = await answers(busy, busy, busy);
    const rest = "[loop_control]\nmax_retries_per_step = 2";
    const wire = await wireWith({ "config.toml": toml(endpoint.url, "", "", rest) });
    expect((await prompt(wire)).error).toMatchObject({ code: -32003 });
    expect(endpoint.calls).toHaveLength(2);
  });
});

describe("a wrong configuration", () => {
  test.each<[string, string, Record<string, string>, RegExp]>([
    ["no TOML", "default_model = small", {}, /config\.toml: line 1: expected TOML, or JSON in braces \(/],
    [
      "a field of another kind",
      toml("").replace("1000", '"many"'),
      {},
      /config\.toml: models\.small\.max_context_size: expected number/,
    ],
    [
      "a number of tries below 1",
      toml("http://a", "", "", "[loop_control]\nmax_retries_per_step = 0"),
      {},
      /config\.toml: loop_control\.max_retries_per_step/,
    ],
    [
      "an address of another kind",
      toml("file:///a"),
      {},
      /config\.toml: providers\.here\.base_url: expected an http or https address, found "file:\/\/\/a"$/m,
    ],
    [
      "a provider type of an object's",
      toml("http://a").replace("openai_legacy", "constructor"),
      {},
      /providers\.here\.type: "constructor" is not one of _scripted_echo, openai_legacy, kimi$/m,
    ],
    [
      "a size that is not a number",
      toml("http://a").replace("openai_legacy", "kimi"),
      { KIMI_MODEL_MAX_CONTEXT_SIZE: "big" },
      /^askwire: KIMI_MODEL_MAX_CONTEXT_SIZE=big: expected a whole number from 1$/m,
    ],
  ])(
    "a wrong configuration (%s) is reported in one line with its file and place, with exit code 2",
    async (_what, config, env, line) => {
      const share = await folderWith({ "config.toml": config });
      const run = await askwire(["--wire"], { env: { ...nothing, KIMI_SHARE_DIR: share, ...env } });
      expect(run.stderr).toMatch(line);
      expect(run.stderr).toMatch(/^askwire: [^\n]+\n$/);
      expect(run.stdout).toBe("");
      expect(run.status).toBe(2);
    },
  );
});

const incomplete: [string, string, RegExp][] = [
  [
    "an address",
    toml(""),
    /^askwire: .*config\.toml: providers\.here\.base_url: expected the provider's address, or set OPENAI_BASE_URL to it$/m,
  ],
  [
    "a name",
    toml("http://127.0.0.1:1").replace("small-1", ""),
    /^askwire: .*config\.toml: models\.small\.model: expected a name$/m,
  ],
  [
    "a name for Kimi's provider",
    toml("http://127.0.0.1:1").replace("small-1", "").replace("openai_legacy", "kimi"),
    /^askwire: .*config\.toml: models\.small\.model: expected a name, or set KIMI_MODEL_NAME to it$/m,
  ],
];

describe("an incomplete model configuration", () => {
  test.each(incomplete)(
    "a model without %s lets --wire start with a line that says so, and a prompt is answered with -32001",
    async (_what, config, line) => {
      const wire = await wireWith({ "config.toml": config });
      expect((await prompt(wire)).error).toMatchObject({ code: -32001, message: "LLM is not set" });
      wire.end();
      const { status, stderr } = await wire.ended;
      expect(stderr).toMatch(line);
      expect(status).toBe(0);
    },
  );

  test.each(incomplete)("a model without %s keeps chat from starting", async (_what, config, line) => {
    const env = { ...nothing, ASKWIRE_HOME: await folderWith({ "config.toml": config }) };
    const run = await askwire(["chat", "--model", "small", "--prompt", "hi"], { env });
    expect(run.stderr).toMatch(line);
    expect(run.status).toBe(2);
  });
});

test("a model of pictures and films takes sounds, and a model of pictures alone does not", async () => {
  const endpoint = await answers(hello);
  const sound = [{ type: "audio_url", audio_url: { url: "data:audio/wav;base64,UklGRg==" } }];
  const both = toml(endpoint.url, 'capabilities = ["image_in", "video_in"]');
  expect((await prompt(await wireWith({ "config.toml": both }), sound)).result).toMatchObject({
    status: "finished",
  });
  const pictures = toml(endpoint.url, 'capabilities = ["image_in"]');
  expect((await prompt(await wireWith({ "config.toml": pictures }), sound)).error?.code).toBe(-32002);
});

test("chat finds a model of the configuration in ASKWIRE_HOME", async () => {
  const endpoint = await answers(hello);
  const env = { ...nothing, ASKWIRE_HOME: await folderWith({ "config.toml": toml(endpoint.url) }) };
  const { stdout, status } = await askwire(["chat", "--model", "small", "--prompt", "hi"], { env });
  expect(stdout).toContain("Hello.");
  expect(status).toBe(0);
  expect(endpoint.calls[0]?.body.model).toBe("small-1");
});
