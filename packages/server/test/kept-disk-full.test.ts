import { expect, test } from "vitest";
import { defineTool, QuestionRequest, wireSend } from "../src/index.js";
import { items, meetAsked, meetExtended, question } from "./extended/extended-client.js";
import { diskWith, diskWithoutRoomFor, keepOn, systemError } from "./failing-disk.js";
import { asks, callLine, scenario, toolResult } from "./scenario.js";

/** A disk that is full while `isFull` is set. */
function disk() {
  const state = { isFull: false };
  return {
    state,
    keep: keepOn(
      diskWith({
        write(_file, text, write) {
          if (state.isFull) throw systemError("ENOSPC");
          return write(Buffer.from(text));
        },
      }),
    ),
  };
}

/** A turn that only asks, with a client that has the question before it. */
async function askedOnce(keep: ReturnType<typeof keepOn>, request: QuestionRequest) {
  const set = scenario([], {
    keep,
    async run() {
      wireSend(request);
      await request.wait();
    },
  });
  const { client, prompt, asked } = await meetAsked("QuestionRequest", set);
  return { set, client, prompt, asked };
}

test("a question that cannot be kept is not asked: no client hears of it, and the model is told to say so (P-DUR-6)", async () => {
  const keep = keepOn(diskWithoutRoomFor('"InteractionOpened"'));
  const seen: unknown[] = [];
  const set = scenario([], {
    keep,
    async run() {
      const request = question();
      wireSend(request);
      await request.wait().catch((error) => seen.push(error.outcome, error.toolError.message));
    },
  });
  const { client } = await meetExtended(set);
  const prompt = client.call("prompt", { user_input: "go" });
  expect((await prompt).result).toEqual({ status: "finished" });
  expect(seen).toEqual([
    expect.objectContaining({ status: "unavailable", reason: "not_kept", by: "system" }),
    expect.stringContaining("could not be saved"),
  ]);
  expect(client.events("InteractionSettled")).toEqual([]);
  expect(client.requests()).toEqual([]);
  await set.server.close();
});

test("an answer that cannot be kept is refused by its reply, and the same one counts once there is room (P-DUR-6)", async () => {
  const { state, keep } = disk();
  const request = question();
  const { set, client, prompt, asked } = await askedOnce(keep, request);
  const answer = { items, answer_id: "mine" };
  state.isFull = true;
  expect((await client.answer(asked, answer)).error).toMatchObject({
    code: -32020,
    data: { limit: "journal" },
  });
  expect(request.resolved).toBe(false);
  expect(client.events("InteractionSettled")).toEqual([]);
  state.isFull = false;
  expect((await client.answer(asked, answer)).error).toBeUndefined();
  expect((await prompt).result).toEqual({ status: "finished" });
  await set.server.close();
});

test("a prompt that cannot be kept begins no turn, and the same one does once there is room (P-DUR-6)", async () => {
  const { state, keep } = disk();
  const set = scenario(["text: hello"], { keep });
  const { client } = await meetExtended(set);
  state.isFull = true;
  const prompt = () => client.call("prompt", { user_input: "go", turn_id: "mine" });
  expect((await prompt()).error).toMatchObject({ code: -32020, data: { limit: "journal" } });
  expect(client.events()).toEqual([]);
  state.isFull = false;
  expect((await prompt()).result).toEqual({ status: "finished" });
  await set.server.close();
});

test("the answer of a base client, which gets no reply, counts nevertheless (P-DUR-6)", async () => {
  const { state, keep } = disk();
  const set = scenario([asks(), "text: Red it is."], { keep });
  const { client } = await set.meet();
  const { prompt, asked } = await client.begin("QuestionRequest");
  state.isFull = true;
  client.reply(asked, { request_id: asked.id, answers: { "Which colour?": "Red" } });
  expect((await toolResult(client)).output).toContain("Red");
  expect((await prompt).result).toEqual({ status: "finished" });
  await set.server.close();
});

test("a call whose start cannot be kept does not run, and the turn continues (P-DUR-6, P-JRN-12)", async () => {
  let runs = 0;
  const tool = defineTool({
    name: "Look",
    description: "looks",
    parameters: { type: "object" },
    run: () => `${++runs}`,
  });
  const keep = keepOn(diskWithoutRoomFor('"CallStarted"'));
  const set = scenario([callLine("Look", {}), "text: I cannot."], { keep, tools: [tool] });
  const { client } = await set.meet();
  const prompt = client.call("prompt", { user_input: "go" });
  expect(await toolResult(client)).toMatchObject({
    is_error: true,
    message: expect.stringContaining("was not run"),
  });
  expect((await prompt).result).toEqual({ status: "finished" });
  expect(runs).toBe(0);
  await set.server.close();
});

test("with `whenNotKept: ask` a full disk keeps nobody from asking and answering (P-DUR-6)", async () => {
  const keep = keepOn(diskWithoutRoomFor("Interaction"), { whenNotKept: "ask" });
  const request = new QuestionRequest({ tool_call_id: "tc-1", questions: [{ question: "Which?" }] });
  const { set, client, prompt, asked } = await askedOnce(keep, request);
  const said = { items: [{ question_id: "q1", selected: [], own_text: "this" }] };
  expect((await client.answer(asked, said)).error).toBeUndefined();
  expect((await prompt).result).toEqual({ status: "finished" });
  await set.server.close();
});

test("a session whose disk loses a sync for good ends, and sends nobody an end of what is open (P-DUR-8)", async () => {
  let isBroken = false;
  const calls = {
    sync: (_file: string, sync: () => Promise<void>) =>
      isBroken ? Promise.reject(systemError("EIO")) : sync(),
  };
  const requests = [question(), question()];
  const set = scenario([], {
    keep: keepOn(diskWith(calls)),
    async run({ signal }) {
      for (const request of requests) wireSend(request);
      await Promise.all(requests.map((request) => request.wait()));
      signal.throwIfAborted();
    },
  });
  const { client, prompt: ended, asked } = await meetAsked("QuestionRequest", set);
  isBroken = true;
  await expect(client.answer(asked, { items })).rejects.toThrow("closed");
  await expect(ended).rejects.toThrow("closed");
  expect(client.events("InteractionSettled")).toEqual([]);
  expect(client.isClosed).toBe(true);
  await set.server.close();
  expect(set.server.sessions.size).toBe(0);
});

test("a session whose disk keeps half a line ends, and sends nobody an end of what is open (P-DUR-8)", async () => {
  let isBroken = false;
  const calls = {
    write(_file: string, text: string, write: (bytes: Uint8Array) => number) {
      if (!isBroken) return write(Buffer.from(text));
      write(Buffer.from(text.slice(0, text.length / 2)));
      throw systemError("EIO");
    },
    truncate() {
      throw systemError("EIO");
    },
  };
  const { set, client, prompt, asked } = await askedOnce(keepOn(diskWith(calls)), question());
  isBroken = true;
  await expect(client.answer(asked, { items })).rejects.toThrow("closed");
  await expect(prompt).rejects.toThrow("closed");
  expect(client.events("InteractionSettled")).toEqual([]);
  await set.server.close();
  expect(set.server.sessions.size).toBe(0);
});
