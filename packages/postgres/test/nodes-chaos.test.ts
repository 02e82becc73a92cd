import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { deferred } from "../../../scripts/deferred.js";
import { freePort } from "../../../scripts/free-port.js";
import { connectWebSocket } from "../../client/src/websocket.js";
import { bundleProgram } from "../../conformance-tests/test/servers/bundle.js";
import { messagesIn } from "../../server/test/journal-folder.js";
import { administrator, freshSchema } from "./at-work.js";
import { deafConnections } from "./deaf-connections.js";
import { failingEngines } from "./failing-engines.js";
import { labelFor } from "./label-for.js";
import { ledConnections } from "./led-connections.js";
import { token } from "./node-secrets.js";
import { nodeProcess } from "./nodes-at-work.js";
import { seeded } from "./seeded.js";

/** Faults of nodes, engines and the ways between them. `ASKWIRE_NODE_FAULTS` names another number, and prints the figures. */
const FAULTS = Number(process.env.ASKWIRE_NODE_FAULTS ?? 8);
const SEED = Number(process.env.ASKWIRE_NODE_SEED ?? 7);
/** Sessions, each with a program that asks and a person that answers. `ASKWIRE_NODE_SESSIONS` names another number. */
const SESSIONS = Number(process.env.ASKWIRE_NODE_SESSIONS ?? 6);
const LEASE_MS = 2_000;

const folder = mkdtempSync(join(tmpdir(), "askwire-chaos-"));
let program = "";
beforeAll(async () => {
  program = await bundleProgram(folder, new URL("node-process.ts", import.meta.url));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Three nodes, each at its port, that are ended and started again. Other nodes reach each by a way of its own. */
async function threeNodes(url: string, schema: string, random: () => number) {
  const ports = [await freePort(), await freePort(), await freePort()];
  const ways = await Promise.all(ports.map((port) => deafConnections(() => port)));
  for (const way of ways) onTestFinished(way.close);
  const start = (index: number) =>
    nodeProcess(program, [url, schema, String(ports[index]), String(LEASE_MS), String(ways[index]?.port)]);
  const children = await Promise.all(ports.map((_port, index) => start(index)));
  const chosen = () => Math.floor(random() * ports.length);
  async function ended(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const index = chosen();
    const child = children[index] as ChildProcess;
    const exit = once(child, "exit");
    child.kill(signal);
    await exit;
    children[index] = await start(index);
  }
  return {
    ports,
    children,
    faults: {
      killed: () => ended("SIGKILL"),
      drained: () => ended("SIGTERM"),
      /** For a moment, or for longer than its lease. */
      async stopped() {
        const child = children[chosen()] as ChildProcess;
        child.kill("SIGSTOP");
        await setTimeout(500 + random() * 3_000);
        child.kill("SIGCONT");
      },
      /** What one node says to those that pass clients on to it does not come. */
      unlinked: async () => ways[chosen()]?.deafFor(500 + random() * 6_000),
    },
  };
}

/** The kinds of faults: each once in an order by chance, then any of them. */
function* kindsOf<Kind>(kinds: readonly Kind[], random: () => number): Generator<Kind, never> {
  const left = [...kinds];
  while (left.length > 0) yield left.splice(Math.floor(random() * left.length), 1)[0] as Kind;
  for (;;) yield kinds[Math.floor(random() * kinds.length)] as Kind;
}

/** The answers that programs were told, by the id of the question. */
type Told = Map<string, string>;

test("an answer is lost, doubled or invented while nodes are killed, stopped, drained and cut off, and the engine fails over, at random", async () => {
  const schema = freshSchema();
  const random = seeded(SEED);
  const engines = await failingEngines();
  const { ports, children, faults } = await threeNodes(engines.url, schema, random);
  const all = {
    ...faults,
    failedOver: engines.failOver,
    /** The engine does what it is told, and nobody hears of it. */
    unheard: () => engines.deafFor(500 + random() * 4_000),
  };
  // Each connection comes to a node by chance.
  const { port, close } = await ledConnections(() => ports[Math.floor(random() * ports.length)] as number);
  onTestFinished(close);
  const told: Told = new Map();
  /** The questions that could not be kept, which is told too. */
  const unkept = new Set<string>();
  /** The ids under which each key was shown. */
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
      if (outcome.reason === "not_kept") unkept.add(request_id);
      else {
        expect(outcome.status).toBe("answered");
        told.set(request_id, Object.values(answers ?? {})[0] ?? "");
      }
      begun[index]?.resolve();
    }
    await person.close();
    await asker.close();
  };

  const ids = Array.from(
    { length: SESSIONS },
    (_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
  );
  const sessions = Promise.all(ids.map(oneSession));
  const made = new Map<string, number>();
  const chaos = async () => {
    await Promise.all(begun.map(({ promise }) => promise));
    const kinds = kindsOf(Object.keys(all) as (keyof typeof all)[], random);
    for (let count = 0; count < FAULTS; count += 1) {
      const kind = kinds.next().value;
      await all[kind]();
      made.set(kind, (made.get(kind) ?? 0) + 1);
      await setTimeout(random() * 1_000);
    }
    isOver = true;
  };
  await Promise.all([sessions, chaos()]);

  const db = await administrator(engines.now());
  const { rows } = await db.query(`select text from ${schema}.line order by number`);
  const settled = messagesIn(rows.map(({ text }) => text)).filter(
    ({ type }) => type === "InteractionSettled",
  );
  const times = new Map<string, number>();
  for (const { payload } of settled) {
    const id = String(payload.request_id);
    times.set(id, (times.get(id) ?? 0) + 1);
  }
  const figures = {
    ...{ told: told.size, settled: settled.length, unkept: unkept.size },
    ...Object.fromEntries(made),
  };
  if (process.env.ASKWIRE_NODE_FAULTS !== undefined) process.stdout.write(`${JSON.stringify(figures)}\n`);
  expect(told.size).toBeGreaterThan(SESSIONS);
  expect([...told].filter(([id, label]) => label !== labelFor(id))).toEqual([]);
  expect([...told.keys()].filter((id) => times.get(id) !== 1)).toEqual([]);
  expect([...times].filter(([id, count]) => count !== 1 || !(told.has(id) || unkept.has(id)))).toEqual([]);
  expect([...shown].filter(([, requests]) => requests.size !== 1)).toEqual([]);
});
