import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ConnectionChange, RequestContext } from "@askwire/client";
import { connectWebSocket } from "@askwire/client/websocket";
import { describe, expect, onTestFinished, test } from "vitest";
import { asksLine, colour, folderWith, startServe } from "../askwire.js";

const shell = { id: "tc-2", name: "Shell", arguments: JSON.stringify({ command: "touch made" }) };
const asksTwice = [`${asksLine([colour])}\ntool_call: ${JSON.stringify(shell)}`, "text: never said"];

/** A folder in which `askwire serve` keeps the session `mine`, with a script for each process. */
async function place() {
  const cwd = await folderWith({
    "first.json": JSON.stringify(asksTwice),
    // A script without a call of another tool has none: its second message is never reached.
    "second.json": JSON.stringify(["text: Here again.", asksTwice[0]]),
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

/** A person who has questions and approvals before them, and answers each when told to; from then on at once. */
function slowPerson(awaited: number) {
  const answers: (() => void)[] = [];
  let shown = 0;
  let isQuick = false;
  let allAsked: () => void = () => {};
  const asked = new Promise<void>((resolve) => (allAsked = resolve));
  const ask =
    <T>(answer: T) =>
    (_request: unknown, _context: RequestContext) => {
      shown += 1;
      if (shown === awaited) allAsked();
      return new Promise<T>((resolve) => {
        if (isQuick) resolve(answer);
        else answers.push(() => resolve(answer));
      });
    };
  return {
    handlers: { question: ask({ answers: { "Which colour?": "Red" } }), approval: ask("approve" as const) },
    asked,
    answer: () => {
      isQuick = true;
      for (const answer of answers) answer();
    },
  };
}

describe("a server that is killed with a question and an approval open, and started again", () => {
  test.each([
    ["that are answered once it is back", false],
    ["that are answered while it is down", true],
  ])(
    "requests of a killed server %s each count once, and the agent continues (P-XAT-6, P-XCL-2, P-XCL-3, P-XCL-7, P-RES-3, P-RES-6, P-KPT-3)",
    async (_name, answersWhileDown) => {
      const { cwd, serve, recorded } = await place();
      const { address, child } = await serve("first.json", "0");
      const { handlers, asked, answer } = slowPerson(2);
      const { onConnection, next } = changes();
      const session = await connectWebSocket(address, { handlers, onConnection, onProblem: () => {} });
      onTestFinished(() => session.close());

      const turn = session.prompt("begin");
      await asked;
      await expect.poll(recorded).toEqual(expect.arrayContaining(["QuestionRequest", "InteractionOpened"]));
      const lost = next("lost");
      child.kill("SIGKILL");
      await lost;
      expect(session.connection).toBe("lost");
      if (answersWhileDown) answer();

      const back = next("connected");
      const again = await serve("second.json", new URL(address).port);
      expect(again.address).toBe(address);
      expect(await back).toMatchObject({ state: "connected", reset: true });
      answer();
      // The prompt is sent again, and its turn is the one that goes on.
      expect(await turn.result).toEqual({ status: "finished" });
      expect(await readdir(cwd)).toContain("made");

      const settled: unknown[] = [];
      const said: string[] = [];
      await session.replay({
        event: (event) => {
          if (event.type === "InteractionSettled") settled.push(event.payload);
          if (event.type === "ContentPart" && event.payload.type === "text") said.push(event.payload.text);
        },
      });
      const answered = { outcome: { status: "answered", by: "human" } };
      expect(settled).toMatchObject([answered, answered]);
      expect(said).toEqual(["Here again."]);
    },
  );
});
