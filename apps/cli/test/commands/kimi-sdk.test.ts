import { execFile } from "node:child_process";
import { chmod, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  createExternalTool,
  createSession,
  ProtocolClient,
  type Session,
  type StreamEvent,
  type Turn,
} from "@moonshot-ai/kimi-agent-sdk";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { asksLine, colour, command, folderWith } from "../askwire.js";

/** The official client of Kimi Wire, as it is published, with our command as its executable. */

const call = (name: string, args: unknown, id = "tc-1") =>
  `tool_call: ${JSON.stringify({ id, name, arguments: JSON.stringify(args) })}`;

/** A share folder whose configuration names a scripted model, which the client does not know of. */
async function shareWith(scripts: readonly string[]): Promise<string> {
  const scriptsFile = "scripts.json";
  const folder = await folderWith({ [scriptsFile]: JSON.stringify(scripts) });
  const configuration = {
    default_model: "scripted",
    models: { scripted: { provider: "echo", model: "echo", max_context_size: 100_000 } },
    providers: {
      echo: { type: "_scripted_echo", env: { KIMI_SCRIPTED_ECHO_SCRIPTS: join(folder, scriptsFile) } },
    },
  };
  await writeFile(join(folder, "config.json"), JSON.stringify(configuration));
  return folder;
}

let open: { close(): Promise<void> }[] = [];
beforeEach(() => {
  open = [];
});
afterEach(async () => {
  await Promise.all(open.map((session) => session.close()));
});

async function sessionWith(
  scripts: readonly string[],
  options: Partial<Parameters<typeof createSession>[0]> = {},
): Promise<Session> {
  const shareDir = options.shareDir ?? (await shareWith(scripts));
  const workDir = options.workDir ?? (await folderWith());
  const session = createSession({ executable: command, ...options, workDir, shareDir });
  open.push(session);
  return session;
}

/** Every event of a turn, while `meet` answers what it asks. */
async function events(turn: Turn, meet: (event: StreamEvent) => unknown = () => {}): Promise<StreamEvent[]> {
  const seen: StreamEvent[] = [];
  for await (const event of turn) {
    seen.push(event);
    await meet(event);
  }
  return seen;
}

const types = (seen: readonly StreamEvent[]) => seen.map(({ type }) => type);
const of = <T extends StreamEvent["type"]>(seen: readonly StreamEvent[], type: T) =>
  seen.filter((event): event is Extract<StreamEvent, { type: T }> => event.type === type);

/** Answers a question as the client's users do: with the payload's id, twice. */
const answer = (turn: Turn, answers: Record<string, string>) => (event: StreamEvent) => {
  if (event.type === "QuestionRequest")
    return turn.respondQuestion(event.payload.id, event.payload.id, answers);
};
const approve =
  (turn: Turn, response: "approve" | "approve_for_session" | "reject") => (event: StreamEvent) => {
    if (event.type === "ApprovalRequest") return turn.approve(event.payload.id, response);
  };

describe("Kimi's official client", () => {
  test("the official client runs a turn and gets every event in order, its result last", async () => {
    const session = await sessionWith(["think: hm\ntext: hello"]);
    const turn = session.prompt("hi");
    const seen = await events(turn);
    expect(await turn.result).toEqual({ status: "finished" });
    expect(types(seen)).toEqual([
      "TurnBegin",
      "StepBegin",
      "ContentPart",
      "ContentPart",
      "StatusUpdate",
      "TurnEnd",
    ]);
    expect(session.slashCommands.map(({ name }) => name)).toContain("compact");
  });

  test("the official client joins a turn whose server was killed with a question open, by its first prompt (P-KPT-4)", async () => {
    const shareDir = await shareWith([asksLine([colour])]);
    const workDir = await folderWith();
    const place = { shareDir, workDir, sessionId: "11111111-1111-4111-8111-111111111111" };
    const first = await sessionWith([], place);
    const before = first.prompt("paint the wall");
    before.result.catch(() => {});
    let asked = "";
    for await (const event of before) {
      if (event.type !== "QuestionRequest") continue;
      asked = event.payload.id;
      break;
    }
    const [work = ""] = await readdir(join(shareDir, "sessions"));
    const lock = await readFile(join(shareDir, "sessions", work, place.sessionId, "lock"), "utf8");
    process.kill(JSON.parse(lock).pid, "SIGKILL");

    await writeFile(join(shareDir, "scripts.json"), JSON.stringify(["text: thanks", "text: noted"]));
    const second = await sessionWith([], place);
    const turn = second.prompt("are you there?");
    const seen = await events(turn, answer(turn, { "Which colour?": "Blue" }));
    expect(await turn.result).toEqual({ status: "finished" });
    expect(of(seen, "TurnBegin").map(({ payload }) => payload.user_input)).toEqual(["paint the wall"]);
    expect(of(seen, "QuestionRequest").map(({ payload }) => payload.id)).toEqual([asked]);
    expect(of(seen, "ToolResult").map(({ payload }) => payload.return_value.output)).toEqual([
      '{"answers": {"Which colour?": "Blue"}}',
    ]);
    expect(of(seen, "SteerInput").map(({ payload }) => payload.user_input)).toEqual(["are you there?"]);
  });

  test("the official client answers a question, and the model continues with the answer", async () => {
    const session = await sessionWith([asksLine([colour]), "text: thanks"]);
    const turn = session.prompt("go");
    const seen = await events(turn, answer(turn, { "Which colour?": "Blue" }));
    const [result] = of(seen, "ToolResult");
    expect(result?.payload.return_value).toMatchObject({
      is_error: false,
      output: '{"answers": {"Which colour?": "Blue"}}',
      message: "User has answered.",
    });
    expect(of(seen, "QuestionRequest")[0]?.payload.tool_call_id).toBe("tc-1");
  });

  test("the official client drives the command behind its own relay: a question, and an approval with its file", async () => {
    const script = `#!/bin/sh\n[ "$1" = info ] && exec ${command} "$@"\nexec ${command} serve --stdio -- ${command} "$@"\n`;
    const executable = join(await folderWith({ relay: script }), "relay");
    await chmod(executable, 0o755);
    const scripts = [
      asksLine([colour]),
      call("WriteFile", { path: "a.txt", content: "one" }, "a"),
      "text: done",
    ];
    const workDir = await folderWith();
    const session = await sessionWith(scripts, { executable, workDir });
    const turn = session.prompt("go");
    const both = [answer(turn, { "Which colour?": "Blue" }), approve(turn, "approve")];
    const seen = await events(turn, (event) => Promise.all(both.map((meet) => meet(event))));
    expect(await turn.result).toEqual({ status: "finished" });
    expect(of(seen, "ToolResult")[0]?.payload.return_value.output).toBe(
      '{"answers": {"Which colour?": "Blue"}}',
    );
    expect(await readFile(join(workDir, "a.txt"), "utf8")).toBe("one");
  });

  test("the official client dismisses a question with an empty map", async () => {
    const session = await sessionWith([asksLine([colour]), "text: never mind"]);
    const turn = session.prompt("go");
    const seen = await events(turn, answer(turn, {}));
    expect(of(seen, "ToolResult")[0]?.payload.return_value.output).toContain("User dismissed the question");
  });

  test("the official client approves a change of a file after seeing it, once for the session", async () => {
    const write = (content: string, id: string) => call("WriteFile", { path: "a.txt", content }, id);
    const session = await sessionWith([write("one", "a"), write("two", "b"), "text: done"]);
    const turn = session.prompt("go");
    const seen = await events(turn, approve(turn, "approve_for_session"));
    const approvals = of(seen, "ApprovalRequest");
    expect(approvals).toHaveLength(1);
    expect(approvals[0]?.payload.display).toMatchObject([
      { type: "diff", path: join(session.workDir, "a.txt"), new_text: "one" },
    ]);
    expect(await readFile(join(session.workDir, "a.txt"), "utf8")).toBe("two");
    expect(types(seen).filter((type) => type === "ApprovalResponse")).toHaveLength(1);
  });

  test("a rejection by the official client ends the turn after the tool's result", async () => {
    const session = await sessionWith([call("Shell", { command: "touch x" }), "text: not reached"]);
    const turn = session.prompt("go");
    const seen = await events(turn, approve(turn, "reject"));
    expect(await turn.result).toEqual({ status: "finished" });
    expect(of(seen, "ToolResult")[0]?.payload.return_value.is_error).toBe(true);
    expect(of(seen, "StepBegin")).toHaveLength(1);
    expect(of(seen, "ApprovalRequest")[0]?.payload.display).toMatchObject([
      { type: "shell", command: "touch x" },
    ]);
  });

  test("the official client is asked for no approval in its yolo mode (P-APR-4)", async () => {
    const session = await sessionWith([call("WriteFile", { path: "b.txt", content: "x" }), "text: done"], {
      yoloMode: true,
    });
    const seen = await events(session.prompt("go"));
    expect(types(seen)).not.toContain("ApprovalRequest");
    expect(await readFile(join(session.workDir, "b.txt"), "utf8")).toBe("x");
  });

  test("the official client brings a custom tool, whose results and failures the model reads", async () => {
    const weather = createExternalTool({
      name: "weather",
      description: "the weather of a city",
      parameters: z.object({ city: z.string() }) as never,
      handler: async ({ city }: { city: string }) => {
        if (city === "Atlantis") throw new Error("no such city");
        return { output: `${city}: rain`, message: "" };
      },
    });
    const scripts = [
      call("weather", { city: "Oslo" }, "w1"),
      call("weather", { city: "Atlantis" }, "w2"),
      call("weather", { town: 1 }, "w3"),
      "text: done",
    ];
    const session = await sessionWith(scripts, { externalTools: [weather] });
    const seen = await events(session.prompt("go"));
    const values = of(seen, "ToolResult").map(({ payload }) => payload.return_value);
    expect(values[0]).toMatchObject({ is_error: false, output: "Oslo: rain" });
    expect(values[1]).toMatchObject({ is_error: true });
    expect(JSON.stringify(values[1])).toContain("no such city");
    expect(values[2]).toMatchObject({ is_error: true });
    expect(JSON.stringify(values[2])).toContain("city");
  });

  test("the official client interrupts a turn while a question is open, and the next turn works", async () => {
    const session = await sessionWith([asksLine([colour]), "text: fresh"]);
    const turn = session.prompt("go");
    const seen = await events(turn, (event) => event.type === "QuestionRequest" && turn.interrupt());
    expect(await turn.result).toEqual({ status: "cancelled" });
    expect(types(seen)).not.toContain("ToolResult");
    const next = session.prompt("again");
    expect(of(await events(next), "ContentPart")[0]?.payload).toMatchObject({ text: "fresh" });
  });

  test("the official client steers while a question is open", async () => {
    const session = await sessionWith([asksLine([colour]), "text: ok"]);
    const turn = session.prompt("go");
    const seen = await events(turn, async (event) => {
      if (event.type !== "QuestionRequest") return;
      await turn.steer("be quick");
      await turn.respondQuestion(event.payload.id, event.payload.id, { "Which colour?": "Red" });
    });
    const steered = of(seen, "SteerInput");
    expect(steered).toHaveLength(1);
    expect(types(seen).indexOf("SteerInput")).toBeGreaterThan(types(seen).indexOf("ToolResult"));
  });

  test("the official client switches plan mode", async () => {
    const session = await sessionWith(["text: a"]);
    await events(session.prompt("go"));
    expect(await session.setPlanMode(true)).toBe(true);
    expect(await session.setPlanMode(false)).toBe(false);
  });

  test("the official client reports a provider's failure by its own code", async () => {
    const failing = await sessionWith(["error: 400 bad request"]);
    const turn = failing.prompt("go");
    turn.result.catch(() => {});
    await expect(events(turn)).rejects.toMatchObject({ code: "CHAT_PROVIDER_ERROR" });
  });

  test("the official client reopens a session: the model remembers, and the events can be read from its file", async () => {
    const shareDir = await shareWith([asksLine([colour]), "text: first"]);
    const workDir = await folderWith();
    const first = await sessionWith([], { shareDir, workDir });
    const turn = first.prompt("remember me");
    await events(turn, answer(turn, { "Which colour?": "Red" }));
    await first.close();

    // The SDK reads the place of its files when loaded, so each script loads it anew.
    const script = `import { listSessions, parseSessionEvents } from "@moonshot-ai/kimi-agent-sdk";
      const [workDir, id] = process.argv.slice(1);
      const events = await parseSessionEvents(workDir, id);
      console.log(JSON.stringify([await listSessions(workDir), events.map(({ type }) => type)]));`;
    const args = ["--input-type=module", "-e", script, workDir, first.sessionId];
    const cwd = fileURLToPath(new URL(".", import.meta.url));
    const read = await promisify(execFile)(process.execPath, args, {
      cwd,
      env: { ...process.env, KIMI_SHARE_DIR: shareDir },
    });
    const [sessions, kept] = JSON.parse(read.stdout);
    expect(sessions).toMatchObject([{ id: first.sessionId, brief: "remember me" }]);
    expect(kept).toEqual([
      "TurnBegin",
      "StepBegin",
      "ToolCall",
      "StatusUpdate",
      "ToolResult",
      "StepBegin",
      "ContentPart",
      "StatusUpdate",
      "TurnEnd",
    ]);

    const client = new ProtocolClient();
    open.push({ close: () => client.stop() });
    await client.start({
      sessionId: first.sessionId,
      workDir,
      executablePath: command,
      environmentVariables: { KIMI_SHARE_DIR: shareDir },
    });
    const replay = client.sendReplay();
    const replayed: StreamEvent[] = [];
    for await (const event of replay.events) replayed.push(event);
    expect(await replay.result).toEqual({ status: "finished", events: 9, requests: 1 });
    expect(types(replayed)).toContain("QuestionRequest");
  });

  test("hooks of the official client are called, and one that blocks keeps the tool from running", async () => {
    const shareDir = await shareWith([call("Shell", { command: "touch x" }), "text: done"]);
    const workDir = await folderWith();
    const client = new ProtocolClient();
    open.push({ close: () => client.stop() });
    const asked: unknown[] = [];
    const { hooks } = await client.start({
      workDir,
      executablePath: command,
      environmentVariables: { KIMI_SHARE_DIR: shareDir },
      hooks: [
        {
          id: "h1",
          event: "PreToolUse",
          matcher: "Shell",
          handler: async (request) => {
            asked.push(request.input_data);
            return { action: "block", reason: "not on my machine" };
          },
        },
      ],
    });
    expect(hooks?.configured).toEqual({ PreToolUse: 1 });
    const stream = client.sendPrompt("go");
    const seen: StreamEvent[] = [];
    for await (const event of stream.events) seen.push(event);
    expect(asked).toMatchObject([{ hook_event_name: "PreToolUse", tool_name: "Shell" }]);
    expect(JSON.stringify(of(seen, "ToolResult")[0]?.payload)).toContain("not on my machine");
    expect(types(seen)).toContain("HookTriggered");
    expect(of(seen, "HookResolved")[0]?.payload).toMatchObject({ action: "block" });
  });
});
