// Stand-ins for three frameworks, which do what the frameworks did where they were tried: node scripts/adapters.mjs.
import { describe, expect, test } from "vitest";
import type { ClientHandlers } from "../../client/src/index.js";
import { until } from "../../server/test/until.js";
import { driveLangGraph } from "../src/langgraph.js";
import { driveMastra } from "../src/mastra.js";
import { driveOpenAi, openAiAsk } from "../src/openai-agents.js";
import { people, waiting } from "./people.js";

const colour = { question: "Which colour?", options: [{ label: "Red" }, { label: "Blue" }] };
const deploy = { approval: { action: "deploy", description: "Deploy build 42" } };
const blue = () => ({ items: [{ question_id: "q1", selected: ["q1_o2"] }] });

class Command {
  readonly resume: Record<string, unknown>;
  constructor({ resume }: { resume: Record<string, unknown> }) {
    this.resume = resume;
  }
}

/** A graph that stops for these interrupts, round by round. */
function graphOf(...rounds: Record<string, unknown>[]) {
  const resumed: Record<string, unknown>[] = [];
  let nth = -1;
  const interrupts = () => Object.entries(rounds[nth] ?? {}).map(([id, value]) => ({ id, value }));
  const graph = {
    async invoke(input: unknown) {
      if (input instanceof Command) resumed.push(input.resume);
      nth += 1;
      return resumed;
    },
    getState: async () => ({ values: {}, tasks: [{ interrupts: interrupts() }] }),
  };
  return { graph, resumed, Command, config: { configurable: { thread_id: "t" } } };
}

describe("a graph of LangGraph (driveLangGraph)", () => {
  test("each interrupt is resumed under its own id, and one that comes again is asked again", async () => {
    let times = 0;
    const { session } = await people({
      question: () => {
        times += 1;
        return blue();
      },
      approval: () => ({ response: "reject", feedback: "not today" }),
    });
    const { resumed, ...given } = graphOf(
      { i1: { questions: [colour] }, i2: deploy },
      { i1: { questions: [colour] } },
    );
    expect(await driveLangGraph(session, { ...given, input: {} })).toBe(resumed);
    const answer = { answered: true, answers: { "Which colour?": "Blue" } };
    const refused = { answered: false, approved: false, feedback: "not today" };
    expect(resumed).toEqual([{ i1: answer, i2: expect.objectContaining(refused) }, { i1: answer }]);
    expect(times).toBe(2);
  });

  test("a graph that asks again and again where nobody is there ends with an error after twenty rounds", async () => {
    const { session } = await people();
    const { resumed, ...given } = graphOf(...Array(50).fill({ i1: deploy }));
    await expect(driveLangGraph(session, { ...given, input: {} })).rejects.toThrow("20 times in a row");
    expect(resumed).toHaveLength(19);
  });

  test("a new input is refused while interrupts are open, and without one they are answered", async () => {
    const { session } = await people({ question: blue });
    const { graph, resumed, ...given } = graphOf({ i1: { questions: [colour] } });
    await graph.invoke({});
    await expect(driveLangGraph(session, { graph, ...given, input: {} })).rejects.toThrow(
      "leave `input` out",
    );
    await driveLangGraph(session, { graph, ...given });
    expect(resumed).toHaveLength(1);
  });

  test("a form that fails takes back what is asked beside it, and nothing is resumed", async () => {
    const { session, open } = await people(waiting);
    const secret = { properties: { pin: { type: "string", format: "password" } } };
    const { resumed, ...given } = graphOf({ i1: deploy, i2: { message: "Pin?", schema: secret } });
    await expect(driveLangGraph(session, { ...given, input: {} })).rejects.toThrow("is a secret");
    expect([open(), resumed]).toEqual([0, []]);
  });

  test("a value that is no ask is refused with the next step, before anybody is asked", async () => {
    const { session, open } = await people(waiting);
    const { resumed, ...given } = graphOf({ i1: deploy, i2: { tool: "deploy" } });
    await expect(driveLangGraph(session, { ...given, input: {} })).rejects.toThrow("give `asks` to make one");
    expect(open()).toBe(0);
  });
});

/** A run of OpenAI's SDK that stops once for calls of these ids. */
function runOf(...ids: string[]) {
  const decided: unknown[] = [];
  type Item = {
    readonly name: string;
    readonly arguments: string;
    readonly rawItem: { readonly callId: string };
  };
  const state = {
    approve: (item: Item) => void decided.push([item.rawItem.callId, "approve"]),
    reject: (item: Item, { message }: { message: string }) =>
      void decided.push([item.rawItem.callId, message]),
    toString: () => "the state",
  };
  const interruptions = ids.map(
    (callId): Item => ({ name: "deploy", arguments: JSON.stringify({ callId }), rawItem: { callId } }),
  );
  return {
    decided,
    start: async () => ({ interruptions, state, finalOutput: "" }),
    resume: async () => ({ interruptions: [], state, finalOutput: "Done." }),
  };
}

describe("a run of OpenAI's SDK (driveOpenAi, openAiAsk)", () => {
  test("the state is kept before people are asked, and each call is decided as they said", async () => {
    const saved: string[] = [];
    const approval: ClientHandlers["approval"] = ({ display }) => {
      expect(saved).toEqual(["the state"]);
      return JSON.stringify(display).includes("c2") ? "reject" : "approve";
    };
    const { session } = await people({ approval });
    const { decided, ...run } = runOf("c1", "c2");
    const save = (state: string) => void saved.push(state);
    expect(await driveOpenAi(session, { ...run, run: "r", save })).toMatchObject({ finalOutput: "Done." });
    expect(decided).toEqual([
      ["c1", "approve"],
      ["c2", expect.stringContaining("The user rejected this call")],
    ]);
  });

  test("nothing is decided where the program gives up, and people are asked anew when it goes on later", async () => {
    let shown = 0;
    const { session, open } = await people({
      approval: () => {
        shown += 1;
        return shown <= 2 ? new Promise<never>(() => {}) : "approve";
      },
    });
    const { decided, ...run } = runOf("c1", "c2");
    const stop = new AbortController();
    const driven = driveOpenAi(session, { ...run, run: "r", signal: stop.signal });
    await until(() => open() === 2);
    stop.abort(new Error("enough"));
    await expect(driven).rejects.toThrow("enough");
    expect([open(), decided]).toEqual([0, []]);
    await driveOpenAi(session, { ...run, run: "r" });
    expect(decided).toEqual([
      ["c1", "approve"],
      ["c2", "approve"],
    ]);
  });

  test("a question that nobody answers is words and no exception, and the signal of its call takes it back", async () => {
    const { session, open } = await people(waiting);
    const stop = new AbortController();
    const details = { toolCall: { callId: "c1" }, signal: stop.signal };
    const asked = openAiAsk(session, { run: "r" })({ questions: [colour] }, {}, details);
    await until(() => open() === 1);
    stop.abort();
    expect(await asked).toEqual({
      answered: false,
      status: "withdrawn",
      message: expect.stringContaining("taken back"),
    });
  });
});

/** An agent of Mastra whose streams have these chunks, one after the other. */
function agentOf(...streams: object[][]) {
  const done: unknown[] = [];
  let nth = 0;
  const next = async () => {
    const chunks = streams[nth++] ?? [];
    return {
      runId: "r1",
      fullStream: (async function* () {
        yield* chunks;
      })(),
    };
  };
  const noted = (what: string) => (options: object) => {
    done.push([what, options]);
    return next();
  };
  const agent = {
    stream: next,
    approveToolCall: noted("approve"),
    declineToolCall: noted("decline"),
    resumeStream: (data: unknown) => noted("resume")(data as object),
  };
  return { agent, done };
}

const approvalOf = (toolCallId: string) => ({
  type: "tool-call-approval",
  payload: { toolCallId, toolName: "deploy", args: {} },
});
const questionOf = (toolCallId: string) => ({
  type: "tool-call-suspended",
  payload: {
    ...{ toolCallId, toolName: "paint", suspendPayload: { question: "Which colour?" } },
    resumeSchema: JSON.stringify({
      type: "object",
      properties: { it: { type: "string", enum: ["red", "blue"] } },
    }),
  },
});

describe("an agent of Mastra (driveMastra)", () => {
  test("calls are decided one at a time with the options of the run, and equal questions of a call are asked each time", async () => {
    let times = 0;
    const { session } = await people({
      approval: () => "reject",
      question: () => {
        times += 1;
        return { items: [{ question_id: "q1", selected: [`q1_o${times}`] }] };
      },
    });
    const { agent, done } = agentOf(
      [approvalOf("c1"), approvalOf("c2")],
      [questionOf("c1")],
      [questionOf("c1")],
    );
    await driveMastra(session, { agent, input: "Paint", options: { memory: "m" } });
    const place = { memory: "m", runId: "r1", toolCallId: "c1" };
    expect(done).toEqual([
      ["decline", { ...place, reason: expect.stringContaining("The user rejected this call") }],
      ["resume", { it: "red" }],
      ["resume", { it: "blue" }],
    ]);
  });

  test("a question without an answer ends with an error that names the refusal, and goes on with one", async () => {
    const { session } = await people({ question: () => "declined" });
    const first = agentOf([questionOf("c1")]);
    await expect(driveMastra(session, { agent: first.agent, input: "Paint" })).rejects.toThrow(
      "Give `refusal`",
    );
    const second = agentOf([questionOf("c2")]);
    const refusal = (nobody: string, tool: string) => ({ nobody, tool });
    await driveMastra(session, { agent: second.agent, input: "Paint", refusal });
    const refused = { nobody: expect.stringContaining("closed the question"), tool: "paint" };
    expect([first.done, second.done]).toEqual([[], [["resume", refused]]]);
  });

  test("either an input or a suspended run is needed", async () => {
    const { session } = await people(waiting);
    await expect(driveMastra(session, { agent: agentOf().agent })).rejects.toThrow(
      "expected either `input` or `suspended`",
    );
  });
});
