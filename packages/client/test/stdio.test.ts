import { realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { PassThrough, Writable } from "node:stream";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { HEARS_LINES } from "../../protocol/test/line-program.js";
import { connectProcess, connectStreams, type DialedChannel, type SpawnOptions } from "../src/stdio.js";

/** An agent that greets, and does this when it is prompted; `send` writes a line. */
const agent = (onPrompt: string) => `${HEARS_LINES}
  const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
  hearLines((line) => {
    const { id, method } = JSON.parse(line);
    if (method === "prompt") { ${onPrompt} }
    else send({ id, result: { protocol_version: "1.10", server: { name: "raw", version: "0" }, slash_commands: [] } });
  });
`;

/** Starts an agent beside a child of its process that holds its pipes open for longer than the test runs. */
async function withGrandchild(onPrompt: string) {
  let log = "";
  const session = await connectProcess(
    "sh",
    ["-c", 'sleep 600 & echo "sleep $!" >&2; exec "$0" -e "$1"', process.execPath, agent(onPrompt)],
    {
      onStderr: (text) => {
        log += text;
      },
    },
  );
  const pid = Number(/sleep (\d+)/.exec(log)?.[1]);
  expect(pid).toBeGreaterThan(1);
  onTestFinished(() => void process.kill(pid));
  return session;
}

describe.skipIf(process.platform === "win32")("an agent whose own child outlives it", () => {
  test("an agent whose child outlives it ends the turn when it dies, and says how", async () => {
    const session = await withGrandchild('process.kill(process.pid, "SIGKILL")');
    await expect(session.prompt("go").result).rejects.toMatchObject({
      code: "PROCESS_EXITED",
      message: expect.stringContaining('"sh" ended by SIGKILL'),
    });
    await session.close();
  });

  test("an agent whose child outlives it does not hold up close()", async () => {
    const session = await withGrandchild("");
    await session.close();
    expect(await session.closed).toBeUndefined();
  });

  test("an agent whose child outlives it loses nothing of what it said last", async () => {
    const session = await withGrandchild(`
      send({ method: "event", params: { type: "TurnBegin", payload: { user_input: "x".repeat(50_000) } } });
      send({ id, result: { status: "finished" } });
      process.exit(3);
    `);
    const turn = session.prompt("go");
    expect(await turn.result).toEqual({ status: "finished" });
    expect(await session.closed).toMatchObject({ message: expect.stringContaining("ended with status 3") });
  });
});

describe("the limits of a connection hold for its streams", () => {
  test("a longer line than inboundBytes is skipped, over a process", async () => {
    const problems: string[] = [];
    const session = await connectProcess(
      process.execPath,
      [
        "-e",
        agent(
          'process.stdout.write("x".repeat(2000) + "\\n"); send({ id, result: { status: "finished" } });',
        ),
      ],
      { limits: { inboundBytes: 1_000 }, onProblem: (message) => void problems.push(message) },
    );
    expect(await session.prompt("go").result).toEqual({ status: "finished" });
    expect(problems.join()).toContain("longer than 1000 bytes");
    await session.close();
  });

  test("a peer that leaves more than unsentBytes unread is cut off, over streams", async () => {
    const output = new Writable({ write() {} });
    const connected = connectStreams(new PassThrough(), output, { limits: { unsentBytes: 10 } });
    await expect(connected).rejects.toMatchObject({
      code: "CLOSED",
      message: expect.stringContaining("more than 10 bytes unread"),
    });
  });
});

describe("the process that is started", () => {
  const node = (program: string, options: SpawnOptions = {}) =>
    connectProcess(process.execPath, ["-e", program], options);

  /** An agent that tells its arguments, folder and environment. */
  const introspective = agent(`
    const text = JSON.stringify({ argv: process.argv.slice(1), cwd: process.cwd(), env: process.env });
    send({ method: "event", params: { type: "ContentPart", payload: { type: "text", text } } });
    send({ id, result: { status: "finished" } });
  `);
  async function told(args: string[], options: SpawnOptions) {
    const session = await connectProcess(process.execPath, ["-e", introspective, "--", ...args], options);
    for await (const { type, payload } of session.prompt("go")) {
      if (type !== "ContentPart" || payload.type !== "text") continue;
      await session.close();
      return JSON.parse(payload.text) as { argv: string[]; cwd: string; env: NodeJS.ProcessEnv };
    }
    throw new Error("it told nothing");
  }

  test("a started process has the arguments and the folder that were given, and not our DEBUG (P-CLI-10)", async () => {
    vi.stubEnv("DEBUG", "*");
    vi.stubEnv("ASKWIRE_TEST", "kept");
    onTestFinished(() => void vi.unstubAllEnvs());
    const cwd = await realpath(tmpdir());
    const { argv, cwd: where, env } = await told(["--wire", "--work-dir", cwd], { cwd });
    expect([argv, where]).toEqual([["--wire", "--work-dir", cwd], cwd]);
    expect([env.DEBUG, env.ASKWIRE_TEST]).toEqual([undefined, "kept"]);
  });

  test("a started process has the given environment and no other", async () => {
    const { env } = await told([], { env: { PATH: process.env.PATH, DEBUG: "agent" } });
    expect([env.DEBUG, env.HOME]).toEqual(["agent", undefined]);
  });

  test("a started process gets tools, and its session keeps its status", async () => {
    const asking = agent(`
      send({ method: "event", params: { type: "StatusUpdate", payload: { plan_mode: true } } });
      send({ method: "request", id: "tc", params: { type: "ToolCallRequest", payload: { id: "tc", name: "Sum", arguments: "[1]" } } });
      prompt = id;
    `).replace(
      "const { id, method } = JSON.parse(line);",
      `
      const { id, method, result } = JSON.parse(line);
      if (method === undefined) {
        send({ method: "event", params: { type: "ToolResult", payload: result } });
        return send({ id: prompt, result: { status: "finished" } });
      }`,
    );
    const tools = [{ name: "Sum", description: "", parameters: {}, run: () => "1" }];
    const session = await node(`let prompt; ${asking}`, { tools });
    const results: unknown[] = [];
    for await (const event of session.prompt("go"))
      if (event.type === "ToolResult") results.push(event.payload.return_value);
    expect(results).toMatchObject([
      { is_error: true, message: expect.stringContaining("invalid arguments") },
    ]);
    expect(session.status.plan_mode).toBe(true);
    await session.close();
  });

  test.each([
    ["ends with status 0", "process.exit(0)", "ended with status 0"],
    ["ends with status 3", "process.exit(3)", "ended with status 3"],
    ["is ended by a signal", 'process.kill(process.pid, "SIGTERM")', "ended by SIGTERM"],
  ])("a process that %s in a turn rejects it, and says how", async (_what, action, message) => {
    const session = await node(agent(action));
    await expect(session.prompt("go").result).rejects.toMatchObject({
      code: "PROCESS_EXITED",
      message: expect.stringContaining(message),
    });
    await expect(session.steer("on")).rejects.toMatchObject({ name: "LocalError" });
    await expect(session.replay()).rejects.toMatchObject({ name: "LocalError" });
    await session.close();
  });

  test("a process that fails is reported with the end of its log, and not more of it", async () => {
    const session = await node(
      agent('process.stderr.write("y".repeat(50_000) + "no key: set KEY\\n", () => process.exit(3));'),
    );
    const error = await session.prompt("go").result.catch((error: Error) => error);
    expect(error).toMatchObject({ message: expect.stringMatching(/: y+no key: set KEY$/) });
    expect((error as Error).message.length).toBeLessThan(5_000);
  });

  test("a process that is handed on to somebody else is not called slow, however long that one keeps it", async () => {
    const waits = new Map<number, () => void>();
    const timing = {
      after(ms: number, action: () => void) {
        waits.set(ms, action);
        return () => void waits.delete(ms);
      },
      random: () => 0,
    };
    const slow: string[] = [];
    const handedOn = (channel: DialedChannel): DialedChannel => ({
      ...channel,
      listen: (sink) => sink.closed(new Error("handed on")),
      close() {},
    });
    const end = new AbortController();
    const connecting = connectProcess(process.execPath, ["-e", "process.stdin.resume()"], {
      ...{
        timing,
        through: (channel) => {
          end.signal.addEventListener("abort", () => channel.close());
          return handedOn(channel);
        },
      },
      onSlowStart: (printed) => void slow.push(printed),
    });
    const failed = expect(connecting).rejects.toMatchObject({ code: "CLOSED" });
    await expect.poll(() => waits.size).toBe(0);
    end.abort();
    await failed;
    expect(slow).toEqual([]);
  });

  test("a process that does not exist is reported with the next step", async () => {
    await expect(connectProcess("askwire-no-such-agent")).rejects.toMatchObject({
      code: "SPAWN_FAILED",
      message: expect.stringContaining("it was not found; check the name or the PATH"),
    });
  });

  test.each<[string, string, SpawnOptions, string]>([
    ["ends", 'console.log("hello")', {}, 'ended with status 0 after it printed "hello": expected an agent'],
    ["fails with a log", 'console.log("a"); console.error("no key"); process.exit(3)', {}, '"a": no key'],
    [
      "never answers",
      'console.log("a\\n\\n{b"); setInterval(() => {}, 1000)',
      { initializeTimeoutMs: 4_000, closeTimeoutMs: 100 },
      'did not introduce itself in time after it printed "a\\n{b": expected an agent',
    ],
    [
      "sends back what it is sent",
      "process.stdin.pipe(process.stdout)",
      {},
      "sends back what it is sent: expected an agent, which speaks the wire or ACP on its standard input and output",
    ],
  ])(
    "a process that is no agent and %s is reported with what it printed",
    async (_what, program, options, message) => {
      const error = await node(program, options).catch((error: Error) => error);
      expect(error).toMatchObject({ name: "LocalError", message: expect.stringContaining(message) });
      expect(error).toMatchObject({ message: expect.stringContaining(`"${process.execPath}"`) });
    },
  );

  test("a process that takes its time is reported once, with what it printed, and is connected in the end", async () => {
    const slow = `process.stdout.write("Loading\\n"); ${agent("")}`.replace(
      "else send(",
      "else answer = () => send(",
    );
    const program = `let answer; process.on("SIGUSR2", () => answer()); ${slow}`;
    const told: string[] = [];
    const pids: number[] = [];
    const session = await node(`console.error(process.pid); ${program}`, {
      onStderr: (text) => void pids.push(Number(text)),
      onSlowStart(printed) {
        told.push(printed);
        process.kill(pids[0] as number, "SIGUSR2");
      },
    });
    expect(session.server?.server.name).toBe("raw");
    expect(told).toEqual(["Loading"]);
    await session.close();
  });

  test("a process is ended where a signal gives it up", async () => {
    const stop = new AbortController();
    const started = node("console.error(1); setInterval(() => {}, 1000)", {
      onStderr: () => stop.abort(),
      signal: stop.signal,
    });
    await expect(started).rejects.toMatchObject({
      code: "PROCESS_EXITED",
      message: expect.stringContaining("ended by SIGTERM"),
    });
    await expect(node("", { signal: stop.signal })).rejects.toThrow("aborted");
  });

  test("a process that prints lines that are no message has each reported with its beginning", async () => {
    const problems: string[] = [];
    const noise = 'process.stdout.write("debug 1\\n[2]\\n" + "x".repeat(300) + "\\n");';
    const session = await node(agent(`${noise} send({ id, result: { status: "finished" } });`), {
      onProblem: (problem) => void problems.push(problem),
    });
    await session.prompt("go").result;
    expect(problems).toEqual([
      'Invalid JSON format: "debug 1": standard output carries messages alone, so print to standard error instead, as console.error does',
      'Invalid request: expected one JSON object: "[2]"',
      `Invalid JSON format: "${"x".repeat(200)}"`,
    ]);
    await session.close();
  });

  test("a process whose folder is not there is refused with the folder", async () => {
    await expect(connectProcess(process.execPath, [], { cwd: "/no/such/folder" })).rejects.toMatchObject({
      code: "SPAWN_FAILED",
      message: expect.stringMatching(
        /^could not start ".*": there is no folder \/no\/such\/folder to start it in$/,
      ),
    });
  });

  test("an empty command is refused with what to name instead", async () => {
    await expect(connectProcess("")).rejects.toMatchObject({
      code: "SPAWN_FAILED",
      message: 'the command is empty: name the program to start, such as "node"',
    });
  });

  test("a process that closes its input ends the turn that cannot be told to it", async () => {
    const deaf = agent(`
      require("node:fs").closeSync(0);
      send({ id, result: { status: "finished" } });
      setInterval(() => {}, 1000);
    `);
    const session = await node(deaf, { closeTimeoutMs: 100 });
    await session.prompt("go").result;
    await expect(session.prompt("again").result).rejects.toMatchObject({
      code: "PROCESS_EXITED",
      message: expect.stringMatching(/ended by SIG(TERM|KILL)/),
    });
    await session.close();
  });

  test("a process is stopped after an invalid introduction", async () => {
    const program = 'process.stdin.once("data", () => console.log(JSON.stringify({ id: "1", result: {} })));';
    const pids: string[] = [];
    const failed = node(`console.error(process.pid); ${program} setInterval(() => {}, 1000)`, {
      closeTimeoutMs: 100,
      onStderr: (text) => void pids.push(text),
    });
    await expect(failed).rejects.toMatchObject({ code: "BAD_PEER" });
    expect(() => process.kill(Number(pids.join("")), 0)).toThrow("ESRCH");
  });

  test("a process that does not introduce itself and ignores SIGTERM is killed where nobody awaits it", async () => {
    const deaf = 'process.on("SIGTERM", () => console.error(process.pid)); setInterval(() => {}, 1000);';
    const attempt = new AbortController();
    const said: string[] = [];
    const failed = node(`${deaf} console.error("there")`, {
      closeTimeoutMs: 100,
      signal: attempt.signal,
      onStderr(text) {
        said.push(text);
        if (text === "there\n") attempt.abort();
      },
    });
    await expect(failed).rejects.toMatchObject({
      code: "PROCESS_EXITED",
      message: expect.stringContaining("ended by SIGKILL"),
    });
    expect(() => process.kill(Number(said[1]), 0)).toThrow("ESRCH");
  });

  test("a process that ignores the end of its input and SIGTERM is killed by close()", async () => {
    const stubborn = agent("").concat('process.on("SIGTERM", () => {}); setInterval(() => {}, 1000);');
    const pids: string[] = [];
    const session = await node(`console.error(process.pid); ${stubborn}`, {
      closeTimeoutMs: 100,
      onStderr: (text) => void pids.push(text),
    });
    const turn = session.prompt("go");
    await session.close();
    await expect(turn.result).rejects.toMatchObject({ name: "LocalError" });
    expect(() => process.kill(Number(pids.join("")), 0)).toThrow("ESRCH");
  });
});
