import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { connectGateway, findGateway, type GatewayConnectOptions } from "@askwire/client/gateway";
import { describe, expect, onTestFinished, test } from "vitest";
import { command } from "../askwire.js";
import { colour, gatewayOf, newHome, personAt, untilThere } from "../mcp/hosts.js";

const askwire = [process.execPath, command] as const;

/** Connects a program to the gateway of a home, until the end of the test. */
async function program(home: string, more: Partial<GatewayConnectOptions> = {}) {
  const session = await connectGateway({ name: "painter", home, command: [...askwire], ...more });
  onTestFinished(() => session.close());
  return session;
}

/** Kills the gateway of a home, and resolves with what it had written down. */
async function kill(home: string) {
  const state = gatewayOf(home);
  if (state === undefined) throw new Error("no gateway runs");
  process.kill(state.pid, "SIGKILL");
  await untilThere(() => {
    try {
      process.kill(state.pid, 0);
    } catch {
      return true;
    }
  });
  return state;
}

describe("a program at the gateway of its person", () => {
  test("a program starts the gateway, whose people see its name and answer it", async () => {
    const home = await newHome();
    const asked = (await program(home)).ask({ questions: [colour] });
    const question = await (await personAt(home)).asked();
    question.answer("Red");
    expect(question.asker).toBe("painter");
    expect((await asked).answers).toEqual({ "Which colour?": "Red" });
  });

  test("programs that come at once start one gateway, and meet in its session", async () => {
    const home = await newHome();
    const programs = await Promise.all(["a", "b", "c", "d"].map((name) => program(home, { name })));
    const pids = await Promise.all(programs.map(async () => (await findGateway({ home, start: false })).pid));
    expect(new Set(pids).size).toBe(1);
    expect(await programs[0]?.listSessions()).toMatchObject([{ connections: 4 }]);
  });

  test("a question that waits while the gateway is killed is there again in the next one, and has one answer", async () => {
    const home = await newHome();
    const session = await program(home);
    const put = await session.ask({ key: "paint", questions: [colour], wait: false });
    const asked = session.ask({ key: "paint", questions: [colour] });
    const first = await kill(home);
    await untilThere(() => (gatewayOf(home)?.pid === first.pid ? undefined : true));
    (await (await personAt(home)).asked()).answer("Blue");
    const { request_id, answers } = await asked;
    expect([request_id, answers]).toEqual([put.request_id, { "Which colour?": "Blue" }]);
    expect(gatewayOf(home)?.address).toBe(first.address);
  });

  test("a program follows a gateway that has to listen elsewhere, since another program has its port", async () => {
    const home = await newHome();
    const session = await program(home);
    const asked = session.ask({ key: "paint", questions: [colour] });
    const first = await kill(home);
    const other = createServer((socket) => socket.destroy()).listen(first.port, "127.0.0.1");
    onTestFinished(() => void other.close());
    await once(other, "listening");
    await untilThere(() => (gatewayOf(home)?.pid === first.pid ? undefined : true));
    (await (await personAt(home)).asked()).answer("Red");
    expect((await asked).answers).toEqual({ "Which colour?": "Red" });
    expect(gatewayOf(home)?.port).not.toBe(first.port);
  });
});

describe("a program without a gateway", () => {
  test("a program without the command is told how to install it, or to name it", async () => {
    const home = await newHome();
    const failed = connectGateway({ name: "painter", home, env: { PATH: "/nowhere" } });
    await expect(failed).rejects.toMatchObject({
      code: "SPAWN_FAILED",
      message: expect.stringMatching(/"askwire".* was not found: put it into PATH, or name it/),
    });
    const named = findGateway({ home, command: ["/nowhere/askwire"] });
    await expect(named).rejects.toMatchObject({ code: "SPAWN_FAILED" });
  });

  test("a gateway that ends at once is an error that names the log", async () => {
    const home = await newHome();
    const failed = findGateway({ home, command: [process.execPath, "-e", "process.exit(3)"] });
    await expect(failed).rejects.toMatchObject({
      code: "PROCESS_EXITED",
      message: expect.stringContaining(
        `ended with status 3 before it listened: ${join(home, "gateway", "log")}`,
      ),
    });
  });

  test("a gateway that ends at once is an error with its last words, and with none of an earlier one", async () => {
    const home = await newHome();
    const ends = (code: string) => findGateway({ home, command: [process.execPath, "-e", code] });
    const said = "console.error('at work'); console.error('\\u001b[31mno room\\u001b[0m'); process.exit(1)";
    await expect(ends(said)).rejects.toThrow(
      /ended with status 1 before it listened: .*no room.* \(.*log says why\)$/,
    );
    await expect(ends(said)).rejects.not.toThrow("\u001b");
    await expect(ends("process.exit(3)")).rejects.toThrow(/before it listened: [^(]*log says why$/);
  });

  test("a gateway that never listens is given up after its time, or when the program says so", async () => {
    const home = await newHome();
    const idles: [string, ...string[]] = [process.execPath, "-e", "setTimeout(() => {}, 5000)"];
    const late = findGateway({ home, command: idles, startTimeoutMs: 200 });
    await expect(late).rejects.toMatchObject({ code: "CONNECT_FAILED" });
    const reason = new Error("enough");
    const stopped = connectGateway({
      ...{ name: "painter", home, command: idles },
      signal: AbortSignal.timeout(100),
    });
    await expect(stopped).rejects.toMatchObject({ name: "TimeoutError" });
    await expect(findGateway({ home, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  test("a program that may start none is told that none runs, and nothing is left behind", async () => {
    const home = await newHome();
    const none = connectGateway({ name: "painter", home, start: false });
    await expect(none).rejects.toMatchObject({
      code: "CONNECT_FAILED",
      message: expect.stringContaining('"askwire open"'),
    });
    expect(existsSync(join(home, "gateway"))).toBe(false);
  });

  test("an option that is unknown or does not fit is refused before anything is started", async () => {
    const home = await newHome();
    const wrong = [{}, { name: 7 }, { name: "x", comand: [] }, { name: "x", profile: "base" }] as const;
    for (const options of wrong)
      await expect(connectGateway({ home, ...options } as never)).rejects.toThrow(/^connectGateway: /);
    await expect(findGateway({ home, idle: -1 })).rejects.toThrow(/^findGateway: idle/);
    expect(existsSync(join(home, "gateway"))).toBe(false);
  });
});
