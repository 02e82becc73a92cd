import {
  type ChildProcessWithoutNullStreams,
  type SpawnOptionsWithoutStdio,
  spawn,
} from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** The built command. */
export const command = fileURLToPath(new URL("../bin/askwire.js", import.meta.url));

export interface Run {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Starts the built command, until the test ends; `ended` resolves when it has ended, with all that it printed. */
export function startAskwire(
  args: readonly string[],
  options: SpawnOptionsWithoutStdio = {},
): { child: ChildProcessWithoutNullStreams; ended: Promise<Run> } {
  const child = spawn(process.execPath, [command, ...args], options);
  onTestFinished(() => void child.kill("SIGKILL"));
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Run>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status, signal) => resolve({ stdout, stderr, status, signal }));
  });
  return { child, ended };
}

/** `askwire serve --listen`, once it has printed its address. */
export async function startServe(
  args: readonly string[],
  { port = "0", ...options }: SpawnOptionsWithoutStdio & { port?: string } = {},
) {
  const { child, ended } = startAskwire(["serve", "--listen", `127.0.0.1:${port}`, ...args], options);
  let text = "";
  child.stdout.on("data", (piece: string) => {
    text += piece;
  });
  /** Resolves with the group of the pattern, once the server has printed it or has done so before. */
  const untilPrinted = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(text)?.[1];
        if (found === undefined) return;
        child.stdout.off("data", look);
        resolve(found);
      };
      child.stdout.on("data", look);
      look();
      void ended.then(({ status, stderr }) => reject(new Error(`serve ended with ${status}: ${stderr}`)));
    });
  return { address: await untilPrinted(/^(wss?:\/\/\S+)\n/), child, ended, untilPrinted };
}

/** Runs the built command to its end, with this text on its standard input. */
export function askwire(
  args: readonly string[],
  options: { cwd?: string; input?: string; env?: Record<string, string> } = {},
): Promise<Run> {
  const { cwd = process.cwd(), input = "" } = options;
  const env = { ...process.env, ...options.env };
  const { child, ended } = startAskwire(args, { cwd, env, timeout: 60_000 });
  // A command that ends without reading closes the pipe, which is no failure of the test.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  return ended;
}

/** A text without the line about an agent that starts slowly, as any agent does on a busy machine. */
export const withoutSlowStart = (text: string) =>
  text.replace(/^askwire: "[^"]*" has not introduced itself as an agent yet \([^)]*\)\n/m, "");

/** A new folder with these files, which goes away after the test. */
export async function folderWith(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "askwire-test-"));
  // A gateway that a test leaves running may write into the folder while it goes away.
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return folder;
}

/** A Node.js project for which the shipped interview has three questions: versions, checks, when. */
export const nodeProject = {
  "package.json": JSON.stringify({
    name: "demo",
    scripts: { lint: "biome check", test: "vitest run" },
    engines: { node: ">=20" },
  }),
  "package-lock.json": "{}",
};

/** The file that the shipped interview writes. */
export const workflow = ".github/workflows/ci.yml";

/** A line of a script: the model calls the question tool. */
export function asksLine(questions: readonly object[], id = "tc-1"): string {
  const call = { id, name: "AskUserQuestion", arguments: JSON.stringify({ questions }) };
  return `tool_call: ${JSON.stringify(call)}`;
}

export const colour = {
  question: "Which colour?",
  header: "Colour",
  options: [{ label: "Red" }, { label: "Blue", description: "like the sea" }],
};

/** A model that asks for a colour and then thanks. */
export const colourScript = JSON.stringify([asksLine([colour]), "text: Thanks."]);

/** A configuration whose model replays the scripts of a file. */
export const scriptedConfiguration = (scripts: string) => ({
  default_model: "echo",
  models: { echo: { provider: "script", model: "scripted", max_context_size: 100_000 } },
  providers: {
    script: {
      type: "_scripted_echo",
      base_url: "",
      api_key: "",
      env: { KIMI_SCRIPTED_ECHO_SCRIPTS: scripts },
    },
  },
});
