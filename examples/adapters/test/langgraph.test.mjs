import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { driveLangGraph } from "@askwire/adapters/langgraph";
import {
  Annotation,
  Command,
  END,
  INTERRUPT,
  interrupt,
  MemorySaver,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { room, until, waiting } from "./room.mjs";

const State = Annotation.Root({
  log: Annotation({
    reducer: (/** @type {string[]} */ a, /** @type {string[]} */ b) => [...a, ...b],
    default: () => [],
  }),
});

/**
 * A graph whose nodes ask these one after the other each, and all nodes at once.
 * @param {Record<string, unknown[]>} nodes
 */
function graphOf(nodes, checkpointer = new MemorySaver()) {
  /** @type {any} */
  const graph = new StateGraph(State);
  /** @type {string[]} */
  const ran = [];
  for (const [name, asks] of Object.entries(nodes)) {
    graph.addNode(name, () => {
      ran.push(name);
      return { log: asks.map((ask) => `${name}: ${JSON.stringify(interrupt(ask))}`) };
    });
    graph.addEdge(START, name);
    graph.addEdge(name, END);
  }
  return { graph: graph.compile({ checkpointer }), ran };
}

const deploy = { approval: { action: "deploy", description: "Deploy build 42" } };
const colour = { questions: [{ question: "Which colour?", options: [{ label: "Red" }, { label: "Blue" }] }] };
const config = { configurable: { thread_id: "t1" } };
const blue = () => ({ items: [{ question_id: "q1", selected: ["q1_o2"] }] });

describe("a graph of LangGraph whose interrupts are put to people", () => {
  test("interrupts of two nodes are asked at once, and each has its own reply", async (t) => {
    const { program } = await room(t, {
      question: blue,
      approval: () => ({ response: "reject", feedback: "not today" }),
    });
    const { graph } = graphOf({ paint: [colour], release: [deploy] });
    const { log } = await driveLangGraph(await program(), { graph, Command, config, input: {} });
    assert.equal(log.length, 2);
    assert.match(log.join("\n"), /paint: \{"answered":true,"answers":\{"Which colour\?":"Blue"\}\}/);
    assert.match(
      log.join("\n"),
      /release: \{"answered":false,"approved":false,"status":"answered","message":"The user rejected this call.*not today/,
    );
  });

  test("two interrupts of one node are asked one after the other, and the node sees both replies", async (t) => {
    let times = 0;
    const { program } = await room(t, {
      question: () => {
        times += 1;
        return blue();
      },
      approval: () => "approve",
    });
    const { graph, ran } = graphOf({ both: [colour, deploy] });
    const { log } = await driveLangGraph(await program(), { graph, Command, config, input: {} });
    assert.equal(log[1], 'both: {"answered":true,"approved":true}');
    assert.deepEqual([times, ran.length], [1, 3]);
  });

  test("a text is a question in words, and a schema is a form with values that fit it", async (t) => {
    const { program } = await room(t, {
      question: ({ questions: [asked] }) => ({
        items: [
          { question_id: "q1", selected: [], own_text: asked?.question === "Your name?" ? "Ann" : "7" },
        ],
      }),
    });
    const schema = { type: "object", properties: { count: { type: "integer" } }, required: ["count"] };
    const { graph } = graphOf({ name: ["Your name?"], count: [{ message: "How many?", schema }] });
    const { log } = await driveLangGraph(await program(), { graph, Command, config, input: {} });
    assert.match(log.join("\n"), /"answers":\{"Your name\?":"Ann"\}/);
    assert.match(log.join("\n"), /"values":\{"count":7\}/);
  });

  test("what nobody answers resumes with words and no approval", async (t) => {
    const { program } = await room(t);
    const { graph } = graphOf({ release: [deploy] });
    const { log } = await driveLangGraph(await program(), { graph, Command, config, input: {} });
    assert.match(log[0], /"approved":false,"status":"unavailable","message":"Nobody .*nothing was done/);
  });

  test("after a restart an open interrupt is asked once, and the answer given meanwhile counts", async (t) => {
    let times = 0;
    let answer = (/** @type {any} */ _) => {};
    const { program, open } = await room(t, {
      question: () => {
        times += 1;
        return new Promise((resolve) => {
          answer = resolve;
        });
      },
    });
    const kept = new MemorySaver();
    const first = await program();
    const driven = driveLangGraph(first, {
      graph: graphOf({ paint: [colour] }, kept).graph,
      Command,
      config,
      input: {},
    });
    driven.catch(() => {});
    await until(() => times === 1);
    await first.close();
    answer(blue());
    await until(() => open() === 0);
    const { log } = await driveLangGraph(await program(), {
      graph: graphOf({ paint: [colour] }, kept).graph,
      Command,
      config,
    });
    assert.match(log[0], /Blue/);
    assert.equal(times, 1);
  });

  test("a new input is refused while interrupts are open, since it would drop them", async (t) => {
    const { program } = await room(t, waiting);
    const { graph } = graphOf({ paint: [colour] });
    assert.equal((await graph.invoke({}, config))[INTERRUPT].length, 1);
    await assert.rejects(
      driveLangGraph(await program(), { graph, Command, config, input: {} }),
      /leave `input` out/,
    );
    assert.equal((await graph.getState(config)).tasks[0]?.interrupts.length, 1);
  });

  test("questions are taken back where the program gives up, and the interrupts stay open", async (t) => {
    const { program, open } = await room(t, waiting);
    const { graph } = graphOf({ paint: [colour], release: [deploy] });
    const stop = new AbortController();
    const driven = driveLangGraph(await program(), {
      graph,
      Command,
      config,
      input: {},
      signal: stop.signal,
    });
    await until(() => open() === 2);
    stop.abort(new Error("enough"));
    await assert.rejects(driven, /enough/);
    assert.equal(open(), 0);
    assert.equal(
      (await graph.getState(config)).tasks.flatMap((/** @type {any} */ task) => task.interrupts).length,
      2,
    );
  });

  test("a value of the program's own becomes an ask by `asks`, and is refused with that advice without", async (t) => {
    const { program } = await room(t, { approval: () => "approve" });
    const { graph } = graphOf({ own: [{ tool: "deploy" }] });
    const session = await program();
    await assert.rejects(driveLangGraph(session, { graph, Command, config, input: {} }), /give `asks`/);
    const asks = (/** @type {any} */ { tool }) => ({
      approval: { action: tool, description: `Call ${tool}` },
    });
    const { log } = await driveLangGraph(session, { graph, Command, config, asks });
    assert.match(log[0], /"approved":true/);
  });

  test("a graph without a checkpointer fails before it runs", async (t) => {
    const { program } = await room(t, waiting);
    const { graph, ran } = graphOf({ paint: [colour] }, /** @type {any} */ (false));
    await assert.rejects(
      driveLangGraph(await program(), { graph, Command, config, input: {} }),
      /checkpointer/i,
    );
    assert.deepEqual(ran, []);
  });
});
