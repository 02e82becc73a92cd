// @ts-check
// Tests of an agent, a tool and a client, with the test runner of Node: node --test test-your-agent.test.mjs
import assert from "node:assert/strict";
import { test } from "node:test";
// #region agent
import { testAgent } from "@askwire/server/testing";

/** @type {import("@askwire/server").Agent} */
const agent = {
  async run(turn) {
    const { answer } = await turn.ask("Which database?", ["SQLite", "PostgreSQL"]);
    if (answer === undefined) return turn.say("Without a database, then.");
    const { approved } = await turn.approve({ action: "install", description: `Install ${answer}` });
    turn.say(approved ? `I installed ${answer}.` : "I installed nothing.");
  },
};

test("the agent installs what the person chose, once it may", async () => {
  const { status, text, asked } = await testAgent(agent)
    .prompt("Set up a database")
    .answers({ "Which database?": "SQLite" })
    .approves("approve");
  assert.equal(status, "finished");
  assert.equal(text, "I installed SQLite.");
  assert.deepEqual(
    asked.map(({ kind, outcome }) => `${kind} ${outcome?.status}`),
    ["question answered", "approval answered"],
  );
});

test("the agent goes on without an answer", async () => {
  const { text } = await testAgent(agent).prompt("Set up a database").declines();
  assert.equal(text, "Without a database, then.");
});

// #endregion agent

// #region deadline
import { drivenClock } from "@askwire/server/testing";

test("the agent takes the default when nobody answers in time", async () => {
  const clock = drivenClock();
  /** @type {import("@askwire/server").Agent} */
  const hurried = {
    async run(turn) {
      const { answer } = await turn.ask(
        { question: "Proceed?", options: [{ id: "yes", label: "Yes" }], default: ["yes"] },
        { deadline: { ms: 60_000, on_expiry: "default" } },
      );
      turn.say(`${answer}`);
    },
  };
  const { text, asked } = await testAgent(hurried, { clock })
    .prompt("go")
    .answers({ "Proceed?": () => clock.advance(60_000) });
  assert.equal(text, "yes");
  assert.equal(asked[0]?.outcome?.status, "expired");
});

// #endregion deadline

// #region tool
import { ask, defineTool } from "@askwire/server";
import * as z from "zod";

const rename = defineTool({
  name: "rename",
  description: "Renames a branch.",
  parameters: z.object({ branch: z.string() }),
  async run({ branch }) {
    const asked = await ask(`A new name for ${branch}?`);
    return asked.answer === undefined ? asked.toolError : `${branch} is now ${asked.answer}`;
  },
});

/** @type {import("@askwire/server").Agent} */
const caller = { run: async (turn) => void (await turn.callTool(rename, { branch: "main" })) };

test("the tool gives the branch the name that the person typed", async () => {
  const { tools } = await testAgent(caller).prompt("go").answers({ "A new name for main?": "trunk" });
  assert.equal(tools[0]?.result?.output, "main is now trunk");
});

test("the tool tells the model that nobody is there to name the branch", async () => {
  const { tools } = await testAgent(caller).prompt("go").nobody();
  assert.equal(tools[0]?.result?.is_error, true);
});

// #endregion tool

// #region client
import { connect } from "@askwire/client";
import { scriptedServer } from "@askwire/client/testing";

test("the client sends an answer again whose connection was lost", async () => {
  const server = scriptedServer();
  const session = await connect(server.dial, {
    handlers: {
      question: ({ questions }) => ({ answers: { [`${questions[0]?.question}`]: "SQLite" } }),
    },
  });
  server.dropAtAnswer("before");
  const id = server.ask({ question: "Which database?", options: [{ label: "SQLite" }] });

  const answer = await server.taken(id);
  assert.deepEqual(answer.said.items, [{ question_id: "q1", selected: ["q1_o1"] }]);
  assert.deepEqual(
    server.answers().map(({ became }) => became),
    ["lost", "taken"],
  );
  await session.close();
});
// #endregion client
