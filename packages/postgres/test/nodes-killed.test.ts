import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../../../scripts/free-port.js";
import { sharedEngine } from "../../../scripts/postgres-engine.js";
import { bundleProgram } from "../../conformance-tests/test/servers/bundle.js";
import type { Agent } from "../../server/src/index.js";
import { messagesIn } from "../../server/test/journal-folder.js";
import { administrator, freshSchema } from "./at-work.js";
import { token } from "./node-secrets.js";
import { balancerOf, nodeOf, nodeProcess, personAt } from "./nodes-at-work.js";

const folder = mkdtempSync(join(tmpdir(), "askwire-nodes-"));
let program = "";
beforeAll(async () => {
  program = await bundleProgram(folder, new URL("node-process.ts", import.meta.url));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A node in a process of its own that has the session `s`, and one in this process. */
async function twoNodes(leaseMs: number) {
  const schema = freshSchema();
  const other = await nodeOf({ schema, server: { agent: twice } });
  const { url } = await sharedEngine();
  const port = await freePort();
  const owner = await nodeProcess(program, [url, schema, String(port), String(leaseMs)]);
  owner.send("s");
  await once(owner, "message");
  return { schema, owner, port, other };
}

/** The agent of those processes. */
const twice: Agent = {
  resumes: true,
  async run(turn) {
    for (let asked = 1; asked <= 2; asked += 1) {
      const { answer } = await turn.ask(`Which colour, the ${asked}. time?`, ["Red", "Blue"], {
        key: String(asked),
      });
      turn.say(`${asked}: ${answer}. `);
    }
  },
};

/** Answers the first question as red and the second as blue, once each. */
async function answersBoth(person: Awaited<ReturnType<typeof personAt>>, turn: { result: Promise<unknown> }) {
  person.asked[0]?.answer("Red");
  const second = () => person.asked.find(({ text }) => text.includes("the 2."));
  await person.until(() => second() !== undefined);
  second()?.answer("Blue");
  expect(await turn.result).toMatchObject({ status: "finished" });
}

/** The answers that are kept, in their order. */
async function keptAnswers(schema: string): Promise<string[]> {
  const db = await administrator();
  const { rows } = await db.query(`select text from ${schema}.line order by number`);
  return messagesIn(rows.map(({ text }) => text))
    .filter(({ type }) => type === "InteractionSettled")
    .map(({ payload }) => JSON.stringify(payload.response));
}

/** The ways in which a node ends, and its lease. */
const ends: readonly [string, number, (owner: ChildProcess) => void][] = [
  ["killed", 2_000, (owner) => void owner.kill("SIGKILL")],
  ["stopped", 2_000, (owner) => void owner.kill("SIGSTOP")],
  // Nobody could wait for this lease.
  ["drained", 600_000, (owner) => void owner.kill("SIGTERM")],
];

test.each(ends)(
  "a question of a node that is %s is answered at another one, once, and its agent goes on there (P-NOD-3)",
  async (how, leaseMs, end) => {
    const { schema, owner, port, other } = await twoNodes(leaseMs);
    const balancer = await balancerOf(port);
    const [person, passed] = [await personAt(balancer.address("s")), await personAt(other.address("s"))];
    const turn = person.client.prompt("go");
    for (const one of [person, passed]) await one.until(() => one.asked.length === 1);
    const id = person.asked[0]?.id;
    balancer.leadTo(other.port);
    end(owner);
    if (how === "stopped") balancer.cut();
    for (const one of [person, passed]) await one.until(() => one.changes.includes("connected, reset"));
    await answersBoth(person, turn);
    owner.kill("SIGCONT");
    expect(person.asked.filter((asked) => asked.text.includes("the 1.")).map((asked) => asked.id)).toContain(
      id,
    );
    expect(other.server.sessions.has("s")).toBe(true);
    const kept = await keptAnswers(schema);
    expect(kept.map((text) => (text.includes("Red") ? "Red" : "Blue"))).toEqual(["Red", "Blue"]);
  },
);

test("a deadline in a session whose node was killed ends at another node, to which nobody came for it (P-NOD-5)", async () => {
  const { schema, owner, port } = await twoNodes(2_000);
  const person = await personAt(`ws://127.0.0.1:${port}/wire/s#${token}`, { reconnect: false });
  const items = [{ question: "Deploy?", options: [{ label: "Yes" }, { label: "No" }] }];
  const deadline = { ms: 4_000, on_expiry: "cancel" as const };
  await person.client.ask({ key: "k", questions: items, deadline, wait: false });
  owner.kill("SIGKILL");
  const db = await administrator();
  const ended = async () => {
    const { rows } = await db.query(`select text from ${schema}.line order by number`);
    return messagesIn(rows.map(({ text }) => text))
      .filter(({ type }) => type === "InteractionSettled")
      .map(({ payload }) => (payload.outcome as { status: string }).status);
  };
  await expect.poll(ended).toEqual(["expired"]);
});
