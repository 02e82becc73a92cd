import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { asksLine, askwire, colour, folderWith } from "../askwire.js";
import { isEvent, isRequest, launch, type Message, type WireProcess } from "../wire-process.js";

/** A configuration as a client of `kimi` writes it, with a scripted model, in a folder of its own. */
async function scripted(scripts: readonly string[], change: Record<string, unknown> = {}): Promise<string> {
  const folder = await folderWith({ "scripts.json": JSON.stringify(scripts) });
  const env = { KIMI_SCRIPTED_ECHO_SCRIPTS: join(folder, "scripts.json") };
  const configuration = {
    default_model: "echo",
    models: { echo: { provider: "script", model: "scripted", max_context_size: 100_000 } },
    providers: { script: { type: "_scripted_echo", base_url: "", api_key: "", env } },
    ...change,
  };
  return join(await folderWith({ "config.json": JSON.stringify(configuration) }), "config.json");
}

function start(config: string, flags: readonly string[] = []): WireProcess {
  const folder = join(config, "..");
  return launch(["--wire", "--config-file", config, "--work-dir", folder, ...flags]);
}

const initialize = (supports_question = true) => ({
  protocol_version: "1.7",
  client: { name: "kimi-agent-sdk/0.1.8", version: "0.1.8" },
  capabilities: { supports_question, supports_plan_mode: true },
});

/** A process that has been asked something, and has asked in turn. */
async function withOpenQuestion(scripts = [asksLine([colour]), "text: Thanks."]) {
  const wire = start(await scripted(scripts));
  await wire.call("initialize", initialize());
  const turn = wire.call("prompt", { user_input: "hello" });
  // Whoever does not await the turn ends the process while it runs.
  turn.catch(() => {});
  const question = await wire.seen(isRequest("QuestionRequest"));
  return { wire, turn, question };
}

const answerTo = ({ id }: Message, answers: object) => ({
  jsonrpc: "2.0",
  id,
  result: { request_id: id, answers },
});

const toolResult = async (wire: WireProcess) =>
  (await wire.seen(isEvent("ToolResult"))).params?.payload.return_value as Record<string, unknown>;

describe("--wire in the place of kimi", () => {
  test("a --wire turn asks and continues with the answer, and the end of the input gives exit code 0", async () => {
    const { wire, turn, question } = await withOpenQuestion();
    expect(typeof question.id).toBe("string");
    expect(question.params?.payload).toEqual({
      id: question.id,
      tool_call_id: "tc-1",
      questions: [
        {
          question: "Which colour?",
          header: "Colour",
          options: [
            { label: "Red", description: "" },
            { label: "Blue", description: "like the sea" },
          ],
          multi_select: false,
          body: "",
          other_label: "",
          other_description: "",
        },
      ],
    });
    wire.send(answerTo(question, { "Which colour?": "Blue" }));
    expect((await turn).result).toMatchObject({ status: "finished" });
    expect(await toolResult(wire)).toMatchObject({
      is_error: false,
      output: '{"answers": {"Which colour?": "Blue"}}',
      message: "User has answered.",
    });
    wire.end();
    expect(await wire.ended).toEqual({ status: 0, signal: null, stderr: "" });
    expect(wire.noise).toEqual([]);
  });

  test("initialize is answered in full, events have no id, and TurnEnd comes before the prompt's response", async () => {
    const wire = start(await scripted(["text: Hello\u2028there."]));
    const { result } = await wire.call("initialize", initialize());
    expect(result).toMatchObject({
      protocol_version: "1.10",
      server: { name: "askwire", version: "0.1.0" },
      slash_commands: expect.any(Array),
    });
    const { id } = await wire.call("prompt", { user_input: "hello" });
    const turn = wire.messages.slice(1);
    expect(turn.map(({ params, id }) => params?.type ?? id)).toEqual(
      expect.arrayContaining(["TurnBegin", "StepBegin", "ContentPart", "TurnEnd", id]),
    );
    expect(turn[0]?.params).toEqual({ type: "TurnBegin", payload: { user_input: "hello" } });
    expect(turn.at(-2)?.params?.type).toBe("TurnEnd");
    expect(turn.at(-1)?.id).toBe(id);
    for (const message of wire.messages) {
      expect(message.jsonrpc).toBe("2.0");
      if (message.method === "event") expect(message).not.toHaveProperty("id");
    }
    wire.end();
    expect((await wire.ended).status).toBe(0);
    expect(wire.noise).toEqual([]);
  });

  test.each([
    ["that declares supports_question: false", initialize(false)],
    ["without capabilities", { ...initialize(), capabilities: undefined }],
  ])("a client %s is sent no question, and the model is told to ask in text", async (_what, params) => {
    const wire = start(await scripted([asksLine([colour]), "text: Which colour?"]));
    await wire.call("initialize", params);
    expect((await wire.call("prompt", { user_input: "hello" })).result).toMatchObject({
      status: "finished",
    });
    expect(wire.messages.filter(isRequest("QuestionRequest"))).toEqual([]);
    const result = await toolResult(wire);
    expect(result.is_error).toBe(true);
    expect(result.message).toContain("Do NOT call this tool again");
  });

  test("a prompt without initialize runs", async () => {
    const wire = start(await scripted(["text: Hello."]));
    expect((await wire.call("prompt", { user_input: "hello" })).result).toMatchObject({ status: "finished" });
  });

  test("cancel ends the turn while a question is open; a late answer is silent", async () => {
    const { wire, turn, question } = await withOpenQuestion();
    expect((await wire.call("cancel")).result).toEqual({});
    expect((await turn).result).toMatchObject({ status: "cancelled" });
    wire.send(answerTo(question, { "Which colour?": "Red" }));
    const before = wire.messages.length;
    expect((await wire.call("probe")).error?.code).toBe(-32601);
    expect(wire.messages.length).toBe(before + 1);
    expect(wire.messages.filter(isEvent("ToolResult"))).toEqual([]);
  });

  test("--afk asks nobody, and --yolo still asks", async () => {
    const config = await scripted([asksLine([colour]), "text: Thanks."]);
    const afk = start(config, ["--afk"]);
    await afk.call("initialize", initialize());
    await afk.call("prompt", { user_input: "hello" });
    expect(afk.messages.filter(isRequest("QuestionRequest"))).toEqual([]);
    expect((await toolResult(afk)).output).toContain("afk mode");
    const yolo = start(config, ["--yolo"]);
    await yolo.call("initialize", initialize());
    yolo.send({ jsonrpc: "2.0", id: "p", method: "prompt", params: { user_input: "hello" } });
    await yolo.seen(isRequest("QuestionRequest"));
  });

  test("--max-steps-per-turn ends a turn that takes too long", async () => {
    const wire = start(await scripted([asksLine([colour])]), ["--max-steps-per-turn", "1"]);
    await wire.call("initialize", initialize(false));
    const { result } = await wire.call("prompt", { user_input: "hello" });
    expect(result).toEqual({ status: "max_steps_reached", steps: 1 });
  });

  test("every launch flag of kimi's clients is accepted, and those without an effect are named on standard error", async () => {
    const flags = ["--session", "5f0c6a3e-5b0e-4c8e-9d57-0b4c0e6f2d11", "--model", "echo", "--no-thinking"];
    const unused = ["--skills-dir", "s", "--mcp-config-file", "m.json"];
    const wire = start(await scripted(["text: Hello."]), [...flags, "--auto-approve", ...unused]);
    expect((await wire.call("initialize", initialize())).result).toBeDefined();
    wire.end();
    const { status, stderr } = await wire.ended;
    expect(status).toBe(0);
    for (const flag of unused.filter((word) => word.startsWith("--")))
      expect(stderr).toContain(`askwire: ${flag} has no effect\n`);
    expect(stderr).not.toContain("thinking");
  });

  test("a prompt without a configured model is refused as such", async () => {
    const wire = launch(["--wire"], { cwd: await folderWith() });
    await wire.call("initialize", initialize());
    expect((await wire.call("prompt", { user_input: "hello" })).error?.code).toBe(-32001);
  });

  test.each([
    ["a provider's error", "error: 400 it broke", /it broke/],
    ["a script with a wrong line", "text: a\nshout: b", /script 1, line 2/],
  ])("%s ends the turn with -32003, and the next prompt can be sent", async (_what, script, text) => {
    const wire = start(await scripted([script, "text: Better."]));
    await wire.call("initialize", initialize());
    const { error } = await wire.call("prompt", { user_input: "hello" });
    expect(error?.code).toBe(-32003);
    expect(error?.message).toMatch(text);
    expect(wire.messages.at(-2)?.params?.type).toBe("TurnEnd");
    expect((await wire.call("prompt", { user_input: "again" })).result).toMatchObject({ status: "finished" });
  });
});

describe("the end of the process with a question open", () => {
  test("the end of the input with a question open ends --wire with status 0", async () => {
    const { wire } = await withOpenQuestion();
    wire.end();
    expect(await wire.ended).toEqual({ status: 0, signal: null, stderr: "" });
    expect(wire.noise).toEqual([]);
  });

  test.each(["SIGTERM", "SIGINT"] as const)("%s with a question open ends --wire", async (signal) => {
    const { wire } = await withOpenQuestion();
    wire.child.kill(signal);
    await wire.ended;
    expect(wire.noise).toEqual([]);
  });

  test.each([
    ["--wire", []],
    ["serve --stdio", ["serve", "--stdio", "--script", "s.json"]],
  ])(
    "SIGINT ends %s like the end of the input: status 0 and nothing left of the turn",
    async (_what, args) => {
      const cwd = await folderWith({ "s.json": JSON.stringify([asksLine([colour])]) });
      const flags = ["--wire", "--config-file", await scripted([asksLine([colour])])];
      const wire = launch(args.length === 0 ? flags : args, { cwd });
      await wire.call("initialize", initialize());
      const turn = wire.call("prompt", { user_input: "hello" });
      await wire.seen(isRequest("QuestionRequest"));
      wire.child.kill("SIGINT");
      expect((await turn).result).toMatchObject({ status: "cancelled" });
      expect(await wire.ended).toEqual({ status: 0, signal: null, stderr: "" });
      expect(wire.noise).toEqual([]);
    },
  );
});

describe("a configuration that cannot be used", () => {
  const provider = { type: "_scripted_echo" };
  const model = { provider: "p", model: "m", max_context_size: 1 };
  test.each([
    ["no JSON", "{", /: expected JSON \(/],
    ["no JSON, on several lines", '{\n"a":\nno\n}', /: expected JSON \(/],
    [
      "no TOML",
      "# of mine\n\ndefault_model = a\n",
      /^askwire: config\.json: line 3: expected TOML, or JSON in braces \(/,
    ],
    [
      "a table of TOML",
      '[models."a"]\nmodel = "b"\n',
      /^askwire: config\.json: models\.a\.provider: expected string/,
    ],
    [
      "a model without a provider",
      JSON.stringify({ models: { a: { model: "m", max_context_size: 1 } } }),
      /models\.a\.provider/,
    ],
    [
      "a default model that is not there",
      '{"default_model":"gone"}',
      /config\.json: default_model: "gone" is not in the configuration: add it under models/,
    ],
    [
      "a provider that is not there",
      JSON.stringify({ default_model: "a", models: { a: model } }),
      /models\.a\.provider: "p" is not in the configuration/,
    ],
    [
      "an unknown type of provider",
      JSON.stringify({ default_model: "a", models: { a: model }, providers: { p: { type: "psychic" } } }),
      /providers\.p\.type: "psychic" is not one of _scripted_echo/,
    ],
    [
      "a scripted provider without scripts",
      JSON.stringify({ default_model: "a", models: { a: model }, providers: { p: provider } }),
      /KIMI_SCRIPTED_ECHO_SCRIPTS/,
    ],
    [
      "scripts that are not there",
      JSON.stringify({
        default_model: "a",
        models: { a: model },
        providers: { p: { ...provider, env: { KIMI_SCRIPTED_ECHO_SCRIPTS: "/gone.json" } } },
      }),
      /\/gone\.json: no such file; check the path/,
    ],
  ])("a configuration (%s) exits with 2 and one line", async (_what, text, line) => {
    const cwd = await folderWith({ "config.json": text });
    const { stdout, stderr, status } = await askwire(["--wire", "--config-file", "config.json"], { cwd });
    expect(stderr).toMatch(line);
    expect(stderr).toMatch(/^askwire: [^\n]+\n$/);
    expect(stdout).toBe("");
    expect(status).toBe(2);
  });

  test("a missing file, an unknown --model and a missing --work-dir each exit with 2 and one line", async () => {
    const config = await scripted([]);
    const gone = await askwire(["--wire", "--config-file", "/gone.json"]);
    expect(gone.stderr).toBe("askwire: --config-file /gone.json: no such file; check the path\n");
    const model = await askwire(["--wire", "--config-file", config, "--model", "other"]);
    expect(model.stderr).toMatch(
      /^askwire: --model other: .+config\.json has no model of that name; add it there, or name/,
    );
    const folder = await askwire(["--wire", "--config-file", config, "--work-dir", "/gone"]);
    expect(folder.stderr).toBe("askwire: --work-dir /gone: no such folder\n");
    expect([gone.status, model.status, folder.status]).toEqual([2, 2, 2]);
  });

  test("--config takes the text of a configuration itself", async () => {
    const { stderr, status } = await askwire(["--wire", "--config", "[]"]);
    expect(stderr).toMatch(/^askwire: --config: [^\n]+\n$/);
    expect(status).toBe(2);
  });
});
