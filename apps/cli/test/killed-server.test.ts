import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ConnectionChange, RequestContext } from "@askwire/client";
import { connectWebSocket } from "@askwire/client/websocket";
import { describe, expect, onTestFinished, test } from "vitest";
import { asksLine, colour, folderWith, startServe } from "./askwire.js";

const shell = { id: "tc-2", name: "Shell", arguments: JSON.stringify({ command: "touch made" }) };
const asksTwice = [`${asksLine([colour])}\ntool_call: ${JSON.stringify(shell)}`, "text: never said"];

/** A folder in which `askwire serve` keeps the session `mine`, with a script for each process. */
async function place() {
  const cwd = await folderWith({
    "first.json": JSON.stringify(asksTwice),
    "second.json": JSON.stringify(["text: Here again."]),
    token: "the-token-of-both-servers\n",
  });
  const home = await folderWith();

  function serve(script: string, port: string) {
    const line = ["--script", script, "--session", "mine", "--token-file", "token"];
    return startServe(line, { port, cwd, env: { ...process.env, ASKWIRE_HOME: home } });
  }

  /** The types of what is recorded so far. */
  async function recorded(): Promise<string[]> {
    const sessions = join(home, "sessions");
    const [work = ""] = await readdir(sessions);
    const text = await readFile(join(sessions, work, "mine", "wire.jsonl"), "utf8").catch(() => "");
    return text.split("\n").flatMap((line) => /"message": \{"type": "(\w+)"/.exec(line)?.[1] ?? []);
  }

  return { cwd, serve, recorded };
}

/** Connection changes, and a wait for one of them that is still to come. */
function changes() {
  let waiting: { state: string; resolve: (change: ConnectionChange) => void } | undefined;
  return {
    onConnection(change: ConnectionChange) {
      if (waiting !== undefined && change.state === waiting.state) waiting.resolve(change);
    },
    next: (state: ConnectionChange["state"]) =>
      new Promise<ConnectionChange>((resolve) => {
        waiting = { state, resolve };
      }),
  };
}

/** A person who has questions and approvals before them, answers them when told to, and sees them taken away. */
function slowPerson(awaited: number) {
  const signals: AbortSignal[] = [];
  const answers: (() => void)[] = [];
  let allAsked: () => void = () => {};
  const asked = new Promise<void>((resolve) => (allAsked = resolve));
  const ask =
    <T>(answer: T) =>
    (_request: unknown, { signal }: RequestContext) => {
      signals.push(signal);
      if (signals.length === awaited) allAsked();
      return new Promise<T>((resolve) => answers.push(() => resolve(answer)));
    };
  return {
    handlers: { question: ask({ answers: { "Which colour?": "Red" } }), approval: ask("approve" as const) },
    asked,
    answer: () => {
      for (const answer of answers) answer();
    },
    /** Tells for each request if it was taken away. */
    taken: () => signals.map(({ aborted }) => aborted),
  };
}

describe("a server that is killed with a question and an approval open, and started again", () => {
  test.each([
    ["that are never answered", false],
    ["that are answered while it is down", true],
  ])(
    "%s: nothing hangs, and the session goes on (P-XAT-6, P-XCL-2, P-XCL-3, P-XCL-6, P-XCL-7, P-JRN-6)",
    async (_name, answers) => {
      const { cwd, serve, recorded } = await place();
      const { address, child } = await serve("first.json", "0");
      const { handlers, asked, answer, taken } = slowPerson(2);
      const { onConnection, next } = changes();
      const problems: string[] = [];
      const onProblem = (problem: string) => void problems.push(problem);
      const session = await connectWebSocket(address, { handlers, onConnection, onProblem });
      onTestFinished(() => session.close());

      const turn = session.prompt("begin");
      const failed = expect(turn.result).rejects.toMatchObject({ name: "LocalError", code: "CLOSED" });
      await asked;
      // A record waits a moment for others before it is written.
      await expect.poll(recorded).toEqual(expect.arrayContaining(["QuestionRequest", "InteractionOpened"]));
      const lost = next("lost");
      child.kill("SIGKILL");
      await lost;
      expect(session.connection).toBe("lost");
      if (answers) answer();

      const back = next("connected");
      const again = await serve("second.json", new URL(address).port);
      expect(again.address).toBe(address);
      expect(await back).toMatchObject({ state: "connected", reset: true });

      await failed;
      await expect.poll(taken).toEqual([true, true]);
      expect(problems.filter((problem) => problem.includes("did not count"))).toHaveLength(answers ? 2 : 0);
      const settled: unknown[] = [];
      await session.replay({
        event: (event) => {
          if (event.type === "InteractionSettled") settled.push(event.payload);
        },
      });
      const dead = { status: "withdrawn", reason: "shutdown", by: "system" };
      expect(settled).toMatchObject([
        { kind: "question", outcome: dead },
        { kind: "approval", outcome: dead },
      ]);

      const said: string[] = [];
      const anew = session.prompt("again");
      for await (const event of anew) {
        if (event.type === "ContentPart" && event.payload.type === "text") said.push(event.payload.text);
      }
      expect(await anew.result).toEqual({ status: "finished" });
      expect(said).toEqual(["Here again."]);
      expect(await readdir(cwd)).not.toContain("made");
    },
  );
});
