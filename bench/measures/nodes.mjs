/** @import { Measure } from "../contract.js" */
/** @import { Engine, Place } from "./engine.mjs" */
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { closeCodeOf, connectWebSocket } from "@askwire/client/websocket";
import { spread } from "../report.mjs";
import { freshPlace, startEngine } from "./engine.mjs";
import { startHost, toldBy } from "./host-process.mjs";

/** The lease of a node, in milliseconds: the least that a node may have. */
const LEASE_MS = 2_000;

/** @type {Measure<Engine>} */
export const nodes = {
  name: "nodes",
  title: "Three nodes and 100,000 open questions",
  note: "Three processes with one schema of PostgreSQL and 100,000 sessions with a question each (1,000 in a quick run), which no node has at first; medians in milliseconds, over WebSocket: a page of the inbox at one node, and its ratio to `select 1`; a person comes to a session that no node has and is asked; takes the question; answers it; a person is asked again whose node was killed, less its lease of 2 s. Memory: of a process that lists all of them.",
  columns: () => [
    { key: "listed", label: "all are listed at a new node, s" },
    { key: "page", label: "a page" },
    { key: "page_ratio", label: "× `select 1`" },
    { key: "asked", label: "comes and is asked" },
    { key: "claimed", label: "takes it" },
    { key: "answered", label: "answers" },
    { key: "takeover", label: "asked again after a kill, over the lease" },
    { key: "rss", label: "a node: MB" },
    { key: "rss_before", label: "without a session: MB" },
  ],
  reps: () => 1,
  open: startEngine,
  async sample(_peer, { quick, cores }, engine) {
    const rows = quick ? 1_000 : 100_000;
    const place = freshPlace(engine);
    await fill(engine, cores, place, rows);
    return figuresOf(engine, cores, place, rows);
  },
  close: (engine) => engine.close(),
};

const idOf = (/** @type {number} */ n) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

/**
 * One session with a question, and copies of it.
 * @type {(engine: Engine, cores: readonly number[], place: Place, rows: number) => Promise<void>}
 */
async function fill({ db }, cores, place, rows) {
  const id = idOf(0);
  const child = startHost(cores.slice(0, 1), "asks-once", { engine: place, id });
  await toldBy(child);
  if (child.exitCode === null) await once(child, "exit");
  const { schema } = place;
  const first = (await db.query(`select key, open from ${schema}.session where id = $1`, [id])).rows[0];
  const request = JSON.parse(first.open).open[0].request_id;
  const copied = (/** @type {string} */ text) =>
    `replace(replace(replace(${text}, '${id}', i), '${request}', '1' || substr(i, 2)), '000000', lpad(n::text, 6, '0'))`;
  await db.query(`with ids as (
      select n, '00000000-0000-4000-8000-' || lpad(n::text, 12, '0') as i from generate_series(1, ${rows - 1}) n
    ), made as (
      insert into ${schema}.session (id, generation, lines, messages, title, work_dir, open)
      select i, generation, lines, messages, title, work_dir, ${copied("open")}
      from ids, ${schema}.session where key = ${first.key} returning key, id
    )
    insert into ${schema}.line (session, number, generation, text)
    select made.key, number, generation, ${copied("text")}
    from ${schema}.line, ids join made on made.id = i where session = ${first.key}`);
  await db.query(`analyze ${schema}.session, ${schema}.line`);
}

/** @typedef {{ child: import("node:child_process").ChildProcess, address: (id?: string) => string }} Node */

/** @type {(cores: readonly number[], place: Place) => Promise<Node>} */
async function startNode(cores, place) {
  const token = "a-token-of-the-nodes-of-a-bench-1";
  const child = startHost(cores, "node", { engine: place, token, leaseMs: LEASE_MS }, ["--expose-gc"]);
  const port = await toldBy(child);
  return { child, address: (id) => `ws://127.0.0.1:${port}/wire${id ? `/${id}` : ""}#${token}` };
}

/** @type {(node: Node) => Promise<number>} */
async function megabytes({ child }) {
  child.send("bytes");
  return (await toldBy(child)) / 1e6;
}

/** @type {(work: () => Promise<unknown>) => Promise<number>} */
async function ms(work) {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** A person at a node. */
class Person {
  id = "";
  #asked = deferred();
  #mayAnswer = deferred();
  #over = deferred();

  /** Comes, and is asked. @param {string} address */
  async comes(address) {
    this.client = await connectWebSocket(address, {
      onProblem() {},
      handlers: {
        event: ({ type }) => type === "InteractionSettled" && this.#over.resolve(),
        question: async ({ id, questions }) => {
          this.id = id;
          this.#asked.resolve();
          await this.#mayAnswer.promise;
          return { answers: { [questions[0]?.question ?? ""]: "Yes" } };
        },
      },
    });
    await this.#asked.promise;
    return this.client;
  }

  /** Answers, and hears that it counts. */
  async answers() {
    this.#mayAnswer.resolve();
    await this.#over.promise;
  }
}

/** @returns {{ promise: Promise<void>, resolve: () => void }} */
function deferred() {
  let resolve = () => {};
  const promise = new Promise((done) => {
    resolve = () => done(undefined);
  });
  return /** @type {any} */ ({ promise, resolve });
}

/** Comes again while the node of the session may live. @type {(address: string) => Promise<{ close: () => Promise<void> }>} */
async function comesAtLast(address) {
  for (;;) {
    try {
      return await new Person().comes(address);
    } catch (error) {
      if (closeCodeOf(error) !== 1013) throw error;
      await wait(20);
    }
  }
}

/** @type {(engine: Engine, cores: readonly number[], place: Place, rows: number) => Promise<Record<string, number>>} */
async function figuresOf({ db }, cores, place, rows) {
  const empty = await startNode(cores, { ...place, schema: `${place.schema}_empty` });
  const rssBefore = await megabytes(empty);
  empty.child.kill("SIGKILL");
  const begun = performance.now();
  const all = await Promise.all([1, 2, 3].map(() => startNode(cores, place)));
  const [first, second] = /** @type {[Node, Node]} */ (/** @type {unknown} */ (all));
  try {
    const lobby = await connectWebSocket(first.address(), { lobby: true, handlers: {} });
    while (((await lobby.listRequests({ counts: true, limit: 1 })).counts?.all ?? 0) < rows) await wait(50);
    const listed = (performance.now() - begun) / 1_000;
    /** @type {Record<string, number[]>} */
    const times = { page: [], select: [], asked: [], claimed: [], answered: [] };
    for (let n = 1; n <= 50; n += 1) {
      times["select"]?.push(await ms(() => db.query("select 1")));
      times["page"]?.push(await ms(() => lobby.listRequests()));
    }
    for (let n = 1; n <= 50; n += 1) {
      const at = /** @type {Node} */ (all[n % 3]).address(idOf(n));
      const person = new Person();
      times["asked"]?.push(await ms(() => person.comes(at)));
      times["claimed"]?.push(await ms(async () => person.client?.claim({ request_id: person.id })));
      times["answered"]?.push(await ms(() => person.answers()));
      await person.client?.close();
    }
    const rss = await megabytes(first);
    await lobby.close();
    await (await new Person().comes(second.address(idOf(60)))).close();
    second.child.kill("SIGKILL");
    const takeover = await ms(async () => (await comesAtLast(first.address(idOf(60)))).close());
    const medians = Object.fromEntries(
      Object.entries(times).map(([key, list]) => [key, spread(list).median]),
    );
    const { select, ...found } = medians;
    const page_ratio = (found["page"] ?? 0) / (select ?? 1);
    return { listed, ...found, page_ratio, takeover: takeover - LEASE_MS, rss, rss_before: rssBefore };
  } finally {
    for (const { child } of all) child.kill("SIGKILL");
  }
}
