import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { driveMastra } from "@askwire/adapters/mastra";
import { Mastra } from "@mastra/core";
import { Agent } from "@mastra/core/agent";
import { InMemoryStore } from "@mastra/core/storage";
import { createTool } from "@mastra/core/tools";
import * as z from "zod";
import { provider } from "./provider.mjs";
import { allBut43, room, until, waiting } from "./room.mjs";

const deploys = (/** @type {number[]} */ ...builds) =>
  builds.map((build) => ({ id: `d${build}`, name: "deploy", input: { build } }));
const asks = [{ id: "q1", name: "paint", input: { wall: "north" } }];
const Paint = z.object({ colour: z.enum(["red", "blue"]).optional(), nobody: z.string().optional() });

/** An agent with a tool that needs an approval and one that asks, in a process of its own over the same storage. */
function agentAt(/** @type {string} */ url, storage = new InMemoryStore()) {
  /** @type {number[]} */
  const ran = [];
  const deploy = createTool({
    id: "deploy",
    description: "Deploys a build",
    inputSchema: z.object({ build: z.number() }),
    requireApproval: true,
    execute: async ({ build }) => {
      ran.push(build);
      return `deployed ${build}`;
    },
  });
  const paint = createTool({
    id: "paint",
    description: "Paints a wall",
    inputSchema: z.object({ wall: z.string() }),
    suspendSchema: z.object({ question: z.string() }),
    resumeSchema: Paint,
    execute: async ({ wall }, { agent }) => {
      const { resumeData, suspend } = agent ?? {};
      if (resumeData === undefined) return suspend?.({ question: `Which colour for the ${wall} wall?` });
      return (
        /** @type {any} */ (resumeData).colour ?? `not painted: ${/** @type {any} */ (resumeData).nobody}`
      );
    },
  });
  const made = new Agent({
    id: "releaser",
    name: "Releaser",
    instructions: "Do as you are told.",
    model: { id: "scripted/model", url, apiKey: "none" },
    tools: { deploy, paint },
  });
  const mastra = new Mastra({ agents: { releaser: made }, storage, logger: false });
  return { agent: mastra.getAgent("releaser"), ran, storage };
}

const schema = () => z.toJSONSchema(Paint);

describe("an agent of Mastra whose calls are put to people", () => {
  test("calls are asked one after the other, and each runs or has the person's words as its result", async (t) => {
    /** @type {string[]} */
    const shown = [];
    const { program } = await room(t, allBut43(shown));
    const model = await provider(t, deploys(42, 43));
    const { agent, ran } = agentAt(model.url);
    /** @type {any[]} */
    const chunks = [];
    const onChunk = (/** @type {any} */ chunk) => void chunks.push(chunk.type);
    const stream = await driveMastra(await program(), { agent, input: "Deploy", onChunk });
    assert.equal(await stream.text, "Done.");
    assert.deepEqual([shown, ran], [["deploy", "deploy"], [42]]);
    assert.match(
      model.sent
        .at(-1)
        .messages.map((/** @type {any} */ m) => m.content)
        .join("\n"),
      /do what they said: too late/,
    );
    assert.ok(chunks.includes("tool-call-approval"));
  });

  test("a call that nobody can approve does not run, and the model reads that nothing was done", async (t) => {
    const { program } = await room(t);
    const model = await provider(t, deploys(42));
    const { agent, ran } = agentAt(model.url);
    await driveMastra(await program(), { agent, input: "Deploy" });
    assert.deepEqual(ran, []);
    assert.match(model.read(1)[0], /nothing was done/);
  });

  test("a suspended tool goes on with the values of a form that fit its schema", async (t) => {
    /** @type {unknown[]} */
    const shown = [];
    const { program } = await room(t, {
      question: ({ questions }) => {
        shown.push(JSON.stringify(questions));
        return {
          items: [
            { question_id: "q1", selected: ["q1_o2"] },
            { question_id: "q2", selected: [], skipped: true },
          ],
        };
      },
    });
    const model = await provider(t, asks);
    const { agent } = agentAt(model.url);
    await driveMastra(await program(), { agent, input: "Paint" });
    assert.match(String(shown[0]), /Which colour for the north wall\?/);
    assert.match(model.read(1)[0], /blue/);
  });

  test("a question without an answer goes on with the refusal, and without one the run stays suspended", async (t) => {
    const { program } = await room(t, { question: () => "declined" });
    const model = await provider(t, asks, asks);
    const { agent } = agentAt(model.url);
    const session = await program();
    await assert.rejects(driveMastra(session, { agent, input: "Paint" }), /stays suspended.*`refusal`/);
    const { runs } = await agent.listSuspendedRuns();
    assert.equal(runs.length, 1);
    const other = await provider(t, asks);
    const refusal = (/** @type {string} */ nobody) => ({ nobody });
    await driveMastra(session, { agent: agentAt(other.url).agent, input: "Paint", refusal });
    assert.match(other.read(1)[0], /not painted: The user closed the question/);
  });

  test("after a restart a suspended run goes on, and what was decided is not asked again", async (t) => {
    let times = 0;
    /** @type {(decision: "approve") => void} */
    let decide = () => {};
    const { program, open } = await room(t, {
      approval: () => {
        times += 1;
        return new Promise((resolve) => {
          decide = resolve;
        });
      },
      question: () => ({
        items: [
          { question_id: "q1", selected: ["q1_o1"] },
          { question_id: "q2", selected: [], skipped: true },
        ],
      }),
    });
    const model = await provider(t, deploys(42), asks);
    const { agent, storage } = agentAt(model.url);
    const first = await program();
    const driven = driveMastra(first, { agent, input: "Deploy" });
    driven.catch(() => {});
    await until(() => times === 1);
    await first.close();
    decide("approve");
    await until(() => open() === 0);
    const again = agentAt(model.url, storage);
    const [suspended] = (await again.agent.listSuspendedRuns()).runs;
    assert.ok(suspended);
    await driveMastra(await program(), { agent: again.agent, suspended, schema });
    assert.deepEqual([times, again.ran], [1, [42]]);
    assert.match(model.read(2).join("\n"), /red/);
  });

  test("an approval is taken back where the program gives up, and the run stays suspended", async (t) => {
    const { program, open } = await room(t, waiting);
    const model = await provider(t, deploys(42));
    const { agent, ran } = agentAt(model.url);
    const stop = new AbortController();
    const driven = driveMastra(await program(), { agent, input: "Deploy", signal: stop.signal });
    await until(() => open() === 1);
    stop.abort(new Error("enough"));
    await assert.rejects(driven, /enough/);
    assert.deepEqual([open(), ran, (await agent.listSuspendedRuns()).runs.length], [0, [], 1]);
  });
});
