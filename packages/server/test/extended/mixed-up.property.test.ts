import { linkedPair } from "@askwire/protocol/testing";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type AnyInteraction, wireSend } from "../../src/index.js";
import { ExternalToolCall } from "../../src/requests/external-tool-call.js";
import { servedSession } from "../../src/session/served-session.js";
import { drivenClock } from "../driven-clock.js";
import { type Message, rawClient } from "../raw-client.js";
import { scenario } from "../scenario.js";
import { until } from "../until.js";
import {
  type Attached,
  approval,
  attached,
  everything,
  extended,
  items,
  question,
  type Told,
} from "./extended-client.js";

const ids = ["a", "b", "c"].map((letter) => `${letter.repeat(8)}-0000-4000-8000-000000000000`);
const graceMs = 30_000;

/** What the agent asks in the next turn: a question, with or without a deadline, an approval, or a tool of the first client. */
const asked = fc.constantFrom("question", "deadline", "approval", "tool");
const who = fc.nat({ max: ids.length - 1 });
const nth = fc.nat({ max: 3 });

/** What may happen; most of it by one of three clients. */
const commands = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ does: fc.constant("join" as const), who }) },
    { weight: 2, arbitrary: fc.record({ does: fc.constant("leave" as const), who }) },
    {
      weight: 3,
      arbitrary: fc.record({
        does: fc.constant("prompt" as const),
        who,
        turn: fc.nat({ max: 2 }),
        asks: fc.array(asked, { minLength: 1, maxLength: 3 }),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ does: fc.constantFrom("answer" as const, "decline" as const), who, nth }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        does: fc.constantFrom("touch" as const, "wrong" as const, "cannot" as const, "base words" as const),
        who,
        nth,
      }),
    },
    { weight: 1, arbitrary: fc.record({ does: fc.constant("cancel" as const), who }) },
    { weight: 2, arbitrary: fc.record({ does: fc.constant("stall" as const), who }) },
    { weight: 2, arbitrary: fc.record({ does: fc.constant("read" as const), who }) },
    {
      weight: 2,
      arbitrary: fc.record({ does: fc.constant("say" as const), parts: fc.integer({ min: 1, max: 4 }) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        does: fc.constant("wait" as const),
        ms: fc.constantFrom(1, 14_000, 30_000, 61_000),
      }),
    },
  ),
  { minLength: 5, maxLength: 50, size: "max" },
);
type Command = typeof commands extends fc.Arbitrary<(infer C)[]> ? C : never;

/** One of the three, over all its connections. */
interface Client {
  readonly client_id: string;
  connection: ReturnType<typeof extended> | undefined;
  found: Attached | undefined;
  /** Each message that it was sent under a number. */
  told: Told[];
  /** What it knows of the session by that. */
  state: string;
  readonly open: Set<string>;
  /** The questions and approvals that it was sent whole under their number. */
  readonly has: Set<string>;
  /** What waits until it reads again, if it does not. */
  stalled: (() => void)[] | undefined;
}

function world() {
  const clock = drivenClock();
  const requests: AnyInteraction[] = [];
  const settled = new Map<string, unknown>();
  let asks: readonly string[] = [];
  const run = async () => {
    const opened = asks.map((kind) => {
      if (kind === "tool") {
        const recipientId = `client:${ids[0]}`;
        return new ExternalToolCall({ recipientId, tool_call_id: "tc-1", name: "Weather", arguments: "{}" });
      }
      if (kind === "approval") return approval(`action ${requests.length}`);
      return question(kind === "deadline" ? { deadline: { ms: 60_000, on_expiry: "cancel" } } : {});
    });
    requests.push(...opened);
    for (const request of opened) wireSend(request);
    await Promise.allSettled(opened.map((request) => Promise.resolve<unknown>(request.wait())));
  };
  const set = scenario([], { run, clock });
  const session = set.server.createSession();
  const clients: Client[] = ids.map((client_id) => ({
    client_id,
    connection: undefined,
    found: undefined,
    told: [],
    state: "idle",
    open: new Set(),
    has: new Set(),
    stalled: undefined,
  }));
  /** Every message by its number, as the first that was sent it saw it; of the opening of a request, its id. */
  const events = new Map<number, string | Message>();

  /** Looks at what has come on every connection, and takes note of it. */
  function look(client: Client, from: number): number {
    const { connection } = client;
    if (connection === undefined) return from;
    for (const message of connection.received.slice(from)) note(client, message);
    return connection.received.length;
  }

  function note(client: Client, message: Message): void {
    const { method, params } = message;
    if (method !== "event" && method !== "request") return;
    const { seq, type, payload, state } = params as unknown as Told & { state?: string };
    const opened = type === "InteractionOpened" || type.endsWith("Request");
    const id = String(payload.request_id ?? payload.id);
    const isWhole = type === "QuestionRequest" || type === "ApprovalRequest";
    if (opened) expect(servedSession(session).core.knows(id)).toBe(true);
    if (seq === undefined) {
      expect([opened, type, client.has.has(id)]).toEqual([
        true,
        type.replace("InteractionOpened", ""),
        false,
      ]);
      return;
    }
    // A reply that stands for an event has its members in an order of its own.
    const what = opened ? `${id} ${state}` : message;
    expect(events.get(seq) ?? what).toEqual(what);
    events.set(seq, what);
    const last = client.told.at(-1)?.seq ?? client.found?.seq;
    expect(seq).toBe((last as number) + 1);
    client.told.push({ seq, type, payload });
    if (state !== undefined) {
      expect(state).not.toBe(client.state);
      client.state = state;
    }
    if (opened) client.open.add(id);
    if (isWhole) client.has.add(id);
    if (type !== "InteractionSettled") return;
    const { request_id, outcome } = payload as { request_id: string; outcome: unknown };
    client.open.delete(request_id);
    expect(settled.get(request_id) ?? outcome).toEqual(outcome);
    settled.set(request_id, outcome);
  }

  const marks = new Map<Client, number>();
  async function quiet(): Promise<void> {
    for (let round = 0; round < 3; round += 1) {
      for (const client of clients) {
        if (client.connection !== undefined && !client.connection.isClosed) await client.connection.settled();
      }
    }
    for (const client of clients) marks.set(client, look(client, marks.get(client) ?? 0));
  }

  async function join(client: Client): Promise<void> {
    const last = client.told.at(-1)?.seq;
    const { left, right } = linkedPair();
    const drained = () =>
      new Promise<void>((resolve) => {
        if (client.stalled === undefined) resolve();
        else client.stalled.push(resolve);
      });
    set.server.connect({ ...left, drained }, { session, graceMs });
    const connection = extended(rawClient(right));
    const leftOff = client.found && {
      id: session.id,
      stream: client.found.stream,
      after_seq: last ?? client.found.seq,
    };
    const said = {
      shows: { ...everything, client_id: client.client_id },
      ...(leftOff !== undefined && { session: leftOff }),
    };
    const found = attached(await connection.introduce(said));
    expect(found.reset).toBe(false);
    client.connection = connection;
    if (client.found === undefined) {
      client.found = found;
      client.state = found.state;
      for (const id of found.pending) client.open.add(id);
    }
    marks.set(client, 0);
    // What only this client was waited for may be settled by its coming.
    expect(found.pending).toEqual(expect.arrayContaining(pendingNow()));
  }

  const pendingNow = () => session.pending.map(({ id }) => id);

  function readOn(client: Client): void {
    const waiting = client.stalled ?? [];
    client.stalled = undefined;
    for (const resume of waiting) resume();
  }

  async function act(command: Command): Promise<void> {
    if (command.does === "wait") return clock.advance(command.ms);
    if (command.does === "say") {
      const event = { type: "ContentPart", payload: { type: "text", text: "x".repeat(20_000) } } as const;
      for (let part = 0; part < command.parts; part += 1) session.broadcast(event);
      return;
    }
    const client = clients[command.who] as Client;
    const { connection } = client;
    if (command.does === "join") return join(client);
    if (command.does === "stall") {
      client.stalled ??= [];
      return;
    }
    if (command.does === "read") return readOn(client);
    if (connection === undefined || connection.isClosed) return;
    if (command.does === "leave") {
      connection.close();
      return;
    }
    if (command.does === "cancel") return void (await connection.call("cancel"));
    if (command.does === "prompt") {
      if (!session.running) asks = command.asks;
      void connection.call("prompt", { user_input: "go", turn_id: `t${command.turn}` });
      return;
    }
    const id = pendingNow()[command.nth] ?? requests.at(-1)?.id ?? "nothing";
    const request = requests.find((one) => one.id === id);
    const here = connection.received.find(
      ({ params }) =>
        params?.type?.endsWith("Request") && [params.payload.id, params.payload.request_id].includes(id),
    );
    const right = request?.kind === "approval" ? { response: "approve" } : { items };
    if (command.does === "answer") await connection.answer({ id }, right);
    if (command.does === "decline") await connection.answer({ id }, { outcome: { status: "declined" } });
    if (command.does === "wrong") await connection.answer({ id }, { items: [], response: "approve" });
    if (command.does === "touch") await connection.call("touch", { request_id: id });
    if (here === undefined) return;
    if (request?.kind === "tool_call") {
      const return_value = { is_error: false, output: "sunny", message: "", display: [], extras: null };
      return connection.reply(here, { tool_call_id: here.id, return_value });
    }
    if (command.does === "cannot") {
      await connection.call("release", { request_id: id, reason: "unsupported", message: "cannot" });
    }
    if (command.does === "base words") connection.reply({ id }, { request_id: id, answers: {} });
  }

  return { pendingNow, ...set, session, clock, clients, requests, settled, act, quiet, readOn };
}

test("whatever three clients do, each request is settled once, each event is told once and in order, and nothing is left (P-INT-2, P-XAT-3, P-XAT-5, P-XST-1, P-XST-2, P-XTR-2)", async () => {
  await fc.assert(
    fc.asyncProperty(commands, async (chosen) => {
      const { act, quiet, readOn, pendingNow, session, clients, requests, settled, server, clock } = world();
      for (const command of chosen) {
        await act(command);
        await quiet();
        for (const { connection, told, state, open } of clients) {
          // One that does not read is told later.
          if (told.at(-1)?.seq !== servedSession(session).eventLog.seq) continue;
          if (connection === undefined || connection.isClosed) continue;
          expect([state, [...open]]).toEqual([session.state, pendingNow()]);
        }
      }
      for (const client of clients) readOn(client);
      await quiet();
      const here = clients.filter(({ connection }) => connection !== undefined && !connection.isClosed);
      await session.close();
      for (const { connection } of clients)
        await until(() => connection === undefined || connection.isClosed);
      await quiet();
      for (const { id, outcome } of requests) {
        expect(outcome).toBeDefined();
        if (settled.has(id)) expect(JSON.parse(JSON.stringify(outcome))).toEqual(settled.get(id));
      }
      for (const { told, open } of here) {
        const ended = told
          .filter(({ type }) => type === "InteractionSettled")
          .map(({ payload }) => payload.request_id);
        expect(new Set(ended).size).toBe(ended.length);
        expect([...open]).toEqual([]);
      }
      expect([session.pending.length, session.running]).toEqual([0, false]);
      await server.close();
      await new Promise((resolve) => setImmediate(resolve));
      expect(clock.waiting).toBe(0);
    }),
    { numRuns: 40 },
  );
});
