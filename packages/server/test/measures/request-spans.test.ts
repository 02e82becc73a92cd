import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ask, type ServerObserver } from "../../src/index.js";
import { type RequestTracer, requestSpans } from "../../src/traces.js";
import { id } from "../durable/crashing.js";
import { items, meetExtended, order } from "../extended/extended-client.js";
import { MemoryStore } from "../memory-store.js";
import { scenario } from "../scenario.js";
import { WORK_DIR } from "../stores.js";

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const tracer = provider.getTracer("test");

beforeAll(() => provider.register());
beforeEach(() => exporter.reset());
afterAll(() => provider.shutdown());

/** An agent whose turn is a span, in which it asks. */
const agent = {
  resumes: true,
  run: () =>
    tracer.startActiveSpan("agent turn", async (span) => {
      await ask("Which secret colour?", ["Red", "Blue"]).finally(() => span.end());
    }),
};

/** The ended spans of requests. */
const spans = () => exporter.getFinishedSpans().filter(({ name }) => name === "askwire.ask");

describe("spans of requests, by the SDK of OpenTelemetry", () => {
  test("a question's span is below the agent's own, in its trace, from its opening to its answer, without a text", async () => {
    const set = scenario([], { agent, observe: [requestSpans(tracer)] });
    const { client } = await set.meet();
    const { asked, prompt } = await client.begin("QuestionRequest");
    expect(spans()).toEqual([]);
    client.reply(asked, { request_id: asked.id, answers: { "Which secret colour?": "Red" } });
    await prompt;
    const [span, ...more] = spans();
    const turn = exporter.getFinishedSpans().find(({ name }) => name === "agent turn");
    expect(more).toEqual([]);
    expect(span?.spanContext().traceId).toBe(turn?.spanContext().traceId);
    expect(span?.parentSpanContext?.spanId).toBe(turn?.spanContext().spanId);
    expect(span?.attributes).toEqual({
      "askwire.request.kind": "question",
      "askwire.request.restored": false,
      "askwire.outcome.status": "answered",
      "askwire.outcome.by": "person",
    });
    expect(span?.events).toEqual([]);
  });

  test("a question that nobody is asked has a span that is below the agent's too, with the reason", async () => {
    const set = scenario([], { agent, observe: [requestSpans(tracer)] });
    const { client } = await set.meet({}, {});
    await client.call("prompt", { user_input: "go" });
    expect(spans()[0]?.parentSpanContext).toBeDefined();
    expect(spans().map(({ attributes }) => attributes)).toEqual([
      expect.objectContaining({
        "askwire.outcome.status": "unavailable",
        "askwire.outcome.reason": "unsupported",
        "askwire.outcome.by": "server",
      }),
    ]);
  });

  test("what connected programs ask has a span without a parent, each its own", async () => {
    const set = scenario([], { attendance: "hold", observe: [requestSpans(tracer)] });
    const session = set.server.createSession();
    const { client } = await meetExtended(set, { session });
    for (const key of ["k1", "k2"])
      await client.call("ask", { key, questions: order, wait: false, here: true });
    await client.answer(await client.asked("QuestionRequest", 2), { items });
    expect(spans()).toHaveLength(1);
    await session.close();
    expect(spans().map(({ attributes }) => attributes["askwire.outcome.status"])).toEqual([
      "answered",
      "withdrawn",
    ]);
    expect(spans().map(({ parentSpanContext }) => parentSpanContext)).toEqual([undefined, undefined]);
  });

  test("a question that is left to the next process ends its span so, and has another there, from its opening on", async () => {
    const store = new MemoryStore();
    const options = () => ({ workDir: WORK_DIR, store: store.process() });
    const observe: ServerObserver[] = [requestSpans(tracer)];
    const first = scenario([], { agent, observe, ...options() });
    const { client } = await first.meet({ sessionId: id });
    await client.begin("QuestionRequest");
    const opened = Date.now();
    await first.server.close();
    expect(spans().map(({ attributes }) => attributes["askwire.request.left"])).toEqual([true]);

    const second = scenario([], { agent, observe, ...options() });
    const { client: next } = await second.meet({ sessionId: id });
    const again = await next.seen("QuestionRequest");
    next.reply(again, { request_id: again.id, answers: { "Which secret colour?": "Red" } });
    await next.seen("TurnEnd");
    const restored = spans()[1];
    expect(restored?.attributes).toMatchObject({
      "askwire.request.restored": true,
      "askwire.outcome.status": "answered",
    });
    expect(restored?.parentSpanContext).toBeUndefined();
    expect((restored?.startTime[0] ?? 0) * 1_000).toBeLessThanOrEqual(opened);
    await second.server.close();
  });

  test("a request of an earlier process has no parent, also within a span, and begins when it was opened", () => {
    const observer = requestSpans(tracer);
    const request = { id: "r", kind: "question" as const, sessionId: "s", openedAt: 5_000, isRestored: true };
    tracer.startActiveSpan("a client's attach", (span) => {
      observer.requestOpened(request);
      span.end();
    });
    observer.requestLeft(request);
    expect(spans().map(({ startTime, parentSpanContext }) => [startTime, parentSpanContext])).toEqual([
      [[5, 0], undefined],
    ]);
  });

  test("an object that is no tracer is refused with where to get one", () => {
    expect(() => requestSpans({} as RequestTracer)).toThrow(
      "requestSpans: expected a tracer, as trace.getTracer of @opentelemetry/api gives one",
    );
  });
});
