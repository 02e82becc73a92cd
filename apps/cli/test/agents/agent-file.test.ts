import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { modelEndpoint, says, stops, streams } from "../../../../packages/agent/test/model-endpoint.js";
import { readAgentFile } from "../../src/agents/agent-file.js";
import { asksLine, askwire, colour, folderWith } from "../askwire.js";
import { isEvent, isRequest, launch } from "../wire-process.js";

const file = (agent: string) => `version: 1\nagent:\n  ${agent.split("\n").join("\n  ")}\n`;
const own = (agent: string) => file(`name: mine\nsystem_prompt_path: ./system.md\n${agent}`);

/** The command with `agent.yaml`, beside other files, and a client that it may ask. */
async function withAgent(
  agent: string,
  {
    provider,
    files = {},
    flags = [],
  }: { provider: object; files?: Record<string, string>; flags?: string[] },
) {
  const configuration = {
    default_model: "m",
    models: { m: { provider: "p", model: "m", max_context_size: 100_000 } },
    providers: { p: provider },
  };
  const folder = await folderWith({
    "system.md": "You count sheep.",
    ...files,
    "agent.yaml": agent,
    "config.json": JSON.stringify(configuration),
  });
  const options = ["--config-file", "config.json", "--agent-file", "agent.yaml", ...flags];
  const wire = launch(["--wire", ...options], {
    cwd: folder,
    env: { KIMI_SHARE_DIR: join(folder, "share") },
  });
  const capabilities = { supports_question: true, supports_plan_mode: true };
  await wire.call("initialize", { protocol_version: "1.10", client: { name: "c" }, capabilities });
  return { wire, folder };
}

/** With a scripted model. */
async function scripted(agent: string, scripts: readonly string[], files: Record<string, string> = {}) {
  const env = { KIMI_SCRIPTED_ECHO_SCRIPTS: "scripts.json" };
  const provider = { type: "_scripted_echo", base_url: "", api_key: "", env };
  return withAgent(agent, { provider, files: { ...files, "scripts.json": JSON.stringify(scripts) } });
}

/** The instructions and tools that a provider is sent. */
async function told(agent: string, files: Record<string, string> = {}) {
  const endpoint = await modelEndpoint([streams(says("Hello."), stops())]);
  const provider = { type: "openai_legacy", base_url: endpoint.url, api_key: "k" };
  const { wire, folder } = await withAgent(agent, { provider, files });
  await wire.call("prompt", { user_input: "hi" });
  const { messages, tools = [] } = endpoint.calls[0]?.body ?? {};
  const names: string[] = tools.map((tool: { function: { name: string } }) => tool.function.name);
  wire.end();
  const { stderr } = await wire.ended;
  return { system: String(messages[0].content), names: names.sort(), folder, stderr };
}

const call = (name: string, args: object) =>
  `tool_call: ${JSON.stringify({ id: "tc-1", name, arguments: JSON.stringify(args) })}`;

describe("--agent-file", () => {
  test("an excluded Shell is an unknown tool: nobody is asked and nothing runs", async () => {
    const agent = file('extend: default\nexclude_tools: ["kimi_cli.tools.shell:Shell"]');
    const { wire } = await scripted(agent, [call("Shell", { command: "touch ran" }), "text: Done."]);
    expect((await wire.call("prompt", { user_input: "go" })).result).toEqual({ status: "finished" });
    expect(wire.messages.filter(isRequest("ApprovalRequest"))).toEqual([]);
    expect((await wire.seen(isEvent("ToolResult"))).params?.payload.return_value).toMatchObject({
      is_error: true,
      message: 'There is no tool "Shell".',
    });
  });

  test("an excluded AskUserQuestion asks nobody", async () => {
    const agent = file('extend: default\nexclude_tools: ["kimi_cli.tools.ask_user:AskUserQuestion"]');
    const { wire } = await scripted(agent, [asksLine([colour]), "text: Done."]);
    await wire.call("prompt", { user_input: "go" });
    expect(wire.messages.filter(isRequest("QuestionRequest"))).toEqual([]);
  });

  test("the model is offered the tools of the list less the excluded ones, and gets the file's instructions", async () => {
    const tools = ["shell:Shell", "file:ReadFile", "file:WriteFile", "ask_user:AskUserQuestion"];
    const list = tools.map((tool) => `"kimi_cli.tools.${tool}"`).join(", ");
    const agent = own(`tools: [${list}]\nexclude_tools: ["kimi_cli.tools.shell:Shell"]`);
    const { names, system } = await told(agent);
    expect(names).toEqual(["AskUserQuestion", "ReadFile", "WriteFile"]);
    expect(system).toContain("You count sheep.");
    expect(system).not.toContain("You are an agent at work");
  });

  test("a list of tools that is null counts as empty", async () => {
    const folder = await folderWith({
      "none.yaml": file("extend: default\ntools:"),
      "all.yaml": file("extend: base.yaml\nexclude_tools:"),
      "base.yaml": file('extend: default\nexclude_tools: ["kimi_cli.tools.shell:Shell"]'),
    });
    const toolsOf = (name: string) => readAgentFile(join(folder, name), folder).tools;
    expect([...toolsOf("none.yaml")]).toEqual([]);
    expect([toolsOf("base.yaml").has("Shell"), toolsOf("all.yaml").has("Shell")]).toEqual([false, true]);
  });

  test("the default agent file brings all tools and the command's own instructions", async () => {
    const all = await told(file("extend: default"));
    const own = ["ReadFile", "SetTodoList", "Shell", "StrReplaceFile", "WriteFile"];
    expect(all.names).toEqual(["AskUserQuestion", "EnterPlanMode", "ExitPlanMode", ...own]);
    expect(all.system).toContain("You are an agent at work");
  });

  test("an agent file extends another beside it, and what it says itself takes precedence", async () => {
    const base = own('tools: ["kimi_cli.tools.shell:Shell", "kimi_cli.tools.file:ReadFile"]');
    const files = {
      "lib/base.yaml": `${base}  exclude_tools: ["kimi_cli.tools.file:ReadFile"]\n`,
      "lib/system.md": "From the base.",
    };
    const agent = file('extend: lib/base.yaml\nexclude_tools: ["kimi_cli.tools.shell:Shell"]');
    const { names, system } = await told(agent, files);
    expect(names).toEqual(["ReadFile"]);
    expect(system).toContain("From the base.");
  });

  test("a tool of Kimi CLI that does not exist here is named on standard error, and the agent does without it", async () => {
    const agent = own('tools: ["kimi_cli.tools.file:Grep", "kimi_cli.tools.file:ReadFile"]');
    const { names, stderr } = await told(agent);
    expect(names).toEqual(["ReadFile"]);
    expect(stderr).toBe(
      "askwire: --agent-file: kimi_cli.tools.file:Grep is not available here: the agent runs without it\n",
    );
  });

  test("the instructions of an agent file can use the same variables as in Kimi CLI", async () => {
    const system = "In ${KIMI_WORK_DIR} on ${KIMI_OS}, at ${ KIMI_NOW }, $5 and {work_dir}.";
    const { folder, system: read } = await told(own("tools: []"), { "system.md": system });
    expect(read).toMatch(/^In .* on (Linux|macOS), at \d{4}-\d\d-\d\dT\S+, \$5 and \{work_dir\}\./);
    expect(read).toContain(folder);
  });
});

describe("a wrong agent file", () => {
  test.each<[string, Record<string, string>, RegExp]>([
    ["no file", {}, /agent\.yaml: no such file; check the path$/m],
    ["no YAML", { "agent.yaml": "agent: [" }, /agent\.yaml: line 1: expected YAML \(/],
    ["another version", { "agent.yaml": "version: 2\nagent: {}" }, /agent\.yaml: version: expected 1 or "1"/],
    [
      "a list of another type",
      { "agent.yaml": own("tools: Shell") },
      /agent\.yaml: agent\.tools: expected array/,
    ],
    ["no tools", { "agent.yaml": own("") }, /agent\.tools: expected a list of tools, or "extend: default"$/m],
    [
      "no instructions",
      { "agent.yaml": file("name: x\ntools: []") },
      /agent\.system_prompt_path: expected a file, or "extend: default"$/m,
    ],
    [
      "instructions that are not there",
      { "agent.yaml": file("tools: []\nsystem_prompt_path: nope.md") },
      /agent\.system_prompt_path \S+nope\.md: no such file; check the path$/m,
    ],
    [
      "a name in them that is not known",
      { "agent.yaml": own("tools: []"), "system.md": "See ${KIMI_SKILLS}" },
      /system\.md: \$\{KIMI_SKILLS\} is not known here: expected one of KIMI_NOW, KIMI_WORK_DIR, KIMI_OS, KIMI_SHELL$/m,
    ],
    [
      "a template in them",
      { "agent.yaml": own("tools: []"), "system.md": "{% if x %}y{% endif %}" },
      /system\.md: expected text and \$\{NAME\}, found a block of a template$/m,
    ],
    [
      "a tool by its name alone",
      { "agent.yaml": file("extend: default\nexclude_tools: [Shell]") },
      /agent\.exclude_tools: "Shell" is not a tool of Kimi CLI, such as "kimi_cli\.tools\.shell:Shell"$/m,
    ],
    [
      "a tool in a custom module",
      { "agent.yaml": file('extend: default\ntools: ["mine:Tool"]') },
      /agent\.tools: "mine:Tool" is not a tool of Kimi CLI/,
    ],
    [
      "a key that is not read",
      { "agent.yaml": file("extend: default\nallowed_tools: []") },
      /agent\.allowed_tools: expected only extend, name, system_prompt_path, tools, exclude_tools; leave it out$/m,
    ],
    [
      "a key that is spelled wrong",
      { "agent.yaml": file('extend: default\nexlude_tools: ["kimi_cli.tools.shell:Shell"]') },
      /agent\.exlude_tools: expected only/,
    ],
    [
      "files that extend each other",
      { "agent.yaml": file("extend: b.yaml"), "b.yaml": file("extend: ./agent.yaml") },
      /agent\.extend: expected a file that does not extend this one$/m,
    ],
  ])("a wrong agent file (%s) is reported in one line, with exit code 2", async (_what, files, line) => {
    const folder = await folderWith({ "system.md": "x", ...files });
    const env = { KIMI_SHARE_DIR: folder };
    const run = await askwire(["--wire", "--agent-file", "agent.yaml"], { cwd: folder, env });
    expect(run.stderr).toMatch(line);
    expect(run.stderr).toMatch(/^askwire: [^\n]+\n$/);
    expect([run.stdout, run.status]).toEqual(["", 2]);
  });

  test("a dialect that brings its own tools refuses --agent-file in one line, with exit code 2", async () => {
    const folder = await folderWith({ "agent.yaml": file("extend: default") });
    const args = ["--wire", "--dialect", "adp", "--agent-file", "agent.yaml"];
    const run = await askwire(args, { cwd: folder, env: { KIMI_SHARE_DIR: folder } });
    expect([run.stderr, run.status]).toEqual([
      "askwire: --dialect adp brings its own tools: leave --agent-file out\n",
      2,
    ]);
  });
});
