import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { type Agent, type AgentSession, createServer, keepIn } from "../src/index.js";
import { drivenClock } from "./driven-clock.js";
import { meetExtended } from "./extended/extended-client.js";
import { linesOf, temporaryFolder } from "./journal-folder.js";
import { keptLog, scenario } from "./scenario.js";

const idle: Agent["run"] = async () => {};

/** A server whose agent is made by the test, with the session that each agent was given. */
function agentOf(make: (session: AgentSession) => Agent, options = {}) {
  const sessions: AgentSession[] = [];
  const agent = (session: AgentSession) => {
    sessions.push(session);
    return make(session);
  };
  return { ...scenario([], { agent, ...options }), sessions };
}

describe("an agent that was made for a session", () => {
  test("an agent that was made for a session is closed once, after the last turn, and before the session counts as ended", async () => {
    const story: string[] = [];
    const run: Agent["run"] = ({ signal }) =>
      new Promise((_, reject) =>
        signal.addEventListener("abort", () => {
          story.push("turn aborted");
          reject(signal.reason);
        }),
      );
    const { server, meet } = agentOf(() => ({ run, close: async () => void story.push("closed") }));
    const session = server.createSession();
    const { client } = await meet({ session });
    const { prompt } = await client.begin("TurnBegin");
    await Promise.all([session.close(), session.close()]);
    story.push("session ended");
    expect((await prompt).result).toEqual({ status: "cancelled" });
    expect(story).toEqual(["turn aborted", "closed", "session ended"]);
  });

  test.each([
    [
      "throws",
      () => {
        throw new Error("no");
      },
    ],
    [
      "rejects",
      async () => {
        throw new Error("no");
      },
    ],
  ])(
    "an agent that %s when it is closed ends its session nevertheless, with a line in the log",
    async (_, close) => {
      const failures: string[] = [];
      const log = { ...keptLog(), error: (_details: object, text: string) => void failures.push(text) };
      const { server } = agentOf(() => ({ run: idle, close }), { log });
      await server.createSession().close();
      expect(failures).toEqual(["the agent failed at its end"]);
      expect(server.sessions.size).toBe(0);
    },
  );

  test("an agent holds up the end of its session for five seconds at most", async () => {
    const clock = drivenClock();
    const { server } = agentOf(() => ({ run: idle, close: () => new Promise(() => {}) }), { clock });
    const closed = server.createSession().close();
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    expect(server.sessions.size).toBe(1);
    clock.advance(5_000);
    await closed;
    expect(server.sessions.size).toBe(0);
  });

  test("an agent is told of plan mode, attendance and the coming and going of clients, until it stops watching", async () => {
    const seen: unknown[] = [];
    let stop = () => {};
    const { server, meet, sessions } = agentOf((session) => {
      stop = session.watch(() => {
        const { planMode, attendance, offer } = session;
        seen.push([planMode, attendance, offer.canAsk]);
      });
      return { run: idle };
    });
    const session = server.createSession({ stay: true });
    const { client, closed } = await meet({ session });
    expect(seen.at(-1)).toEqual([false, "attended", true]);
    await client.call("set_plan_mode", { enabled: true });
    expect(seen.at(-1)).toEqual([true, "attended", true]);
    session.attendance = "hold";
    expect(seen.at(-1)).toEqual([true, "hold", true]);
    session.attendance = "attended";
    client.close();
    await closed;
    expect(seen.at(-1)).toEqual([true, "attended", false]);
    stop();
    const told = seen.length;
    session.yolo = true;
    expect(seen).toHaveLength(told);
    expect(sessions).toHaveLength(1);
  });

  test("an agent may fail at such a change, and the client notices nothing", async () => {
    const { server, meet } = agentOf((session) => {
      session.watch(() => {
        throw new Error("no");
      });
      return { run: idle };
    });
    const { client } = await meet({ session: server.createSession() });
    expect((await client.call("prompt", { user_input: "go" })).result).toEqual({ status: "finished" });
  });

  test("an agent sends its clients an event between two turns", async () => {
    const { server, meet, sessions } = agentOf(() => ({ run: idle }));
    const { client } = await meet({ session: server.createSession() });
    sessions[0]?.broadcast({ type: "ContentPart", payload: { type: "text", text: "by the way" } });
    await client.settled();
    expect(client.story()).toEqual(["ContentPart"]);
  });
});

test("an agent whose commands change sends extended clients all of them (P-SLH-3)", async () => {
  const run = async () => {};
  let commands = [{ name: "plan", description: "Plan", run }];
  const set = agentOf(() => ({
    run,
    get commands() {
      return commands;
    },
  }));
  const { server, meet, sessions } = set;
  const session = server.createSession();
  const { client } = await meetExtended(set, { session });
  const { client: base } = await meet({ session });
  commands = [{ name: "review", description: "Review", run }];
  sessions[0]?.commandsChanged();
  await client.settled();
  await base.settled();
  const slash_commands = [{ name: "review", description: "Review", aliases: [] }];
  expect(client.events("CommandsChanged").map(({ payload }) => payload)).toEqual([{ slash_commands }]);
  expect(base.story()).toEqual([]);
  expect((await base.call("initialize", { protocol_version: "1.10" })).result).toMatchObject({
    slash_commands,
  });
  expect((await client.call("prompt", { user_input: "/review" })).result).toEqual({ status: "finished" });
});

test("an agent that serves all sessions outlives each of them", async () => {
  const closes: string[] = [];
  const agent: Agent = { run: idle, close: () => void closes.push("closed") };
  const server = createServer({ agent, log: keptLog() });
  await server.createSession().close();
  await server.close();
  expect(closes).toEqual([]);
});

describe("a session with a folder of its own", () => {
  test("a session with its own folder reports it to its agent and in lists, as an absolute path", () => {
    const { server, sessions } = agentOf(() => ({ run: idle }), { workDir: "/work" });
    server.createSession({ workDir: "elsewhere" });
    server.createSession();
    const folders = [resolve("elsewhere"), resolve("/work")];
    expect(sessions.map(({ workDir }) => workDir)).toEqual(folders);
    expect(server.listSessions().map(({ folder }) => folder)).toEqual(folders);
  });

  test("a session with its own folder is kept under that folder, and found there by the next process", async () => {
    const share = temporaryFolder();
    const workDir = temporaryFolder();
    const keep = keepIn({ share, workDir: "/work", log: keptLog() });
    const first = agentOf(() => ({ run: idle }), { keep });
    const session = first.server.createSession({ workDir });
    await session.prompt("hello");
    await first.server.close();
    const own = keepIn({ share, workDir, log: keptLog() })(session.id);
    expect(own.journal.firstPrompt).toBe("hello");
    await own.journal.close();
    expect(linesOf(own.journal.name.replace(/[^/\\]*$/, "")).length).toBeGreaterThan(1);
  });
});

describe("the value that an agent keeps with its session (P-JRN-13)", () => {
  test("the last value that an agent kept with its session is there in the next process, and no part of a replay", async () => {
    const keep = keepIn({ share: temporaryFolder(), workDir: temporaryFolder() });
    const first = agentOf(() => ({ run: idle }), { keep });
    const session = first.server.createSession({ id: "kept" });
    await session.prompt("go");
    expect(first.sessions[0]?.memory?.get()).toBeUndefined();
    first.sessions[0]?.memory?.set({ conversation: "a" });
    first.sessions[0]?.memory?.set({ conversation: "b" });
    await first.server.close();
    const second = agentOf(() => ({ run: idle }), { keep });
    const again = second.server.createSession({ id: "kept" });
    expect(second.sessions[0]?.memory?.get()).toEqual({ conversation: "b" });
    const { client } = await meetExtended(second, { session: again });
    await client.call("replay");
    expect(client.events().map(({ type }) => type)).toEqual(["TurnBegin", "TurnEnd"]);
    await second.server.close();
  });

  test("the value that an agent keeps with its session is small and JSON, and missing where the session is not kept", async () => {
    const keep = keepIn({ share: temporaryFolder(), workDir: temporaryFolder() });
    const { server, sessions } = agentOf(() => ({ run: idle }), { keep });
    await server.createSession();
    expect(() => sessions[0]?.memory?.set(undefined)).toThrow("memory: expected a JSON value");
    expect(() => sessions[0]?.memory?.set("x".repeat(16_384))).toThrow(
      "memory: expected at most 16384 characters",
    );
    expect(sessions[0]?.memory?.get()).toBeUndefined();
    await server.close();
    const other = agentOf(() => ({ run: idle }));
    other.server.createSession();
    expect(other.sessions[0]?.memory).toBeUndefined();
  });
});
