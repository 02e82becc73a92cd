import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleProgram } from "../../../conformance-tests/test/servers/bundle.js";
import { freshSchema } from "../at-work.js";
import { labelFor } from "../label-for.js";
import { seeded } from "../seeded.js";
import { type Actors, actors } from "./actors.js";
import { type FailingEngines, failingEngines } from "./failing-engines.js";
import { Ledger } from "./ledger.js";
import { LEASE_MS, threeNodes } from "./three-nodes.js";

/**
 * The size of a run. `ASKWIRE_CHAOS="minutes=60 agents=200 people=40 longest=15 think=12 seed=7"` is an hour, with its
 * figures: seconds for the longest stop, and for the longest thought of a person.
 */
const { minutes, agents, people, longest, think, seed, faults } = Object.assign(
  // The default of a run: each kind of fault once.
  { minutes: 0, faults: 11, agents: 8, people: 2, longest: 3.5, think: 0, seed: 7 },
  Object.fromEntries(
    (process.env.ASKWIRE_CHAOS ?? "")
      .split(" ")
      .map((part) => [part.split("=")[0], Number(part.split("=")[1])]),
  ) as Record<string, number>,
);
/** Programs, or people, of one process. */
const EACH = 20;

const folder = mkdtempSync(join(tmpdir(), "askwire-chaos-"));
const programs = { node: "", agents: "", people: "" };
beforeAll(async () => {
  programs.node = await bundleProgram(folder, new URL("../node-process.ts", import.meta.url));
  programs.agents = await bundleProgram(folder, new URL("agents-process.ts", import.meta.url));
  programs.people = await bundleProgram(folder, new URL("people-process.ts", import.meta.url));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ids = Array.from(
  { length: agents },
  (_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
);
/** The sessions in parts, for so many processes. */
const parts = (count: number) =>
  Array.from({ length: count }, (_, part) => ids.filter((_id, index) => index % count === part));

/** Stops a process for longer than a lease, or for a moment. */
async function stopped(child: ChildProcess, ms: number): Promise<void> {
  child.kill("SIGSTOP");
  await setTimeout(ms);
  child.kill("SIGCONT");
}

/** The kinds of faults: each once in an order by chance, then any of them. */
function* kindsOf<Kind>(kinds: readonly Kind[], random: () => number): Generator<Kind, never> {
  const left = [...kinds];
  while (left.length > 0) yield left.splice(Math.floor(random() * left.length), 1)[0] as Kind;
  for (;;) yield kinds[Math.floor(random() * kinds.length)] as Kind;
}

interface All {
  readonly nodes: Awaited<ReturnType<typeof threeNodes>>;
  readonly engines: FailingEngines;
  readonly programs: readonly Actors[];
  readonly persons: readonly Actors[];
}

/** All that may happen to them, each until it is over. */
function faultsOf({ nodes, engines, programs, persons }: All, random: () => number) {
  const any = <One>(of: readonly One[]) => of[Math.floor(random() * of.length)] as One;
  const node = () => Math.floor(random() * 3);
  const ms = () => 500 + random() * (longest * 1_000 - 500);
  return {
    nodeKilled: () => nodes.end(node(), "SIGKILL"),
    nodeDrained: () => nodes.end(node(), "SIGTERM"),
    nodeStopped: () => stopped(any(nodes.children), ms()),
    failedOver: () => engines.failOver(),
    programKilled: () => any(programs).kill(),
    programStopped: () => stopped(any(programs).child(), ms()),
    personKilled: () => any(persons).kill(),
    personStopped: () => stopped(any(persons).child(), ms()),
    // One direction is dead: between two nodes, between nodes and engine, between engine and standby.
    linkDeaf: () => any(nodes.ways).deafFor(ms(), any(["near", "far"])),
    engineDeaf: () => engines.way.deafFor(ms(), any(["near", "far"])),
    standbyDeaf: () => engines.standby.deafFor(ms(), any(["near", "far"])),
  };
}

/** The settlements that are kept, and how often each request has one; with the order of generations, and the audit. */
async function keptOf({ query }: FailingEngines, schema: string) {
  const kept = await query<{ id: string; count: string }>(
    `select substring(left(text, 400) from '"request_id":"([^"]+)"') as id, count(*) from ${schema}.line
     where left(text, 100) like '%"type": "InteractionSettled"%' group by id`,
  );
  const times = new Map(kept.map(({ id, count }) => [id, Number(count)]));
  const back = await query(`select session from (select session, generation,
    lag(generation) over (partition by session order by number) as before from ${schema}.line) l where generation < before`);
  const audited = await query<{ request_id: string; count: string }>(
    `select request_id, count(*) from ${schema}.audit where what = 'settled' group by request_id`,
  );
  return {
    times,
    back,
    audited: new Map(audited.map(({ request_id, count }) => [request_id, Number(count)])),
  };
}

test("an answer is lost, doubled or invented while nodes, programs and people are killed and stopped, ways go dead and the engine fails over, at random", async () => {
  const schema = freshSchema();
  const random = seeded(seed);
  const ledger = new Ledger();
  const engines = await failingEngines();
  const nodes = await threeNodes(programs.node, [engines.url, schema], random);
  for (const [index, id] of ids.entries()) {
    const child = nodes.children[index % 3] as ChildProcess;
    child.send(id);
    await once(child, "message");
  }
  const of = (program: string) => ({ program, address: nodes.address, ledger });
  const persons = await Promise.all(
    parts(Math.ceil(people / EACH) + 1).map((sessions) =>
      actors(of(programs.people), () => ({ what: "answer", sessions, thinkMs: think * 1_000 })),
    ),
  );
  const askers = await Promise.all(
    parts(Math.ceil(agents / EACH) + 1).map((sessions) =>
      actors(of(programs.agents), () => ({
        what: "ask",
        sessions: sessions.map((id) => ({ id, from: ledger.next.get(id) ?? 1 })),
      })),
    ),
  );
  // One session in which nothing is kept yet may go with its node.
  await expect.poll(() => ledger.next.size).toBe(agents);
  const all = faultsOf({ nodes, engines, programs: askers, persons }, random);
  const made: Record<string, number> = {};
  const only = process.env["ASKWIRE_CHAOS_ONLY"]?.split(" ") ?? Object.keys(all);
  const kinds = kindsOf(only as (keyof typeof all)[], random);
  const until = performance.now() + minutes * 60_000;
  for (let count = 0; count < faults || performance.now() < until; count += 1) {
    const kind = kinds.next().value;
    await all[kind]();
    made[kind] = (made[kind] ?? 0) + 1;
    await setTimeout(random() * 1_000);
    if (minutes > 0)
      process.stdout.write(`${new Date().toISOString()} ${kind}: ${ledger.answers.size} answers\n`);
  }
  const now = async () =>
    Number(
      (await engines.query<{ now: string }>("select extract(epoch from clock_timestamp()) as now"))[0]?.now,
    );
  const last = await now();
  for (const actor of [...persons, ...askers]) actor.end();
  await Promise.all(askers.map(({ done }) => done));
  const waited = (await now()) - last;

  const { times, back, audited } = await keptOf(engines, schema);
  const lost = [...ledger.answers.keys()].filter((id) => times.get(id) !== 1);
  if (minutes > 0) {
    const figures = {
      answers: ledger.answers.size,
      unkept: ledger.unkept.size,
      settled: times.size,
      lost: lost.length,
      wrong: ledger.wrong.length,
      waited,
      ...made,
    };
    process.stdout.write(`${JSON.stringify(figures)}\n`);
    expect(waited).toBeLessThan((3 * LEASE_MS) / 1_000 + 5);
  }
  expect(ledger.wrong).toEqual([]);
  expect(ledger.answers.size).toBeGreaterThan(agents);
  expect([...ledger.answers].filter(([id, label]) => label !== labelFor(id))).toEqual([]);
  expect(lost.map((id) => `${id}, told at ${ledger.at.get(id)}`)).toEqual([]);
  const heard = (id: string) => ledger.answers.has(id) || ledger.unkept.has(id);
  expect([...times].filter(([id, count]) => count !== 1 || !heard(id))).toEqual([]);
  expect([...times.keys()].filter((id) => audited.get(id) !== 1)).toEqual([]);
  expect([...ledger.ids].filter(([, requests]) => requests.size !== 1)).toEqual([]);
  expect(back).toEqual([]);
});
