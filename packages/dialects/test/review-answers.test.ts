// Answers that might be lost on their way to the model, and questions on their way to the person.

import { ask, QuestionRequest } from "@askwire/server";
import { describe, expect, test } from "vitest";
import type { InProcessClient } from "../../server/src/session/client.js";
import { servedSession } from "../../server/src/session/served-session.js";
import { meetExtended } from "../../server/test/extended/extended-client.js";
import { payload } from "../../server/test/raw-client.js";
import { callLine, colour, scenario } from "../../server/test/scenario.js";
import { until } from "../../server/test/until.js";
import { dialects } from "../src/index.js";
import { approval, asked, chose, joined } from "./joined-session.js";
import { outputOf, picture } from "./kilo-scene.js";
import { klaudeAsks, klaudeScenario, resultsRead, say } from "./klaude-scenario.js";

describe("images that a result has no room for", () => {
  /** Nearly 5 MiB, so that two are all that one answer may have. */
  const large = picture("A".repeat(6_900_000));

  async function told(more: object) {
    const set = klaudeScenario();
    const { client } = await meetExtended(set);
    const prompt = client.call("prompt", { user_input: "go" });
    const request = await client.asked("QuestionRequest");
    const item = { question_id: "q1", selected: ["q1_o2"], attachments: [large, large], ...more };
    expect((await client.answer(request, { items: [item] })).error).toBeUndefined();
    await prompt;
    const [result] = resultsRead(set.model);
    if (result === undefined) throw new Error("there is no result");
    return result;
  }

  test("images that a result has no room for are left out of klaude's, and the answer is given with the others", async () => {
    const { is_error, output } = await told({});
    expect(is_error).toBe(false);
    expect(output).toHaveLength(2);
    expect(outputOf({ output } as never)).toBe(
      "Question: Which storage?\nAnswer: PostgreSQL:\n(1 of 2 images left out: too large)",
    );
  });

  test("images are left out where long words take the room, which a summary repeats", async () => {
    const { is_error, output } = await told({
      selected: [],
      own_text: "w".repeat(3_000_000),
      attachments: [large],
    });
    expect(is_error).toBe(false);
    expect(output).toMatch(/Answer: Other: w+\n\(1 of 1 images left out: too large\)$/);
  });
});

describe.each([
  ["kimi", "AskUserQuestion", { questions: [{ ...colour, question: "__proto__" }] }],
  ["klaude", "AskUserQuestion", { questions: [{ ...colour, header: "Colour", question: "__proto__" }] }],
  ["kilo", "ask_followup_question", { question: "__proto__", follow_up: ["Red", "Blue"] }],
  ["redc", "ask_user", { question: "__proto__" }],
] as const)("the question that no answer can be keyed by, in %s", (name, tool, args) => {
  test("a question that no answer can be keyed by is reported to the model as a fault of its call, in the dialect's words (P-QST-3)", async () => {
    const set = scenario([callLine(tool, args), say], { dialects: [dialects[name]()] });
    const { client } = await set.meet();
    await client.call("prompt", { user_input: "go" });
    const [result] = resultsRead(set.model);
    expect(client.story()).not.toContain("ask QuestionRequest");
    expect(result?.is_error).toBe(true);
    const words = name === "kimi" ? result?.message : result?.output;
    expect(words).toMatch(name === "redc" ? /请换一种问法$/ : /Invalid arguments: .*"__proto__"/);
    if (name !== "kimi") expect(result?.message).toBe("");
  });
});

describe("a time that is to end with a default that no question has", () => {
  const deadline = { ms: 60_000, on_expiry: "default" } as const;

  test("a time that is to end with a default that no question has is sent as one that ends without an answer (P-XDL-2)", async () => {
    const set = klaudeScenario([klaudeAsks(), say], { dialects: [dialects.klaude({ deadline })] });
    const { client } = await meetExtended(set);
    void client.call("prompt", { user_input: "go" });
    const request = await client.asked("QuestionRequest");
    expect(payload(request).deadline).toMatchObject({ on_expiry: "cancel" });
    await set.server.close();
  });

  test("a time that is to end with a default is sent unchanged where each question has one (P-XDL-2)", () => {
    const options = [{ label: "Red" }];
    const init = (defaults: object) => ({
      tool_call_id: "",
      questions: [{ question: "Which?", options, ...defaults }],
      deadline,
    });
    expect(new QuestionRequest(init({ default: ["q1_o1"] })).deadline?.onExpiry).toBe("default");
    expect(new QuestionRequest(init({})).deadline?.onExpiry).toBe("cancel");
  });
});

describe("a program's questions by the channel while a turn is being ended", () => {
  test("a program's question by the channel while a turn is being ended is asked in the session, and answered there (P-KLA-8)", async () => {
    const { session, channel, next, respond } = joined();
    const turn = session.prompt("go");
    const first = await next();
    const ended = channel.outcome(first.request_id);
    session.cancel();
    expect(session.running).toBe(true);
    const asking = channel.request(asked);
    expect(await ended).toMatchObject({ status: "withdrawn", reason: "interrupted" });
    expect(await turn).toEqual({ status: "cancelled" });
    const second = await next();
    respond(second, chose("q1_o1"));
    expect(await asking).toMatchObject({ status: "submitted" });
  });

  test("a program's question by the channel ends with the session, where that is what ends the turn (P-KLA-10)", async () => {
    const { session, channel, next } = joined();
    const turn = session.prompt("go");
    await next();
    const closing = session.close();
    const asking: Promise<unknown>[] = [];
    // At each point on the way to its end.
    for (let n = 0; n < 12; n += 1) {
      asking.push(channel.request(approval(`Deploy ${n}`)).then(() => "answered", reasonOf));
      await Promise.resolve();
    }
    await closing;
    expect(new Set(await Promise.all(asking))).toEqual(new Set(["session_closed"]));
    expect([await turn, session.pending.length]).toEqual([{ status: "cancelled" }, 0]);
  });

  const reasonOf = (error: { outcome?: { reason?: string } }) => error.outcome?.reason;
});

describe("the end of a request that came out of the channel", () => {
  test("the end of a request out of the channel can be asked once the channel is closed", async () => {
    const { session, channel, next } = joined();
    const turn = session.prompt("go");
    const { request_id } = await next();
    channel.close();
    expect(await channel.outcome(request_id)).toMatchObject({ reason: "client_lost" });
    await turn;
  });

  test("the end of a request out of the channel can be asked where the program failed at it", async () => {
    let told = "";
    const set = joined([klaudeAsks(), say], {}, (request) => {
      told = (request as { request_id: string }).request_id;
      throw new Error("no window");
    });
    await set.session.prompt("go");
    expect(await set.channel.outcome(told)).toMatchObject({
      reason: "protocol_error",
      note: "Error: no window",
    });
  });

  test("the end of a request out of the channel is heard by a waiter while the channel is closed and another client answers", async () => {
    const { session, channel, next } = joined();
    const leave = servedSession(session).join(answersLater());
    const turn = session.prompt("go");
    const { request_id } = await next();
    const outcome = channel.outcome(request_id);
    channel.close();
    await until(() => session.pending.length === 1);
    leave();
    expect(await outcome).toMatchObject({ reason: "client_lost" });
    await turn;
  });

  const answersLater = (): InProcessClient => ({
    id: "other",
    canShow: () => true,
    show() {},
    settled() {},
    closed() {},
  });
});

test("a choice that nobody can be asked leaves nothing at its signal (P-QST-4)", async () => {
  const signal = new AbortController().signal;
  const listeners = new Set<unknown>();
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listeners.add(args[1]);
    addEventListener.apply(signal, args);
  };
  signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listeners.delete(args[1]);
    removeEventListener.apply(signal, args);
  };
  await expect(ask("Go on?", ["Yes"], { signal })).rejects.toThrow("outside a turn");
  expect(listeners.size).toBe(0);
});
