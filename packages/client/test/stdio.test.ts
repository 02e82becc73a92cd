import { PassThrough, Writable } from "node:stream";
import { describe, expect, onTestFinished, test } from "vitest";
import { connectProcess, connectStreams } from "../src/stdio.js";

/** An agent that greets, and does this when it is prompted; `send` writes a line. */
const agent = (onPrompt: string) => `
  const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
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
    ["-c", 'sleep 30 & echo "sleep $!" >&2; exec "$0" -e "$1"', process.execPath, agent(onPrompt)],
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
  test("ends the turn when it dies, with how", async () => {
    const session = await withGrandchild('process.kill(process.pid, "SIGKILL")');
    await expect(session.prompt("go").result).rejects.toMatchObject({
      code: "PROCESS_EXITED",
      message: expect.stringContaining('"sh" ended by SIGKILL'),
    });
    await session.close();
  }, 5_000);

  test("does not hold up close()", async () => {
    const session = await withGrandchild("");
    await session.close();
    expect(await session.closed).toBeUndefined();
  }, 5_000);

  test("loses nothing of what it said last", async () => {
    const session = await withGrandchild(`
      send({ method: "event", params: { type: "TurnBegin", payload: { user_input: "x".repeat(50_000) } } });
      send({ id, result: { status: "finished" } });
      process.exit(3);
    `);
    const turn = session.prompt("go");
    expect(await turn.result).toEqual({ status: "finished" });
    expect(await session.closed).toMatchObject({ message: expect.stringContaining("ended with status 3") });
  }, 5_000);
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

  test("who leaves more than unsentBytes unread is given up, over streams", async () => {
    const output = new Writable({ write() {} });
    const connected = connectStreams(new PassThrough(), output, { limits: { unsentBytes: 10 } });
    await expect(connected).rejects.toMatchObject({
      code: "CLOSED",
      message: expect.stringContaining("more than 10 bytes unread"),
    });
  });
});
