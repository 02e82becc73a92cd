// The Go client of Kimi's SDK declares the server's own version and nothing of itself. It ends at the first unknown
// event, and reads nothing more while an approval is unanswered. A client here does the same and always runs. The Go
// client itself runs if ASKWIRE_GO_CLIENT names a folder with its module, or is `get`.
import { execFile } from "node:child_process";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { askwire, command, folderWith } from "../askwire.js";
import { isEvent, isRequest, launch, type WireProcess } from "../wire-process.js";

const run = promisify(execFile);
/** The events known to the Go client, whose reading ends at any other. */
const known = [
  ...["TurnBegin", "TurnEnd", "StepBegin", "StepInterrupted", "CompactionBegin", "CompactionEnd"],
  ...["StatusUpdate", "ContentPart", "ToolCall", "ToolCallPart", "ToolResult", "SubagentEvent"],
  ...["ApprovalRequestResolved", "ApprovalResponse", "ApprovalRequest", "ToolCallRequest"],
];

/** A configuration of a scripted model, and the folder that it is in. */
async function configured(scripts: readonly string[]) {
  const folder = await folderWith({ "scripts.json": JSON.stringify(scripts) });
  const env = { KIMI_SCRIPTED_ECHO_SCRIPTS: join(folder, "scripts.json") };
  const config = join(folder, "config.json");
  const configuration = {
    default_model: "echo",
    models: { echo: { provider: "script", model: "scripted", max_context_size: 100_000 } },
    providers: { script: { type: "_scripted_echo", base_url: "", api_key: "", env } },
  };
  await writeFile(config, JSON.stringify(configuration));
  return { config, folder };
}

const retried = ["error: 503 busy", "text: At last."];
const shell = { id: "tc-1", name: "Shell", arguments: JSON.stringify({ command: "echo 1" }) };
const asksToRun = [`tool_call: ${JSON.stringify(shell)}`, "text: Done."];

describe("a client that declares 1.10 and does not say who it is", () => {
  async function introduced(scripts: readonly string[]) {
    const { config, folder } = await configured(scripts);
    const { stdout } = await askwire(["info", "--json"]);
    const { wire_protocol_version: protocol_version } = JSON.parse(stdout);
    const client = launch(["--wire", "--config-file", config, "--work-dir", folder]);
    await client.call("initialize", { protocol_version });
    return client;
  }

  const unknownTo = ({ messages }: WireProcess) =>
    messages.flatMap(({ params }) =>
      params === undefined || known.includes(params.type) ? [] : [params.type],
    );

  test("a client of version 1.10 finishes a turn with a retry, and is sent no event that it does not know (P-VER-3, P-STP-4)", async () => {
    const client = await introduced(retried);
    expect((await client.call("prompt", { user_input: "go" })).result).toEqual({ status: "finished" });
    expect(unknownTo(client)).toEqual([]);
    expect((await client.seen(isEvent("ContentPart"))).params?.payload.text).toBe("At last.");
  });

  test("a client of version 1.10 finishes a turn that it cancels at an approval and answers afterwards (P-TRN-6)", async () => {
    const client = await introduced(asksToRun);
    const turn = client.call("prompt", { user_input: "go" });
    const { id } = await client.seen(isRequest("ApprovalRequest"));
    expect((await client.call("cancel", {})).result).toEqual({});
    client.send({ jsonrpc: "2.0", id, result: { request_id: id, response: "reject" } });
    expect((await turn).result).toEqual({ status: "cancelled" });
    expect(unknownTo(client)).toEqual([]);
  });
});

const module = "github.com/MoonshotAI/kimi-agent-sdk/go";
const from = process.env.ASKWIRE_GO_CLIENT;

describe.skipIf(!from)("the Go client itself", { timeout: 300_000 }, () => {
  /** Builds the program in a folder of its own. */
  async function built(): Promise<string> {
    const folder = await folderWith();
    const source = fileURLToPath(new URL("./go-client/main.go", import.meta.url));
    await copyFile(source, join(folder, "main.go"));
    const here = from === "get" ? "" : `require ${module} v0.0.0\nreplace ${module} => ${from}\n`;
    await writeFile(join(folder, "go.mod"), `module goclient\n\ngo 1.25\n\n${here}`);
    await run("go", ["mod", "tidy"], { cwd: folder });
    await run("go", ["build", "-o", "go-client", "."], { cwd: folder });
    return join(folder, "go-client");
  }

  test("the Go client finishes a turn with a retry, and one that is cancelled at an approval (P-VER-3, P-TRN-6)", async () => {
    const program = await built();
    const turns = [];
    for (const scripts of [retried, asksToRun]) {
      const { config, folder } = await configured(scripts);
      await mkdir(join(folder, "share"));
      const env = { ...process.env, KIMI_SHARE_DIR: join(folder, "share") };
      const { stdout } = await run(program, [command, config, folder], { env, timeout: 60_000 });
      turns.push(JSON.parse(stdout));
    }
    expect(turns).toEqual([
      { said: "At last.", approvals: [], status: "finished", error: "" },
      { said: "", approvals: ["run command"], status: "cancelled", error: "" },
    ]);
  });
});
