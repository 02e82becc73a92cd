import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ApprovalView } from "@askwire/client";
import { build } from "esbuild";
import { afterEach, describe, expect, test, vi } from "vitest";
import { KeptOutput } from "../../src/tools/kept-output.js";
import { shellTool } from "../../src/tools/shell.js";
import { callTool, callTools, makePipe, openTools, type ToolsOptions, useFolders } from "./session.js";

const folders = useFolders();
const shell = (command: string, more: object = {}, options: ToolsOptions = {}) =>
  callTool(folders.work, "Shell", { command, ...more }, options);

/** A pipe that all children of a command hold open. Its end shows that the last child is gone. */
function watchPipe(): { held: string; gone: Promise<string> } {
  const held = join(folders.base, "held");
  makePipe(held);
  return { held, gone: readFile(held, "utf8") };
}

/** The cover of an approval's options in the rest of the session. */
const scopes = ({ options = [] }: ApprovalView) =>
  options.flatMap(({ scope }) => (scope === undefined ? [] : [`${scope.kind}: ${scope.value}`]));

describe("Shell", () => {
  test("Shell shows the command, and runs it in the work directory once it is approved", async () => {
    const { approvals, output, message, is_error } = await shell("pwd");
    expect(approvals).toMatchObject([
      {
        sender: "Shell",
        action: "run command",
        description: "Run the command `pwd`",
        display: [{ type: "shell", language: "bash", command: "pwd" }],
      },
    ]);
    expect({ output, message, is_error }).toEqual({
      output: `${folders.work}\n`,
      message: "The command ended with exit code 0.",
      is_error: false,
    });
  });

  test("Shell runs a command as the person changed it, and the model is told (P-XAO-3)", async () => {
    const approval = () => ({ option: "approve", edited: "echo two" });
    const { output, message, approvals } = await shell("echo one", {}, { approval });
    expect(approvals[0]?.edit).toEqual({ content: "echo one", language: "bash", max_length: 16_384 });
    expect(output).toBe("two\n");
    expect(message).toBe(
      "The user changed the command before it ran, to: echo two\nThe command ended with exit code 0.",
    );
  });

  test("Shell asks again where the person's change is not a command (P-XAO-3)", async () => {
    let asked = 0;
    const approval = () => {
      asked += 1;
      return asked === 1 ? { option: "approve", edited: "  " } : { option: "approve", edited: "echo two" };
    };
    const { output, approvals } = await shell("echo one", {}, { approval });
    expect(output).toBe("two\n");
    expect(approvals).toHaveLength(2);
  });

  test("Shell runs nothing when it is rejected, and the model is told", async () => {
    const approval = () => ({ response: "reject" as const, feedback: "no files, please" });
    const { is_error, message } = await shell("touch a", {}, { approval });
    expect(is_error).toBe(true);
    expect(message).toContain("no files, please");
    await expect(readFile(join(folders.work, "a"))).rejects.toThrow("ENOENT");
  });

  test("a reading command approved for the session covers further commands of its program (P-APR-3, P-XAO-7)", async () => {
    const commands = ["echo 1", "echo 2", "echo 3 && touch made", "ls", "echo 4; touch made", "echo 5"];
    const calls = commands.map((command) => ["Shell", { command }] as const);
    const { approvals, results } = await callTools(folders.work, calls, {
      approval: ({ options = [] }) =>
        options.some(({ scope }) => scope?.value === "echo")
          ? { option: "program" }
          : { option: "reject", feedback: "only echo" },
    });
    expect(approvals.map(scopes)).toEqual([["program: echo"], [], ["program: ls"], []]);
    const outputs = results.map(({ is_error, output }) => (is_error ? "refused" : output));
    expect(outputs).toEqual(["1\n", "2\n", "refused", "refused", "refused", "5\n"]);
    await expect(readFile(join(folders.work, "made"))).rejects.toThrow("ENOENT");
  });

  test("a command that does more than read is approved for its call alone, even with the answer for the session (P-XAO-7)", async () => {
    const commands = ["echo 1 | cat", "echo 1 | cat", "touch made", "touch made"];
    const calls = commands.map((command) => ["Shell", { command }] as const);
    const { approvals } = await callTools(folders.work, calls, { approval: () => ({ option: "approve" }) });
    expect(approvals.map(scopes)).toEqual([[], [], [], []]);
  });

  test("Shell returns both outputs in the order in which they came", async () => {
    const { output } = await shell("echo 1; echo 2 >&2; echo 3; ls missing; echo 4 >&2");
    expect(String(output).replace(/^ls.*$/m, "(ls)")).toBe("1\n2\n3\n(ls)\n4\n");
  });

  test.each([
    ["exit 3", "The command ended with exit code 3.", "Exit code 3"],
    ["kill -9 $$", "The command was ended by SIGKILL.", "Ended by SIGKILL"],
    ["echo 'unclosed", "The command ended with exit code 2.", "Exit code 2"],
    ["no-such-program", "The command ended with exit code 127.", "Exit code 127"],
  ])("Shell reports that %j failed, and how", async (command, message, text) => {
    const result = await shell(command);
    expect(result).toMatchObject({ is_error: true, message, display: [{ type: "brief", text }] });
  });

  test("Shell uses bash where it exists, gives an empty input, and says when nothing was printed", async () => {
    const { results } = await callTools(folders.work, [
      ["Shell", { command: "a=(1 2); [[ ${#a[@]} == 2 ]] && cat" }],
    ]);
    expect(results[0]).toMatchObject({ message: "The command ended with exit code 0. It printed nothing." });
  });

  test("Shell keeps the beginning and the end of long output, and says what is missing", async () => {
    const { output, is_error } = await shell("echo begin; yes 🦆 | head -n 200000; echo end");
    const text = String(output);
    expect(is_error).toBe(false);
    expect(text.startsWith("begin\n🦆\n")).toBe(true);
    expect(text.endsWith("🦆\nend\n")).toBe(true);
    expect(text).toMatch(/\n\[cut: 5\d{5} characters, \d+ line ends\]\n/);
    expect(text.length).toBeLessThan(51_000);
    expect(text).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/);
    expect(text).not.toContain("\ufffd");
  });

  test.each([0, 1, 2, 3])("Shell never cuts a character in two, wherever it falls: %i", (shift) => {
    const output = new KeptOutput(21);
    const text = `${"x".repeat(shift)}${"🦆".repeat(20)}${"y".repeat(shift)}`;
    for (const character of text) output.push(character);
    const [head = "", cut = "", tail = ""] = output
      .text()
      .split(/\n\[cut: (\d+) characters, \d+ line ends\]\n/);
    expect([head, tail].map((part) => Buffer.from(part).toString())).toEqual([head, tail]);
    expect(head.length + Number(cut) + tail.length).toBe(text.length);
    expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
  });

  test("Shell does not pass our token on, and passes everything else", async () => {
    process.env.ASKWIRE_TOKEN = "a-token-that-must-stay";
    process.env.ASKWIRE_TEST_WORD = "through";
    const { output } = await shell('echo "[$ASKWIRE_TOKEN][$ASKWIRE_TEST_WORD]"; env');
    expect(String(output).split("\n")[0]).toBe("[][through]");
    expect(output).not.toContain("a-token-that-must-stay");
  });
  test("Shell passes no keys of model providers on, except those that ASKWIRE_INHERIT names", async () => {
    vi.stubEnv("OPENAI_API_KEY", "key-one");
    vi.stubEnv("KIMI_API_KEY", "key-two");
    vi.stubEnv("anthropic_api_key", "key-three");
    vi.stubEnv("STRIPE_API_KEY", "of-another-kind");
    const print = 'echo "[$OPENAI_API_KEY][$KIMI_API_KEY][$anthropic_api_key][$STRIPE_API_KEY]"';
    expect((await shell(print)).output).toBe("[][][][of-another-kind]\n");
    vi.stubEnv("ASKWIRE_INHERIT", "KIMI_API_KEY, ASKWIRE_TOKEN");
    vi.stubEnv("ASKWIRE_TOKEN", "never");
    expect((await shell(`${print}; echo $ASKWIRE_TOKEN`)).output).toBe("[][key-two][][of-another-kind]\n\n");
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    delete process.env.ASKWIRE_TOKEN;
    delete process.env.ASKWIRE_TEST_WORD;
  });

  test("Shell is refused in plan mode, without asking", async () => {
    const { approvals, is_error, message } = await shell("touch a", {}, { planMode: true });
    expect({ approvals, is_error }).toEqual({ approvals: [], is_error: true });
    expect(message).toContain("Plan mode is on");
  });

  test.each([
    ["blank", { command: " " }],
    ["a byte NUL", { command: "echo \0" }],
    ["a timeout over five minutes", { command: "echo", timeout: 301 }],
  ])("Shell with %s is refused with a correction, and nobody is asked", async (_, args) => {
    const { approvals, message } = await callTool(folders.work, "Shell", args);
    expect(approvals).toEqual([]);
    expect(message).toMatch(/^Invalid arguments/);
  });

  test("Shell says so when the work directory is gone", async () => {
    await rm(folders.work, { recursive: true });
    expect(await shell("echo")).toMatchObject({
      is_error: true,
      message: "The command could not be started (ENOENT): is the work directory there?",
    });
  });
});

describe("the processes that a command starts", () => {
  /** Two processes beside the shell, one of which does not end when it is asked to. */
  const tree = (held: string) =>
    `exec 9>'${held}'; sh -c 'trap "" TERM; echo stubborn; while :; do sleep 1; done' & sleep 100 & echo up >&9; wait`;

  test("all processes of a command are gone when the turn is cancelled", async () => {
    const { held, gone } = watchPipe();
    const command = `${tree(held)}`;
    const tools = [shellTool(folders.work, 200)];
    const up = join(folders.base, "up");
    makePipe(up);
    const running = readFile(up, "utf8");
    const { session, results } = await openTools(
      folders.work,
      [[["Shell", { command: command.replace("echo up >&9", `echo up > '${up}'`) }]]],
      { tools },
    );
    const turn = session.prompt("go");
    expect(await running).toBe("up\n");
    await session.cancel();
    expect(await turn.result).toEqual({ status: "cancelled" });
    expect(await gone).toBe("");
    expect(results).toEqual([]);
    await session.close();
  });

  test("all processes of a command are gone after the timeout, and what they printed is kept", async () => {
    const { held, gone } = watchPipe();
    const tools = [shellTool(folders.work, 200)];
    const result = await shell(tree(held), { timeout: 1 }, { tools });
    expect(result).toMatchObject({
      is_error: true,
      output: "stubborn\n",
      message: "The command was stopped after 1 s, with all that it started.",
    });
    expect(await gone).toBe("up\n");
  });

  test.each([
    ["holds the output open", ""],
    ["prints nothing", " >/dev/null 2>&1"],
  ])(
    "a process that a command leaves running is gone when the command ends, and the model is told: one that %s",
    async (_, to) => {
      const { held, gone } = watchPipe();
      const result = await shell(`sleep 100 9>'${held}'${to} & echo started`);
      expect(result).toMatchObject({
        is_error: false,
        output: "started\n",
        message: "The command ended with exit code 0. What it left running in the background was stopped.",
      });
      expect(await gone).toBe("");
    },
  );

  test("all processes of a command are gone when our own process exits first", async () => {
    const { held, gone } = watchPipe();
    const run = fileURLToPath(new URL("../../src/tools/run-command.ts", import.meta.url));
    const command = `exec 9>'${held}'; sleep 100 & echo up >&9; touch up; wait`;
    const options = { command, cwd: folders.work, env: {}, timeoutMs: 60_000, graceMs: 1_000, maxOutput: 10 };
    const contents = `
      import { watch } from "node:fs";
      import { runCommand } from ${JSON.stringify(run)};
      watch(${JSON.stringify(folders.work)}, () => process.exit(7));
      void runCommand({ ...${JSON.stringify(options)}, signal: new AbortController().signal });
    `;
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: folders.base },
      bundle: true,
      format: "esm",
      platform: "node",
      write: false,
    });
    const ours = spawn(process.execPath, ["--input-type=module", "-e", outputFiles[0]?.text ?? ""]);
    expect((await once(ours, "exit"))[0]).toBe(7);
    expect(await gone).toBe("up\n");
  });
});
