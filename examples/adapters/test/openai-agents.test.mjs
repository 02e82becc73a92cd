import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { driveOpenAi, openAiAsk } from "@askwire/adapters/openai-agents";
import { Agent, OpenAIProvider, Runner, RunState, setTracingDisabled, tool } from "@openai/agents";
import * as z from "zod";
import { provider } from "./provider.mjs";
import { allBut43, room, until, waiting } from "./room.mjs";

setTracingDisabled(true);

const colour = { question: "Which colour?", options: [{ label: "Red" }, { label: "Blue" }] };
const Question = z.object({ question: z.string(), options: z.array(z.object({ label: z.string() })) });
const deploys = (/** @type {number[]} */ ...builds) =>
  builds.map((build) => ({ id: `d${build}`, name: "deploy", input: { build } }));
const run = "run-1";

/** An agent with a tool that needs an approval, and a runner with a model of its own. */
function deploying(/** @type {{ url: string }} */ { url }) {
  /** @type {number[]} */
  const ran = [];
  const deploy = tool({
    name: "deploy",
    description: "Deploys a build",
    parameters: z.object({ build: z.number() }),
    needsApproval: true,
    execute: async ({ build }) => {
      ran.push(build);
      return `deployed ${build}`;
    },
  });
  const agent = new Agent({ name: "Releaser", model: "scripted", tools: [deploy] });
  return { agent, ran, ...runnerAt(url) };
}

function runnerAt(/** @type {string} */ baseURL) {
  const modelProvider = new OpenAIProvider({ apiKey: "none", baseURL, useResponses: false });
  return { runner: new Runner({ modelProvider, tracingDisabled: true }) };
}

describe("an agent of OpenAI's SDK whose calls are put to people", () => {
  test("calls of one step are asked at once, and each runs or has the person's words as its result", async (t) => {
    /** @type {string[]} */
    const shown = [];
    const { program } = await room(t, allBut43(shown));
    const model = await provider(t, deploys(42, 43));
    const { agent, ran, runner } = deploying(model);
    /** @type {string[]} */
    const saved = [];
    const result = await driveOpenAi(await program(), {
      run,
      start: () => runner.run(agent, "Deploy"),
      resume: (state) => runner.run(agent, state),
      save: (state) => void saved.push(state),
    });
    assert.equal(result.finalOutput, "Done.");
    assert.deepEqual([shown, ran, saved.length], [["deploy", "deploy"], [42], 1]);
    const [first, second] = model.read(1);
    assert.equal(first, "deployed 42");
    assert.match(second, /do what they said: too late/);
  });

  test("a kept state goes on in another process, where a decision that was made is not asked for again", async (t) => {
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
    });
    const model = await provider(t, deploys(42));
    const { agent, runner } = deploying(model);
    let kept = "";
    const first = await program();
    const driven = driveOpenAi(first, {
      run,
      start: () => runner.run(agent, "Deploy"),
      resume: (state) => runner.run(agent, state),
      save: (state) => {
        kept = state;
      },
    });
    driven.catch(() => {});
    await until(() => times === 1);
    await first.close();
    decide("approve");
    await until(() => open() === 0);
    const other = deploying(model);
    const state = await RunState.fromString(other.agent, kept);
    const result = await driveOpenAi(await program(), {
      run,
      start: () => other.runner.run(other.agent, state),
      resume: (next) => other.runner.run(other.agent, next),
    });
    assert.equal(result.finalOutput, "Done.");
    assert.deepEqual([times, other.ran], [1, [42]]);
  });

  test("a call that nobody can approve does not run, and the model reads that nothing was done", async (t) => {
    const { program } = await room(t);
    const model = await provider(t, deploys(42));
    const { agent, ran, runner } = deploying(model);
    await driveOpenAi(await program(), {
      run,
      start: () => runner.run(agent, "Deploy"),
      resume: (state) => runner.run(agent, state),
    });
    assert.deepEqual(ran, []);
    assert.match(model.read(1)[0], /nothing was done/);
  });

  test("approvals are taken back where the program gives up, and nothing runs", async (t) => {
    const { program, open } = await room(t, waiting);
    const model = await provider(t, deploys(42, 43));
    const { agent, ran, runner } = deploying(model);
    const stop = new AbortController();
    const { signal } = stop;
    const driven = driveOpenAi(await program(), {
      run,
      signal,
      start: () => runner.run(agent, "Deploy"),
      resume: (state) => runner.run(agent, state),
    });
    await until(() => open() === 2);
    stop.abort(new Error("enough"));
    await assert.rejects(driven, /enough/);
    assert.deepEqual([open(), ran, model.sent.length], [0, [], 1]);
  });
});

describe("a tool of OpenAI's SDK with which a model asks", () => {
  async function asking(/** @type {import("node:test").TestContext} */ t, /** @type {any} */ handlers) {
    const { program, open } = await room(t, handlers);
    const model = await provider(t, [{ id: "q", name: "ask_user", input: { questions: [colour] } }]);
    const ask = tool({
      name: "ask_user",
      description: "Asks the user",
      parameters: z.object({ questions: z.array(Question) }),
      execute: openAiAsk(await program(), { run }),
    });
    const agent = new Agent({ name: "Painter", model: "scripted", tools: [ask] });
    return { agent, model, open, ...runnerAt(model.url) };
  }

  test("the model reads the person's answer", async (t) => {
    const { agent, model, runner } = await asking(t, {
      question: () => ({ items: [{ question_id: "q1", selected: ["q1_o2"] }] }),
    });
    await runner.run(agent, "Paint");
    assert.deepEqual(JSON.parse(model.read(1)[0]), { answered: true, answers: { "Which colour?": "Blue" } });
  });

  test("the model reads that the person declined, and is not told to try again", async (t) => {
    const { agent, model, runner } = await asking(t, { question: () => "declined" });
    await runner.run(agent, "Paint");
    assert.match(model.read(1)[0], /closed the question/);
    assert.doesNotMatch(model.read(1)[0], /try again/);
  });

  test("an aborted run ends at once, and its question is taken back", async (t) => {
    const { agent, runner, open } = await asking(t, waiting);
    const stop = new AbortController();
    const ended = runner.run(agent, "Paint", { signal: stop.signal }).catch(() => "ended");
    await until(() => open() === 1);
    stop.abort();
    await until(() => open() === 0);
    await ended;
  });
});
