// An agent of the wire that does what a prompt says: its first word names an act below, any other is said again.
import {
  ApprovalRequest,
  createServer,
  defineTool,
  QuestionRequest,
  requireApproval,
  serveStdio,
  wireSend,
} from "@askwire/server";

const parameters = { type: "object", properties: {} };

/** Opens a request in a turn, and says its outcome with the answer. */
async function ask(turn, request) {
  wireSend(request);
  const { outcome, answer } = await request.ended();
  const { status, reason, degraded } = outcome;
  turn.say(JSON.stringify({ status, reason, degraded, answer }));
}

const write = defineTool({
  name: "Write",
  description: "Writes",
  parameters,
  async run() {
    await requireApproval({ action: "write", description: "Write it" });
    return "written";
  },
});

const build = defineTool({
  name: "Build",
  description: "Builds",
  parameters,
  async run(_params, run) {
    run.printed("one\ntwo\n");
    await requireApproval({ action: "go on", description: "Go on" });
    return "built";
  },
});

const questions = [
  {
    question: "Which database?",
    options: [{ label: "SQLite", preview: "one file" }, { label: "PostgreSQL" }],
  },
  { question: "Since when?", field: { type: "date" } },
];

const acts = {
  ask: (turn) => ask(turn, new QuestionRequest({ tool_call_id: "t1", questions })),
  deadline: (turn) =>
    ask(
      turn,
      new QuestionRequest({
        tool_call_id: "t1",
        questions: [{ question: "Go on?", options: [{ label: "Yes" }, { label: "No" }] }],
        deadline: { ms: 600_000, on_expiry: "cancel" },
      }),
    ),
  approve: (turn) =>
    ask(
      turn,
      new ApprovalRequest({
        tool_call_id: "t1",
        sender: "run",
        action: "run",
        description: "npm test",
        options: [
          { id: "once", kind: "allow" },
          { id: "program", kind: "allow", scope: { kind: "program", value: "npm" } },
          { id: "all", kind: "allow", scope: { kind: "action" } },
          { id: "no", kind: "reject" },
        ],
        for_session: "all",
        edit: { content: "npm test", language: "bash" },
      }),
    ),
  plan: (turn) =>
    ask(
      turn,
      new ApprovalRequest({
        tool_call_id: "t1",
        sender: "plan",
        action: "end planning",
        description: "The plan",
        person_only: true,
      }),
    ),
  async write(turn) {
    for (const _time of [1, 2]) turn.say((await turn.callTool(write, {})).message || "written");
  },
  async build(turn) {
    turn.say((await turn.callTool(build, {})).output);
  },
  async tool(turn, name) {
    const tool = turn.externalTools.find((tool) => tool.name === name);
    if (tool === undefined) return turn.say(`no tool ${name}`);
    turn.say(JSON.stringify(await turn.callTool(tool, { city: "Oslo" })));
  },
  async worker(turn) {
    const tool = defineTool({
      name: "Task",
      description: "Runs a worker",
      parameters,
      async run(_params, run) {
        const worker = { run: (inner) => acts.write(inner) };
        return (await run.subagent({ agent: worker, type: "worker", input: "write" })).text || "done";
      },
    });
    await turn.callTool(tool, {});
  },
  async listen(turn) {
    turn.step();
    await turn.steered();
    turn.say(`heard ${turn.takeSteers()}`);
  },
  async wait(turn) {
    turn.say("waiting");
    await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
  },
  async deaf() {
    await new Promise(() => {});
  },
  die(turn) {
    void ask(turn, new QuestionRequest({ tool_call_id: "t1", questions: [questions[0]] }));
    process.stderr.write("out of memory\n");
    setTimeout(() => process.exit(3), 50);
    return new Promise(() => {});
  },
  async flood(turn, count) {
    for (let n = 0; n < Number(count); n += 1) {
      turn.say("x".repeat(1_000));
      if (n % 64 === 0) await turn.drained();
    }
  },
  limit(turn) {
    for (;;) turn.step();
  },
  fail() {
    throw new Error("it broke");
  },
};

const agentOf = (session) => {
  const commands = [
    {
      name: "plan",
      description: "Plan mode on or off",
      run: async (_turn, args) => {
        session.planMode = args === "on";
      },
    },
  ];
  return {
    commands,
    async run(turn) {
      const [act, ...rest] = String(turn.input).split(" ");
      if (Object.hasOwn(acts, act)) return await acts[act](turn, rest.join(" "));
      if (act === "learn") {
        commands.push({ name: rest[0], description: "New", run: async (turn) => turn.say(`ran ${rest[0]}`) });
        return session.commandsChanged();
      }
      turn.say(`You said: ${turn.input}${session.planMode ? " (plan mode)" : ""}`);
    },
  };
};

await serveStdio(createServer({ agent: agentOf, maxStepsPerTurn: 3, rawErrors: true }));
