import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { deferred } from "../../../scripts/deferred.js";
import { freePort } from "../../../scripts/free-port.js";
import { sharedEngine } from "../../../scripts/postgres-engine.js";
import { connectWebSocket } from "../../client/src/websocket.js";
import { bundleProgram } from "../../conformance-tests/test/servers/bundle.js";
import { messagesIn } from "../../server/test/journal-folder.js";
import { administrator, freshSchema } from "./at-work.js";
import { labelFor } from "./label-for.js";
import { ledConnections } from "./led-connections.js";
import { token } from "./node-secrets.js";
import { nodeProcess } from "./nodes-at-work.js";
import { seeded } from "./seeded.js";

/** Faults of nodes. `ASKWIRE_NODE_FAULTS` names another number, and prints the figures. */
const FAULTS = Number(process.env.ASKWIRE_NODE_FAULTS ?? 8);
const SEED = Number(process.env.ASKWIRE_NODE_SEED ?? 7);
/** Sessions, each with a program that asks and a person that answers. */
const SESSIONS = 6;

const folder = mkdtempSync(join(tmpdir(), "askwire-chaos-"));
let program = "";
beforeAll(async () => {
  program = await bundleProgram(folder, new URL("node-process.ts", import.meta.url));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Three nodes, each at its port, that are ended and started again. */
async function threeNodes(schema: string, random: () => number) {
  const { url } = await sharedEngine();
  const ports = [await freePort(), await freePort(), await freePort()];
  const start = (port: number) => nodeProcess(program, [url, schema, String(port), "2000"]);
  const children = await Promise.all(ports.map(start));
  const chosen = () => Math.floor(random() * ports.length);
  return {
    ports,
    children,
    /** Kills a node and starts it again, or stops it for longer than its lease, or for a moment. */
    async fault(): Promise<"killed" | "stopped" | "drained"> {
      const index = chosen();
      const child = children[index] as ChildProcess;
      const kind = random();
      if (kind < 0.4) {
        child.kill("SIGSTOP");
        await setTimeout(500 + random() * 3_000);
        child.kill("SIGCONT");
        return "stopped";
      }
      const ended = once(child, "exit");
      child.kill(kind < 0.8 ? "SIGKILL" : "SIGTERM");
      await ended;
      children[index] = await start(ports[index] as number);
      return kind < 0.8 ? "killed" : "drained";
    },
  };
}

test("an answer is lost, doubled or invented while nodes are killed, stopped and drained at random", async () => {
  const schema = freshSchema();
  const random = seeded(SEED);
  const { ports, children, fault } = await threeNodes(schema, random);
  // Each connection comes to a node by chance.
  const { port, close } = await ledConnections(() => ports[Math.floor(random() * ports.length)] as number);
  onTestFinished(close);
  /** The answers that programs were told, by the id of the question; and the ids under which each key was shown. */
  const told = new Map<string, string>();
  const shown = new Map<string, Set<string>>();
  let isOver = false;
  /** The first answer of each session: one of which nothing is kept yet may go with its node. */
  const begun = Array.from({ length: SESSIONS }, () => deferred());

  const oneSession = async (id: string, index: number) => {
    children[index % 3]?.send(id);
    await once(children[index % 3] as ChildProcess, "message");
    const address = `ws://127.0.0.1:${port}/wire/${id}#${token}`;
    const person = await connectWebSocket(address, {
      handlers: {
        question({ id: request, questions, program: by }) {
          const key = by?.key ?? "";
          shown.set(key, (shown.get(key) ?? new Set()).add(request));
          return { answers: { [questions[0]?.question ?? ""]: labelFor(request) } };
        },
      },
      onProblem: () => {},
    });
    const asker = await connectWebSocket(address, { onProblem: () => {} });
    const questions = [{ question: "Odd or even?", options: [{ label: "Odd" }, { label: "Even" }] }];
    for (let count = 1; !isOver; count += 1) {
      const { request_id, outcome, answers } = await asker.ask({ key: `${id}-${count}`, questions });
      expect(outcome.status).toBe("answered");
      told.set(request_id, Object.values(answers ?? {})[0] ?? "");
      begun[index]?.resolve();
    }
    await person.close();
    await asker.close();
  };

  const ids = Array.from({ length: SESSIONS }, (_, index) => `00000000-0000-4000-8000-00000000000${index}`);
  const sessions = Promise.all(ids.map(oneSession));
  const faults = { killed: 0, stopped: 0, drained: 0 };
  const chaos = async () => {
    await Promise.all(begun.map(({ promise }) => promise));
    for (let count = 0; count < FAULTS; count += 1) {
      faults[await fault()] += 1;
      await setTimeout(random() * 1_000);
    }
    isOver = true;
  };
  await Promise.all([sessions, chaos()]);

  const db = await administrator();
  const { rows } = await db.query(`select text from ${schema}.line order by number`);
  const settled = messagesIn(rows.map(({ text }) => text)).filter(
    ({ type }) => type === "InteractionSettled",
  );
  const times = new Map<string, number>();
  for (const { payload } of settled) {
    const id = String(payload.request_id);
    times.set(id, (times.get(id) ?? 0) + 1);
  }
  const figures = { told: told.size, settled: settled.length, ...faults };
  if (process.env.ASKWIRE_NODE_FAULTS !== undefined) process.stdout.write(`${JSON.stringify(figures)}\n`);
  expect(told.size).toBeGreaterThan(SESSIONS);
  expect([...told].filter(([id, label]) => label !== labelFor(id))).toEqual([]);
  expect([...told.keys()].filter((id) => times.get(id) !== 1)).toEqual([]);
  expect([...times].filter(([id, count]) => count !== 1 || !told.has(id))).toEqual([]);
  expect([...shown].filter(([, requests]) => requests.size !== 1)).toEqual([]);
});
