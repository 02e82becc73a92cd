import fc from "fast-check";
import { expect, test } from "vitest";
import { connect } from "../src/index.js";
import { dialable, type ExtendedLine, fakeTiming, greeting, outcome } from "./extended-server.js";

/** What the server does next, or what happens to the connection. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.constant("event" as const) },
  { weight: 3, arbitrary: fc.constant("ask" as const) },
  { weight: 3, arbitrary: fc.constant("call" as const) },
  { weight: 2, arbitrary: fc.constant("settle" as const) },
  { weight: 3, arbitrary: fc.constant("cut" as const) },
  { weight: 1, arbitrary: fc.constant("cut unheard" as const) },
  { weight: 1, arbitrary: fc.constant("repeat" as const) },
  { weight: 1, arbitrary: fc.constant("lose an event" as const) },
  { weight: 2, arbitrary: fc.constant("pause" as const) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

interface Recorded {
  readonly type: string;
  readonly payload: object;
}

/** A server that keeps its events and what is open, as the extended profile has it, and a client that is cut off from it. */
async function run(steps: readonly Step[]) {
  const { dial, nextLine } = dialable();
  const time = fakeTiming();
  const log: Recorded[] = [];
  const open = new Map<string, { type: string; payload: { id: string; n: number } }>();
  const answers = new Map<string, Set<string>>();
  const settled = new Set<string>();
  const results = new Map<string, Set<string>>();
  const seen: unknown[] = [];
  const shown: string[] = [];
  const runs: string[] = [];
  let dialing: Promise<ExtendedLine> | undefined;
  const connected = connect(dial, {
    timing: time.timing,
    handlers: {
      event: ({ payload }) => void seen.push((payload as { n?: number }).n),
      async question({ id }) {
        shown.push(id);
        await null;
        return { items: [{ question_id: "q1", selected: ["q1_o1"] }] };
      },
    },
    tools: [
      {
        name: "T",
        description: "",
        parameters: {},
        async run(args) {
          runs.push(String(args.n));
          await null;
          return `result ${runs.length}`;
        },
      },
    ],
  });
  let line: ExtendedLine;

  type Asked = { type: string; payload: { id: string; n: number } };
  function request({ type, payload }: Asked, seq?: number): void {
    const params = { type, payload, ...(seq !== undefined && { seq }) };
    const isEvent = type === "QuestionRequest";
    line.send(isEvent ? { method: "event", params } : { method: "request", id: payload.id, params });
  }
  /** A request that is open is told whole, a call to its one client without a number; what is settled in short. */
  function tell(seq: number): void {
    const { type, payload } = log[seq - 1] as Recorded;
    const { id, n } = payload as { id?: string; n: number };
    const opened = { request_id: id, kind: type === "QuestionRequest" ? "question" : "tool_call", n };
    if (id === undefined) line.send({ method: "event", params: { type, payload, seq } });
    else if (type === "QuestionRequest" && open.has(id)) request({ type, payload } as Asked, seq);
    else line.send({ method: "event", params: { type: "InteractionOpened", payload: opened, seq } });
  }
  function append(type: string, payload: object, lost = false): void {
    log.push({ type, payload });
    if (!lost) tell(log.length);
  }
  function settle(id: string): void {
    if (!open.delete(id)) return;
    settled.add(id);
    append("InteractionSettled", { request_id: id, kind: "question", outcome, n: log.length + 1 });
  }

  /** Does what the client says, until it has nothing more to say. `deaf`: it all got lost on its way. */
  async function listen(deaf = false): Promise<void> {
    for (;;) {
      line.send({ method: "request", id: "settled", params: { type: "Settled", payload: {} } });
      let said = 0;
      for (;;) {
        const message = await Promise.race([line.next(), line.closed]);
        // A client that has noticed a hole stops speaking.
        if (message === undefined) return;
        if (message.id === "settled") break;
        said += 1;
        if (!deaf) hear(message);
      }
      if (said === 0) return;
    }
  }
  function hear({ id, method, params, ...reply }: Awaited<ReturnType<ExtendedLine["next"]>>): void {
    if (method === "answer") {
      const { request_id, answer_id } = params as { request_id?: string; answer_id?: string };
      const key = String(request_id);
      answers.set(key, (answers.get(key) ?? new Set()).add(String(answer_id)));
      settle(key);
      line.reply(id, { outcome });
    } else if (method === undefined && id.startsWith("call")) {
      results.set(id, (results.get(id) ?? new Set()).add(JSON.stringify(reply)));
      settle(id);
    }
  }

  async function attach(): Promise<void> {
    dialing ??= nextLine();
    line = await dialing;
    dialing = undefined;
    const { id, params } = await line.next();
    const { after_seq = 0 } = (params.session ?? {}) as { after_seq?: number };
    line.reply(id, greeting({ seq: log.length, pending: [...open.keys()] }));
    for (let seq = after_seq + 1; seq <= log.length; seq++) tell(seq);
    for (const one of open.values()) if (one.type === "ToolCallRequest") request(one);
  }
  await attach();
  const session = await connected;
  async function cut(): Promise<void> {
    await line.cut();
    await back();
  }
  /** The client comes back when it has noticed, which it may have by itself. */
  async function back(): Promise<void> {
    while (session.connection !== "lost") await new Promise(setImmediate);
    time.fire();
    await attach();
    while (session.connection === "lost") await new Promise(setImmediate);
  }

  let made = 0;
  for (const step of steps) {
    if (session.connection === "lost") await back();
    made += 1;
    if (step === "event") append("StepBegin", { n: log.length + 1 });
    else if (step === "ask") {
      const payload = { id: `ask-${made}`, tool_call_id: "t", questions: [asking], n: log.length + 1 };
      open.set(payload.id, { type: "QuestionRequest", payload });
      append("QuestionRequest", payload);
    } else if (step === "call") {
      const id = `call-${made}`;
      const payload = { id, request_id: id, name: "T", arguments: `{"n":"${id}"}`, n: log.length + 1 };
      open.set(id, { type: "ToolCallRequest", payload });
      log.push({ type: "ToolCallRequest", payload });
      request({ type: "ToolCallRequest", payload }, log.length);
    } else if (step === "settle") settle([...open.keys()][0] ?? "");
    else if (step === "cut") await cut();
    else if (step === "cut unheard") {
      await listen(true);
      await cut();
    } else if (step === "repeat" && log.length > 0) tell(1 + (made % log.length));
    else if (step === "lose an event") append("StepBegin", { n: log.length + 1 }, true);
    else if (step === "pause") {
      await listen();
    }
  }
  for (let turns = 0; turns < 3; turns++) await new Promise(setImmediate);
  append("StepBegin", { n: log.length + 1 });
  for (let turns = 0; turns < 3; turns++) await new Promise(setImmediate);
  if (session.connection === "lost") await back();
  await listen();
  await session.close();
  return { log, open, answers, results, seen, shown, runs, waits: time.waits() };
}

const asking = { question: "Which?", options: [{ label: "A" }, { label: "B" }] };

test("whatever is cut, lost or repeated: each event is seen once, each answer is one, each call is run once", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const { log, open, answers, results, seen, shown, runs, waits } = await run(steps);
      const events = log.flatMap(({ type }, index) => (type.endsWith("Request") ? [] : [index + 1]));
      expect(seen.filter((n) => events.includes(n as number))).toEqual(events);
      expect(seen).toEqual([...new Set(seen)]);
      for (const [id, ids] of answers) expect([id, ids.size]).toEqual([id, 1]);
      for (const [id, said] of results) expect([id, said.size]).toEqual([id, 1]);
      expect(new Set(shown).size).toBe(shown.length);
      expect(new Set(runs).size).toBe(runs.length);
      expect([[...open.keys()], waits]).toEqual([[], []]);
    }),
    { numRuns: 150 },
  );
});
