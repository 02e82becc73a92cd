import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { mortalEngine } from "../../../scripts/postgres-engine.js";
import { connectWebSocket } from "../../client/src/websocket.js";
import { bundleProgram } from "../../conformance-tests/test/servers/bundle.js";
import { messagesIn } from "../../server/test/journal-folder.js";
import { administrator } from "./at-work.js";
import { labelFor } from "./label-for.js";
import { seeded } from "./seeded.js";

/** Kills of the serving process, the engine or both. `ASKWIRE_STORE_KILLS` names another number, and prints the figures. */
const KILLS = Number(process.env.ASKWIRE_STORE_KILLS ?? 8);

/** Counts what a person is told, for the moment of a kill. */
function eventCounter() {
  const waiting = new Set<{ left: number; resolve: () => void }>();
  return {
    happened() {
      for (const wait of waiting) {
        wait.left -= 1;
        if (wait.left > 0) continue;
        waiting.delete(wait);
        wait.resolve();
      }
    },
    /** Resolves at an event, the first that is still to come counted as 1. */
    after: (left: number) => new Promise<void>((resolve) => waiting.add({ left, resolve })),
  };
}

/** Starts a server, again where a busy machine gave it no connection to the engine in its time. */
async function startedServer(program: string, args: readonly string[]) {
  for (let tries = 1; ; tries += 1) {
    const child = fork(program, args, { stdio: ["ignore", "ignore", "pipe", "ipc"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    let words = "";
    child.stderr?.on("data", (text) => {
      words = (words + String(text)).slice(-4_000);
    });
    const died = once(child, "exit").then(() => undefined);
    const message = await Promise.race([once(child, "message"), died]);
    if (message !== undefined) return { child, address: String(message[0]) };
    if (tries === 5 || !words.includes("CONNECT_FAILED"))
      throw new Error(`the server did not start: ${words}`);
  }
}

/** Prompts until it is over: again after each turn, and where a turn runs or the engine is away. */
async function promptedUntil(over: AbortSignal, prompt: () => Promise<unknown>): Promise<void> {
  while (!over.aborted) {
    await prompt().catch(() => {});
    await setTimeout(20);
  }
}

/** A record of how a question ended. */
interface Settlement {
  readonly request_id: string;
  readonly response?: unknown;
  readonly outcome: { readonly status: string; readonly reason?: string; readonly by: string };
}

/** The parts that a kill takes, in turn; the server is killed last where the engine alone was. */
const taken = ["server", "engine", "both", "server"] as const;

test("a person whose server and engine are killed again and again finds no answer lost, doubled or invented (P-INT-2, P-DUR-5, P-RES-3)", {
  timeout: 3_600_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "askwire-postgres-kills-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const program = await bundleProgram(folder, new URL("counting-process.ts", import.meta.url));
  await using engine = await mortalEngine();
  const { url } = engine;
  const schema = "askwire";
  const db = await administrator(url);
  const random = seeded(42);
  /** The answers that the server has told to be settled, by the ids of their questions. */
  const told = new Set<string>();
  const shown = new Set<string>();

  for (let kill = 0; kill < KILLS; kill += 1) {
    const { child, address } = await startedServer(program, [url, schema, "s"]);
    // Killed at an event of its own choice, at once or in the middle of what follows.
    const events = eventCounter();
    const client = await connectWebSocket(address, {
      handlers: {
        question({ id, questions }) {
          shown.add(id);
          events.happened();
          return { answers: { [questions[0]?.question ?? ""]: labelFor(id) } };
        },
        event({ type, payload }) {
          if (type === "InteractionSettled") told.add((payload as { request_id: string }).request_id);
          events.happened();
        },
      },
      onProblem: () => {},
      reconnect: false,
    });
    const isOver = new AbortController();
    const prompts = promptedUntil(isOver.signal, () => client.prompt("go").result);
    // A connection that ends by itself leaves no more events.
    const someEvents = () => Promise.race([events.after(1 + Math.floor(random() * 12)), client.closed]);
    await someEvents();
    const part = taken[kill % taken.length];
    if (part !== "server") await engine.kill();
    if (part === "engine") {
      await engine.start();
      await someEvents();
    }
    child.kill("SIGKILL");
    await once(child, "exit");
    if (part === "both") await engine.start();
    isOver.abort();
    await client.close().catch(() => {});
    await prompts;
    await db.query(`delete from ${schema}.node`);
  }
  const { rows } = await db.query(`select text from ${schema}.line order by number`);
  const figures = { kills: KILLS, shown: shown.size, told: told.size, lost: 0, doubled: 0, invented: 0 };
  /** The ends that nobody gave, such as of a question that came while the engine was away. */
  const unanswered: Record<string, number> = {};
  const settled = new Map<string, unknown>();
  for (const { type, payload } of messagesIn(rows.map(({ text }) => text))) {
    if (type !== "InteractionSettled") continue;
    const { request_id: id, response, outcome } = payload as unknown as Settlement;
    if (settled.has(id)) figures.doubled += 1;
    settled.set(id, response);
    const end = `${outcome.status} ${outcome.reason} by ${outcome.by}`;
    if (outcome.by !== "human") unanswered[end] = (unanswered[end] ?? 0) + 1;
    else if (!shown.has(id) || !JSON.stringify(response).includes(labelFor(id))) figures.invented += 1;
  }
  for (const id of told) if (!settled.has(id)) figures.lost += 1;
  if (process.env.ASKWIRE_STORE_KILLS !== undefined)
    process.stdout.write(`${JSON.stringify({ ...figures, unanswered })}\n`);
  expect(figures).toMatchObject({ lost: 0, doubled: 0, invented: 0 });
  expect(figures.told).toBeGreaterThan(0);
});
