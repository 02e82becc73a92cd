import { readFileSync } from "node:fs";
import { linkedPair } from "@askwire/protocol/testing";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { defineTool, type ObservedCommit, QuestionRequest, wireSend } from "../src/index.js";
import { drivenClock } from "./driven-clock.js";
import { meetExtended } from "./extended/extended-client.js";
import { diskWith, keepOn, systemError } from "./failing-disk.js";
import { type Message, rawClient } from "./raw-client.js";
import { approvedTool, asks, callLine, colour, scenario } from "./scenario.js";

const id = "11111111-1111-4111-8111-111111111111";
const turns = (count: number) =>
  Array.from({ length: count }).reduce<Promise<void>>(
    (before) => before.then(() => new Promise((resolve) => setImmediate(resolve))),
    Promise.resolve(),
  );

/** A disk that knows what a power cut would leave, and whose syncs take some turns of the event loop. */
function watchedDisk(turnsOfSync: () => number) {
  let journal = "";
  /** The text that is safe. */
  let safe = "";
  let syncs = 0;
  const disk = diskWith({
    async sync(file, sync) {
      if (!file.endsWith("wire.jsonl")) return sync();
      syncs += 1;
      const text = readFileSync(file, "utf8");
      journal = file;
      await turns(turnsOfSync());
      safe = text;
    },
  });
  return {
    disk,
    /** The records that are safe now. */
    safe: (): { type: string; payload: Record<string, unknown> }[] => recordsOf(safe),
    written: () => (journal === "" ? [] : recordsOf(readFileSync(journal, "utf8"))),
    syncs: () => syncs,
  };
}

const recordsOf = (text: string) =>
  text
    .split("\n")
    .slice(1, -1)
    .map((line) => JSON.parse(line).message);

/** The record that has to be safe before a client is sent a message; undefined for a message that waits for none. */
function recordBehind(
  { id: wireId, method, params, result }: Message,
  calls: ReadonlyMap<string, string>,
): { type: string; of?: unknown } | undefined {
  if (method === undefined) {
    const answered = result !== undefined && wireId != null ? calls.get(wireId) : undefined;
    if (answered === "prompt") return { type: "TurnEnded" };
    return answered === undefined ? undefined : { type: "InteractionSettled", of: answered };
  }
  const { type = "", payload = {} } = params ?? {};
  if (type.endsWith("Request")) return { type: "InteractionOpened", of: payload.id };
  if (type === "InteractionSettled" || type === "ApprovalResponse")
    return { type: "InteractionSettled", of: payload.request_id };
  if (type === "TurnBegin") return { type: "TurnOpened" };
  if (type === "TurnEnd") return { type: "TurnEnded" };
  return type === "ToolResult" ? { type: "CallStarted", of: payload.tool_call_id } : undefined;
}

test("whatever the disk's pace, a client is sent only what is safe on disk, and tools start and continue behind it (P-DUR-2, P-DUR-3, P-DUR-5)", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 6 }),
      fc.boolean(),
      async (pace, isExtended) => {
        let sync = 0;
        const { disk, safe, written } = watchedDisk(() => pace[sync++ % pace.length] as number);
        const isSafe = (type: string, of?: unknown) =>
          safe().some(
            (record) =>
              record.type === type &&
              (of === undefined || [record.payload.request_id, record.payload.call_id].includes(of)),
          );
        const problems: string[] = [];
        const expectSafe = (type: string, of: unknown, what: string) => {
          if (!isSafe(type, of)) problems.push(`${what} before ${type} ${of ?? ""}`);
        };
        const asking = defineTool({
          name: "Ask",
          description: approvedTool("Ask").description,
          parameters: { type: "object" },
          async run(_params, { toolCall }) {
            expectSafe("CallStarted", toolCall.id, "the tool started");
            const request = new QuestionRequest({ tool_call_id: toolCall.id, questions: [colour] });
            wireSend(request);
            const answers = await request.wait();
            expectSafe("InteractionSettled", request.id, "the tool went on");
            return JSON.stringify(answers);
          },
        });
        const scripts = [callLine("Ask", {}), callLine("Shell", {}, "tc-2"), "text: done"];
        const set = scenario(scripts, { keep: keepOn(disk), tools: [asking, approvedTool("Shell")] });
        const { left, right } = linkedPair();
        const calls = new Map<string, string>();
        const watched = {
          ...right,
          listen: (sink: Parameters<typeof right.listen>[0]) =>
            right.listen({
              ...sink,
              message(text) {
                const message: Message = JSON.parse(text);
                const behind = recordBehind(message, calls);
                if (behind !== undefined) expectSafe(behind.type, behind.of, text.slice(0, 120));
                if (message.params?.type === "ToolResult") {
                  const { tool_call_id } = message.params.payload;
                  const told = ({ type, payload }: { type: string; payload: Record<string, unknown> }) =>
                    type === "ToolResult" && payload.tool_call_id === tool_call_id;
                  if (!written().some(told)) problems.push("a result was told before it was written");
                }
                sink.message(text);
              },
            }),
          send(text: string) {
            const { id: callId, method, params } = JSON.parse(text);
            if (method === "prompt") calls.set(callId, "prompt");
            if (method === "answer") calls.set(callId, params.request_id);
            right.send(text);
          },
        };
        set.server.connect(left, { sessionId: id });
        const client = rawClient(watched);
        const capabilities = { supports_question: true, ...(isExtended && { askwire: { revision: 3 } }) };
        await client.call("initialize", { protocol_version: "1.10", client: { name: "raw" }, capabilities });
        const prompt = client.call("prompt", { user_input: "go" });
        for (const type of ["QuestionRequest", "ApprovalRequest"]) {
          const asked = await client.seen(type);
          const request_id = asked.params?.payload.id;
          const said =
            type === "QuestionRequest"
              ? { answers: { "Which colour?": "Red" }, items: [{ question_id: "q1", selected: ["q1_o1"] }] }
              : { response: "approve", feedback: "" };
          if (!isExtended) client.reply(asked, { request_id, ...said });
          else {
            const { answers: _, ...answer } = said as { answers?: unknown };
            const outcome = { status: "answered" };
            const params = { request_id, answer_id: type, outcome, ...answer };
            expect((await client.call("answer", params)).error).toBeUndefined();
          }
        }
        expect((await prompt).result).toEqual({ status: "finished" });
        await set.server.close();
        expect(problems).toEqual([]);
      },
    ),
    { numRuns: 30 },
  );
});

test("a question costs two syncs, its call one and a turn two; sixty-four at once share theirs (P-DUR-5)", async () => {
  const { disk, syncs } = watchedDisk(() => 0);
  const counted: number[] = [];
  const set = scenario([asks(), "text: done"], { keep: keepOn(disk) });
  const { client } = await set.meet({ sessionId: id });
  const { prompt, asked } = await client.begin("QuestionRequest");
  counted.push(syncs());
  client.reply(asked, { request_id: asked.id, answers: { "Which colour?": "Red" } });
  await prompt;
  counted.push(syncs());
  expect(counted).toEqual([3, 5]);
  await set.server.close();

  const many = watchedDisk(() => 0);
  const requests = Array.from(
    { length: 64 },
    () => new QuestionRequest({ tool_call_id: "tc-1", questions: [colour] }),
  );
  const crowd = scenario([], {
    keep: keepOn(many.disk),
    async run() {
      for (const request of requests) wireSend(request);
      await Promise.all(requests.map((request) => request.wait()));
    },
  });
  const { client: one } = await crowd.meet({ sessionId: id });
  const all = one.call("prompt", { user_input: "go" });
  await one.seen("QuestionRequest", 64);
  for (const request of one.received.filter(({ method }) => method === "request")) {
    one.reply(request, { request_id: request.id, answers: { "Which colour?": "Red" } });
  }
  await all;
  // Two of the turn, one for all that is asked, and one or two for the answers, as they come in.
  expect(many.syncs()).toBeLessThanOrEqual(6);
  await crowd.server.close();
});

test("each sync of a journal is told once with its records and its time, and measuring adds no sync", async () => {
  const clock = drivenClock();
  const told: ObservedCommit[] = [];
  const committed = (commit: ObservedCommit) => void told.push(commit);
  const { disk, syncs, written } = watchedDisk(() => {
    clock.advance(7);
    return 0;
  });
  const set = scenario([asks(), "text: done"], {
    keep: keepOn(disk, { clock, observe: [{ committed }, {}] }),
  });
  const { client } = await set.meet({ sessionId: id });
  const { prompt, asked } = await client.begin("QuestionRequest");
  client.reply(asked, { request_id: asked.id, answers: { "Which colour?": "Red" } });
  await prompt;
  expect([syncs(), told.length]).toEqual([5, 5]);
  expect(told).toMatchObject(Array(5).fill({ tookMs: 7, result: "kept" }));
  await set.server.close();
  // All but the metadata and the opening, which begin each file.
  const records = told.reduce((sum, commit) => sum + commit.records, 0);
  expect(records).toBe(written().length - 1);
});

test("a disk that does not take a journal to the end is told as a commit that is lost", async () => {
  const told: ObservedCommit[] = [];
  const disk = diskWith({ sync: () => Promise.reject(systemError("EIO")) });
  const observe = [{ committed: (commit: ObservedCommit) => void told.push(commit) }];
  const set = scenario(["text: done"], { keep: keepOn(disk, { observe }) });
  const { client } = await set.meet({ sessionId: id });
  void client.call("prompt", { user_input: "go" });
  await expect.poll(() => told, { timeout: 60_000 }).toMatchObject([{ result: "lost" }]);
  await set.server.close();
});

test("while a sync lasts, text waits behind a kept record and nothing waits without one (P-DUR-5)", async () => {
  let letGo = () => {};
  let isHeld = true;
  const disk = diskWith({
    sync: (_file, sync) => (isHeld ? new Promise<void>((resolve) => (letGo = resolve)).then(sync) : sync()),
  });
  const set = scenario(["text: hello"], { keep: keepOn(disk) });
  const { client } = await set.meet({ sessionId: id });
  const prompt = client.call("prompt", { user_input: "go" });
  await turns(20);
  expect(client.story()).toEqual([]);
  isHeld = false;
  letGo();
  expect((await prompt).result).toEqual({ status: "finished" });
  expect(client.story()).toContain("TurnBegin");
  await set.server.close();
});

test("with `flush: process` everything is written as soon and nothing is synced (P-DUR-7)", async () => {
  const { disk, syncs } = watchedDisk(() => 0);
  const set = scenario([asks(), "text: done"], { keep: keepOn(disk, { flush: "process" }) });
  const { client } = await set.meet({ sessionId: id });
  const { prompt, asked } = await client.begin("QuestionRequest");
  client.reply(asked, { request_id: asked.id, answers: { "Which colour?": "Red" } });
  expect((await prompt).result).toEqual({ status: "finished" });
  expect(syncs()).toBe(0);
  await set.server.close();
});

test("a session closes in a bounded time when a sync never ends, and whoever waits continues (P-DUR-8)", async () => {
  const clock = drivenClock();
  const disk = diskWith({ sync: () => new Promise(() => {}) });
  const set = scenario([asks(), "text: done"], { keep: keepOn(disk, { clock }), clock });
  const { client } = await meetExtended(set, { sessionId: id });
  void client.call("prompt", { user_input: "go" });
  await turns(10);
  let isClosed = false;
  const closed = set.server.close().then(() => {
    isClosed = true;
  });
  for (let step = 0; step < 20 && !isClosed; step += 1) {
    clock.advance(1_000);
    await turns(10);
  }
  expect(isClosed).toBe(true);
  await closed;
  expect(client.isClosed).toBe(true);
  expect(client.events()).toEqual([]);
});
