import { describe, expect, expectTypeOf, test } from "vitest";
import * as z from "zod/mini";
import { modelAgent, scriptedModel } from "../../agent/src/index.js";
import { kimi } from "../../dialects/src/index.js";
import { type Agent, type AgentSession, defineTool, type Turn } from "../src/index.js";
import { drivenClock, type RunResult, testAgent, UnforeseenRequest } from "../src/testing.js";
import { asks, colour } from "./scenario.js";

/** An agent that asks one question and says the answer. */
const asking: Agent = {
  async run(turn) {
    const { answer, outcome } = await turn.ask("Which database?", ["SQLite", "PostgreSQL"]);
    turn.say(answer ?? outcome.status);
  },
};

/** An agent that wants to act, and says whether it may. */
const acting: Agent = {
  async run(turn) {
    const asked = await turn.approve({ action: "delete", description: "Delete the build folder" });
    turn.say(asked.approved ? "deleted" : `kept: ${asked.feedback}`);
  },
};

const agentOf = (run: (turn: Turn) => unknown): Agent => ({ run: async (turn) => void (await run(turn)) });

describe("a script that answers questions", () => {
  test("a run ends with its status, its text, and what was asked and answered", async () => {
    const result = await testAgent(asking).prompt("Set up").answers({ "Which database?": "SQLite" });
    expect(result).toMatchObject({ status: "finished", error: undefined, text: "SQLite", tools: [] });
    expect(result.asked).toMatchObject([
      {
        kind: "question",
        questions: [{ question: "Which database?", options: [{ label: "SQLite" }, { label: "PostgreSQL" }] }],
        answer: { "Which database?": "SQLite" },
        outcome: { status: "answered", by: "human", client: { name: "test" } },
      },
    ]);
    expect(result.events.map(({ type }) => type)).toEqual([
      "TurnBegin",
      "QuestionRequest",
      "ContentPart",
      "TurnEnd",
    ]);
    expectTypeOf(result).toEqualTypeOf<RunResult>();
  });

  const kinds = {
    number: { question: "How many?", field: { type: "integer" } },
    yes: { question: "Sure?", field: { type: "boolean" } },
    several: { question: "Which ones?", options: ["A", "B", "C"], multi_select: true },
    named: { question: "Where?", options: [{ id: "eu", label: "Europe" }], own_text: false },
    noted: { question: "When?", options: ["Now", "Later"] },
    words: "Anything else?",
  } as const;

  test("each kind of answer reaches the agent as the value that its question asks for", async () => {
    let answer: unknown;
    const agent = agentOf(async (turn) => {
      ({ answer } = await turn.ask(kinds));
    });
    const { asked } = await testAgent(agent)
      .prompt("go")
      .answers({
        number: 3,
        "Sure?": true,
        several: ["A", "C", "and D"],
        named: "eu",
        noted: { selected: ["Later"], note: "on Monday" },
        words: "no",
      });
    expect(answer).toEqual({
      number: 3,
      yes: true,
      several: ["A", "C", "and D"],
      named: "eu",
      noted: "Later",
      words: "no",
    });
    expect(asked[0]?.answer).toMatchObject({ "Which ones?": "A, C, and D", "Where?": "Europe" });
  });

  test("a function is given each question, and the next part of the script those that it has no word on", async () => {
    const { text } = await testAgent(asking)
      .prompt("Set up")
      .answers(({ options }) => (options.length > 2 ? "too many" : undefined))
      .answers({ "Which database?": async ({ options }) => options[1]?.label });
    expect(text).toBe("PostgreSQL");
  });

  test("a declined question ends with the person's words", async () => {
    const { text, asked } = await testAgent(asking)
      .prompt("Set up")
      .answers({ "Which framework?": "none" })
      .declines({ declined: "discuss", note: "Why a database?" });
    expect(text).toBe("declined");
    expect(asked[0]).toMatchObject({
      answer: undefined,
      outcome: { status: "declined", reason: "discuss", note: "Why a database?" },
    });
  });

  test("a prompt of the same test finds what the agent remembers of the one before", async () => {
    const said: unknown[] = [];
    const tested = testAgent(agentOf((turn) => said.push(turn.input) && turn.say(said.join(" "))));
    await tested.prompt("one");
    expect((await tested.prompt("two")).text).toBe("one two");
    await tested.close();
    await expect(tested.prompt("three")).rejects.toThrow("the session is closed");
  });
});

describe("a script that answers approvals", () => {
  test.each([
    ["approve", "deleted"],
    ["reject", "kept: "],
    [{ response: "reject", feedback: "I need it" }, "kept: I need it"],
    [{ declined: "dismissed" }, "kept: "],
    [() => "approve", "deleted"],
  ] as const)("the answer %j makes the agent say %j", async (answer, said) => {
    const { text, asked } = await testAgent(acting).prompt("Clean").approves(answer);
    expect(text).toBe(said);
    expect(asked).toMatchObject([{ kind: "approval", approval: { description: "Delete the build folder" } }]);
  });

  const choosing = agentOf(async (turn) => {
    const asked = await turn.approve({
      action: "write",
      description: "Write the file",
      options: [
        { id: "once", kind: "allow" },
        { id: "always", kind: "allow", scope: { kind: "action" } },
        { id: "no", kind: "reject" },
      ],
      edit: { content: "draft" },
    });
    turn.say(asked.approved ? `${asked.option} ${asked.edited}` : "refused");
  });

  test.each([
    ["approve", "once undefined"],
    ["reject", "refused"],
    [{ option: "always", edited: "better" }, "always better"],
  ] as const)(
    "the answer %j to an approval with its own options makes the agent say %j",
    async (answer, said) => {
      expect((await testAgent(choosing).prompt("go").approves(answer)).text).toBe(said);
    },
  );

  test("a kind that stands for no option fails with the ids of the options", async () => {
    await expect(testAgent(choosing).prompt("go").approves("approve_for_session")).rejects.toThrow(
      '"approve_for_session" is no one option of "Write the file": script {option} with one of "once", "always", "no"',
    );
  });
});

describe("a run that goes wrong", () => {
  test("a question that nobody foresaw fails the run at once, and the next prompt runs", async () => {
    const tested = testAgent(asking);
    const run = tested.prompt("Set up").answers({ "Which framework?": "none" }).approves();
    await expect(run).rejects.toThrow(UnforeseenRequest);
    await expect(run).rejects.toThrow(
      'the script does not foresee the question "Which database?" ("SQLite", "PostgreSQL"). ' +
        'Scripted: answers to "Which framework?"; "approve" for each approval.',
    );
    expect((await tested.prompt("Set up").declines()).text).toBe("declined");
  });

  test("an approval that nobody foresaw fails the run with its action", async () => {
    await expect(testAgent(acting).prompt("Clean")).rejects.toThrow(
      'the script does not foresee the approval "Delete the build folder" (delete). Nothing is scripted.',
    );
  });

  test("an answer that the question does not take fails the run with the reason", async () => {
    const agent = agentOf((turn) => turn.ask({ question: "Which?", options: ["A"], own_text: false }));
    await expect(testAgent(agent).prompt("go").answers({ "Which?": "B" })).rejects.toThrow(
      /the scripted answer to the question "Which\?" \("A"\) was refused: ./,
    );
  });

  test("a run that waits for a reply which never comes fails with the question that is open", async () => {
    const run = testAgent(asking, { timeoutMs: 50 })
      .prompt("Set up")
      .answers(() => new Promise<string>(() => {}));
    await expect(run).rejects.toMatchObject({
      code: "TIMEOUT",
      message: 'the run did not end within 50 ms: the script has not answered "Which database?"',
    });
  });

  test("a run that waits for a clock which nobody advances says so", async () => {
    const agent = agentOf((turn) => turn.ask("Now?", { deadline: { ms: 60_000, on_expiry: "cancel" } }));
    const run = testAgent(agent, { clock: drivenClock(), timeoutMs: 50 })
      .prompt("go")
      .answers(() => new Promise<string>(() => {}));
    await expect(run).rejects.toThrow(/has not answered "Now\?", and the clock has timers \(\d+\) that wait/);
  });

  test("an agent that never ends fails the run with the last event", async () => {
    const run = testAgent(
      agentOf(() => new Promise(() => {})),
      { timeoutMs: 50 },
    ).prompt("go");
    await expect(run).rejects.toThrow("no question is open, and the last event was TurnBegin");
  });

  test("an exception of the script or of a listener is that of the run", async () => {
    const broken = (): never => {
      throw new RangeError("mine");
    };
    await expect(testAgent(asking).prompt("go").answers(broken)).rejects.toThrow(RangeError);
    await expect(testAgent(asking).prompt("go").hears(broken)).rejects.toThrow(RangeError);
  });

  test("an agent that fails ends the run as failed, with the message of its exception", async () => {
    const agent = agentOf(() => {
      throw new Error("no such file");
    });
    const { status, error } = await testAgent(agent).prompt("go");
    expect(status).toBe("failed");
    expect(error?.message).toContain("no such file");
  });
});

describe("time, tools, and nobody", () => {
  test("a deadline passes when the clock of the test does", async () => {
    const clock = drivenClock();
    const agent = agentOf(async (turn) => {
      const { outcome } = await turn.ask("Now?", { deadline: { ms: 60_000, on_expiry: "cancel" } });
      turn.say(outcome.status);
    });
    const { text, asked } = await testAgent(agent, { clock })
      .prompt("go")
      .answers({ "Now?": () => clock.advance(60_000) });
    expect(text).toBe("expired");
    expect(asked[0]?.outcome).toMatchObject({ reason: "deadline", by: "timer" });
  });

  test("a clock that is advanced runs timers in order, also those that timers set", () => {
    const clock = drivenClock();
    const ran: string[] = [];
    clock.after(20, () => ran.push(`second at ${clock.now()}`));
    clock.after(10, () => clock.after(5, () => ran.push(`first at ${clock.now()}`)));
    const cancel = clock.after(12, () => ran.push("never"));
    cancel();
    clock.advance(20);
    expect(ran).toEqual(["first at 15", "second at 20"]);
    expect(clock.now()).toBe(20);
    expect(clock.waiting).toBe(0);
  });

  test("a turn that is cancelled at a question ends as cancelled, and the question as withdrawn", async () => {
    const run = testAgent(asking).prompt("Set up");
    const { status, asked } = await run.answers(() => run.cancel());
    expect(status).toBe("cancelled");
    expect(asked[0]?.outcome).toMatchObject({ status: "withdrawn", reason: "interrupted" });
  });

  test("a turn that is cancelled in the middle of its text ends as cancelled", async () => {
    const agent = agentOf((turn) => {
      turn.say("one");
      return new Promise(() => {});
    });
    const run = testAgent(agent).prompt("go");
    const { status, text } = await run.hears(({ type }) => {
      if (type === "ContentPart") void run.cancel();
    });
    expect({ status, text }).toEqual({ status: "cancelled", text: "one" });
  });

  test("without a client that shows questions, each ends as unavailable", async () => {
    const seen: boolean[] = [];
    const agent = agentOf(async (turn) => {
      seen.push(turn.offer.canAsk);
      turn.say((await turn.ask("Now?")).outcome.status);
      turn.say((await turn.approve({ action: "a", description: "b" })).outcome.status);
    });
    const { text, asked } = await testAgent(agent).prompt("go").nobody();
    expect(text).toBe("unavailableunavailable");
    expect(seen).toEqual([false]);
    const outcome = { status: "unavailable", reason: "unsupported" };
    expect(asked).toMatchObject([{ kind: "approval", outcome }]);
  });

  test("a model that asks by the tool of its dialect is answered, and its call has arguments and result", async () => {
    const model = scriptedModel([asks(), "text: Painted."]);
    const agent = ({ history }: AgentSession) => modelAgent({ model, history });
    const { text, tools, asked } = await testAgent(agent, { dialects: [kimi()] })
      .prompt("Paint it")
      .answers({ [colour.question]: "Blue" });
    expect(text).toBe("Painted.");
    expect(asked[0]?.answer).toEqual({ [colour.question]: "Blue" });
    expect(tools).toMatchObject([
      { name: "AskUserQuestion", arguments: { questions: [colour] }, result: { is_error: false } },
    ]);
  });

  test("a tool is run by an agent of one line, and its arguments and result are in the run", async () => {
    const weather = defineTool({
      name: "weather",
      description: "Tells the weather",
      parameters: z.object({ city: z.string() }),
      run: ({ city }) => `Rain in ${city}`,
    });
    const { tools } = await testAgent(agentOf((turn) => turn.callTool(weather, { city: "Oslo" }))).prompt(
      "go",
    );
    expect(tools).toMatchObject([
      { name: "weather", arguments: { city: "Oslo" }, result: { is_error: false, output: "Rain in Oslo" } },
    ]);
  });
});
