import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { connectWebSocket } from "@askwire/client/websocket";
import { describe, expect, onTestFinished, test } from "vitest";
import { asksLine, colour, folderWith, scriptedConfiguration, startServe } from "../askwire.js";
import { isEvent, isRequest, launch } from "../wire-process.js";

/** A folder with a script for each process, and the session `mine` that they keep. */
async function place() {
  const cwd = await folderWith({
    "first.json": JSON.stringify([asksLine([colour]), "text: never said"]),
    "second.json": JSON.stringify(["text: So red."]),
  });
  const home = await folderWith();
  const env = { ASKWIRE_HOME: home, KIMI_SHARE_DIR: home };

  async function journal(): Promise<string> {
    const [work = ""] = await readdir(join(home, "sessions"));
    return join(home, "sessions", work, "mine", "wire.jsonl");
  }

  const recorded = async () => readFile(await journal(), "utf8");

  const serve = (script: string, ...more: string[]) =>
    startServe(["--script", script, "--session", "mine", ...more], { cwd, env: { ...process.env, ...env } });

  /** Leaves a session whose question was answered, and whose process was killed before it went on with the answer. */
  async function leaveAnswered(): Promise<void> {
    const { address, child, ended } = await serve("first.json");
    const client = await connectWebSocket(address, {
      handlers: { question: () => ({ answers: { "Which colour?": "Red" } }) },
      onProblem: () => {},
    });
    onTestFinished(() => client.close());
    client.prompt("paint").result.catch(() => {});
    await expect.poll(recorded).toContain('"ToolResult"');
    child.kill("SIGKILL");
    await ended;
    await client.close();
    // The journal as it was at the moment of the answer.
    const text = await recorded();
    const end = text.indexOf("\n", text.indexOf('"InteractionSettled"')) + 1;
    await writeFile(await journal(), text.slice(0, end));
  }

  return { cwd, env, recorded, serve, leaveAnswered };
}

describe("askwire serve, restarted on a session with an unused answer", () => {
  test("a restarted server uses the kept answer at once, without any client (P-RES-1)", async () => {
    const { recorded, serve, leaveAnswered } = await place();
    await leaveAnswered();
    await serve("second.json");
    await expect.poll(recorded).toContain('"TurnEnded", "payload": {"turn_id"');
    expect(await recorded()).toContain("So red.");
  });

  test("a restarted server with --yolo waits for a client, since nobody watches", async () => {
    const { recorded, serve, leaveAnswered } = await place();
    await leaveAnswered();
    const { address } = await serve("second.json", "--yolo");
    // A request that is no client: all that the start has begun is done before the response.
    await fetch(new URL("/", address.replace(/^ws/, "http")));
    expect(await recorded()).not.toContain('"TurnResumed"');
    const client = await connectWebSocket(address, { handlers: {}, onProblem: () => {} });
    onTestFinished(() => client.close());
    await expect.poll(recorded).toContain('"TurnEnded"');
  });
});

test("askwire --wire --no-resume ends the turn that was left, and its next prompt begins another (P-RES-2)", async () => {
  const { cwd, env, recorded } = await place();
  const start = (script: string, ...flags: string[]) =>
    launch(
      [
        "--wire",
        "--session",
        "mine",
        "--config",
        JSON.stringify(scriptedConfiguration(join(cwd, script))),
        ...flags,
      ],
      {
        cwd,
        env,
      },
    );
  const hello = { protocol_version: "1.10", capabilities: { supports_question: true } };
  const first = start("first.json");
  await first.call("initialize", hello);
  first.call("prompt", { user_input: "paint" }).catch(() => {});
  await first.seen(isRequest("QuestionRequest"));
  first.child.kill("SIGKILL");
  await first.ended;

  const next = start("second.json", "--no-resume");
  await next.call("initialize", hello);
  expect(await next.call("prompt", { user_input: "again" })).toMatchObject({
    result: { status: "finished" },
  });
  expect(next.messages.some(isRequest("QuestionRequest"))).toBe(false);
  expect(await next.seen(isEvent("TurnBegin"))).toMatchObject({
    params: { payload: { user_input: "again" } },
  });
  expect(await recorded()).toMatch(/"TurnEnded".*"status":"failed".*not resumed here/);
});
