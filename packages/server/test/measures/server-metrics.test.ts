import { describe, expect, test } from "vitest";
import { serverMetrics } from "../../src/metrics.js";
import { drivenClock } from "../driven-clock.js";
import { items, meetExtended, order } from "../extended/extended-client.js";
import { MemoryStore } from "../memory-store.js";
import { asks, scenario } from "../scenario.js";
import { WORK_DIR } from "../stores.js";
import { exposed, sampleValue } from "./exposed.js";

const HOUR = 3_600_000;

/** A server with metrics, a program that asks there, and a person. */
async function measured(options: Parameters<typeof scenario>[1] = {}) {
  const clock = drivenClock();
  const metrics = serverMetrics({ clock });
  const set = scenario([asks(), "text: Done."], {
    attendance: "hold",
    clock,
    observe: [metrics],
    ...options,
  });
  const session = await set.server.openSession({ stay: true });
  const { client } = await meetExtended(set, { session }, { name: "Grüße aus dem Bad" });
  const ask = (key: string) => client.call("ask", { key, questions: order, wait: false, here: true });
  const value = (name: string, labels?: Record<string, string>) => sampleValue(metrics.text(), name, labels);
  return { ...set, session, clock, metrics, client, ask, value };
}

const question = { kind: "question" };

describe("metrics of requests", () => {
  test("an open question is counted, with its age, until its answer, which is then in the bucket of its wait", async () => {
    const { ask, client, clock, value } = await measured();
    await ask("k1");
    clock.advance(HOUR / 2);
    await ask("k2");
    clock.advance(HOUR / 2);
    expect(value("askwire_requests_open", question)).toBe(2);
    expect(value("askwire_request_oldest_seconds", question)).toBe(3_600);
    expect(value("askwire_request_oldest_seconds", { kind: "approval" })).toBe(0);
    await client.answer(await client.asked("QuestionRequest", 1), { items });
    expect(value("askwire_requests_open", question)).toBe(1);
    expect(value("askwire_request_oldest_seconds", question)).toBe(1_800);
    const bucket = (le: string) => value("askwire_request_wait_seconds_bucket", { ...question, le });
    expect(["1800", "3600", "14400", "+Inf"].map(bucket)).toEqual([0, 1, 1, 1]);
    expect(value("askwire_request_wait_seconds_sum", question)).toBe(3_600);
    expect(value("askwire_requests_opened_total", question)).toBe(2);
    const answered = { status: "answered", reason: "", by: "person" };
    expect(value("askwire_request_outcomes_total", answered)).toBe(1);
  });

  test("a session is counted by its state, and not once it has closed", async () => {
    const { ask, session, value } = await measured();
    const states = () => ["idle", "running", "waiting"].map((state) => value("askwire_sessions", { state }));
    expect(states()).toEqual([1, 0, 0]);
    await ask("k1");
    expect(states()).toEqual([0, 0, 1]);
    await session.close();
    expect(states()).toEqual([0, 0, 0]);
    expect(value("askwire_requests_open", question)).toBe(0);
  });

  test("a server whose store keeps what it asks counts the commits and their records", async () => {
    const store = new MemoryStore().process();
    const { ask, server, value } = await measured({ store, workDir: WORK_DIR });
    await ask("k1");
    await server.close();
    const kept = value("askwire_commits_total", { result: "kept" });
    expect(kept).toBeGreaterThan(0);
    expect(value("askwire_commit_seconds_count")).toBe(kept);
    expect(value("askwire_commit_batch_sum")).toBeGreaterThanOrEqual(kept);
    expect(value("askwire_commits_total", { result: "fenced" })).toBe(0);
  });

  test("a request of an earlier process is open with its whole age, and is not counted as opened", () => {
    const clock = drivenClock();
    clock.advance(HOUR);
    const metrics = serverMetrics({ clock });
    const request = { id: "r", kind: "question" as const, sessionId: "s", openedAt: 0, isRestored: true };
    metrics.requestOpened(request);
    const value = (name: string) => sampleValue(metrics.text(), name, question);
    expect(value("askwire_requests_open")).toBe(1);
    expect(value("askwire_request_oldest_seconds")).toBe(3_600);
    expect(value("askwire_requests_opened_total")).toBe(0);
    metrics.requestLeft(request);
    expect(value("askwire_requests_open")).toBe(0);
  });

  test("a reason that is in no table is counted as another one, so that no text becomes a label", () => {
    const metrics = serverMetrics();
    const request = { id: "r", kind: "question" as const, sessionId: "s", openedAt: 0, isRestored: false };
    const end = { status: "declined" as const, by: "person" as const, waitedMs: 1 };
    metrics.requestSettled(request, { ...end, reason: 'I "hate"\nquestions' as never });
    expect(sampleValue(metrics.text(), "askwire_request_outcomes_total", { reason: "other" })).toBe(1);
  });
});

describe("the text of the metrics", () => {
  test("each line is of the format and each histogram grows, and 1,000 questions with ids and words of their own add no line", async () => {
    const { ask, client, metrics } = await measured();
    for (let nth = 1; nth <= 10; nth += 1) await ask(`some key ${nth}`);
    for (let nth = 1; nth <= 10; nth += 1)
      await client.answer(await client.asked("QuestionRequest", nth), { items });
    const before = metrics.text();
    for (let nth = 11; nth <= 1_010; nth += 1) {
      await ask(`key ${nth}`);
      await client.answer(await client.asked("QuestionRequest", nth), { items });
    }
    const text = metrics.text();
    expect(text.split("\n")).toHaveLength(before.split("\n").length);
    expect(text.length).toBeLessThan(before.length + 200);
    expect(sampleValue(text, "askwire_request_wait_seconds_count", question)).toBe(1_010);
    for (const word of ["colour", "Grüße", "key", client.received.at(-1)?.params?.payload.id])
      expect(text).not.toContain(word);
    for (const [name, { type, samples }] of exposed(text)) {
      expect(samples, name).not.toHaveLength(0);
      if (type === "counter") expect(name).toMatch(/_total$/);
      const kinds = new Set(samples.map(({ labels }) => labels.kind));
      for (const kind of type === "histogram" ? kinds : []) {
        const own = samples.filter(({ labels }) => labels.kind === kind);
        const buckets = own.filter((sample) => sample.name === `${name}_bucket`).map(({ value }) => value);
        expect(buckets).toEqual([...buckets].sort((a, b) => a - b));
        expect(buckets.at(-1)).toBe(own.find((sample) => sample.name === `${name}_count`)?.value);
      }
    }
  });

  test("an option that is not known is refused by its name", () => {
    expect(() => serverMetrics({ clok: drivenClock() } as never)).toThrow(
      'serverMetrics: unknown option "clok": did you mean "clock"?',
    );
  });
});
