import { describe, expect, test } from "vitest";
import { wireSend } from "../../src/index.js";
import { callLine, scenario } from "../scenario.js";
import { asking, type extended, items, meetExtended, question, twoAsked } from "./extended-client.js";

const turn_id = "t";
const go = { user_input: "go", turn_id };

const marks = (client: ReturnType<typeof extended>) =>
  client
    .events()
    .filter(({ type }) => type === "TurnBegin" || type === "TurnEnd")
    .map(({ payload: { user_input: _input, ...rest } }) => rest);

test("words under one id are said once, also after their turn and over another connection (P-XTR-3)", async () => {
  let request = question();
  const set = scenario([], {
    run: async (turn) => {
      request = question();
      wireSend(request);
      await request.ended();
      turn.takeSteers();
    },
  });
  const session = set.server.createSession();
  const { client } = await meetExtended(set, { session });
  const { client: other } = await meetExtended(set, { session });
  const { prompt, asked } = await client.begun("QuestionRequest");
  const words = { user_input: "faster", steer_id: "w-1" };
  for (const each of [client, other, client])
    expect((await each.call("steer", words)).result).toEqual({ status: "steered" });
  expect((await client.call("steer", { ...words, steer_id: "w-2" })).result).toEqual({ status: "steered" });
  await client.answer(asked, { items });
  await prompt;
  expect(client.events("SteerInput")).toHaveLength(2);
  expect((await client.call("steer", words)).result).toEqual({ status: "steered" });
  expect((await client.call("steer", { ...words, steer_id: "w-3" })).error?.code).toBe(-32000);
});

describe("TurnBegin and TurnEnd for extended clients (P-XTR-1)", () => {
  test("TurnBegin and TurnEnd say which turn it is, who asked for it and how it ended", async () => {
    const set = scenario(["text: hello"]);
    const session = set.server.createSession();
    const { client: one } = await meetExtended(set, { session }, { name: "one" });
    const { client: two } = await meetExtended(set, { session }, { name: "two" });
    await one.call("prompt", { user_input: "go" });
    await two.settled();
    const by = { name: "one", connection: expect.any(String) };
    const id = expect.stringMatching(/./);
    const [begin, end] = marks(two);
    expect([begin, end]).toEqual([
      { turn_id: id, by },
      { turn_id: begin?.turn_id, by, status: "finished" },
    ]);
  });

  test("TurnBegin has the id that the client gave the turn, and another where it gave none", async () => {
    const { client } = await meetExtended(scenario(["text: a", "text: b", "text: c"]));
    await client.call("prompt", { user_input: "go", turn_id: "mine" });
    await client.call("prompt", { user_input: "go" });
    await client.call("prompt", { user_input: "go" });
    const ids = marks(client).map((mark) => mark.turn_id);
    expect([ids[0], ids[1]]).toEqual(["mine", "mine"]);
    expect(new Set(ids).size).toBe(3);
  });

  test("TurnEnd says that the limit of steps was reached, and how many there were", async () => {
    const scripts = [callLine("Nothing", {}), callLine("Nothing", {}, "tc-2"), "text: b"];
    const { client } = await meetExtended(scenario(scripts, { maxStepsPerTurn: 1 }));
    await client.call("prompt", { user_input: "go" });
    expect(marks(client)[1]).toMatchObject({ status: "max_steps_reached", steps: 1 });
    expect(marks(client)[1]).not.toHaveProperty("error");
  });

  test("TurnEnd says that the turn failed, with the error of the prompt", async () => {
    const run = async () => {
      throw new Error("out of ink");
    };
    const { client } = await meetExtended(scenario([], { run }));
    const { error } = await client.call("prompt", { user_input: "go" });
    expect(error?.code).toBe(-32603);
    const told = marks(client)[1] as { error: object };
    expect(told).toMatchObject({ status: "failed", error: { code: error?.code, message: error?.message } });
    expect(told).not.toHaveProperty("steps");
  });

  test("TurnEnd says that the turn was cancelled", async () => {
    const { two, prompt } = await twoAsked();
    await two.call("cancel");
    await prompt;
    expect(marks(two)[1]).toMatchObject({ status: "cancelled", by: { name: "one" } });
  });

  test("TurnBegin says which base client asked, and that none did where the program itself did", async () => {
    const set = scenario(["text: a", "text: b"]);
    const session = set.server.createSession();
    const { client } = await meetExtended(set, { session });
    const { client: base } = await set.meet({ session });
    await base.call("prompt", { user_input: "go" });
    await session.prompt("go");
    await client.settled();
    expect(marks(client).map(({ by }) => by)).toMatchObject([
      { name: "raw" },
      { name: "raw" },
      undefined,
      undefined,
    ]);
    for (const type of ["TurnBegin", "TurnEnd"]) {
      expect(Object.keys((await base.seen(type)).params?.payload ?? {})).toEqual(
        type === "TurnEnd" ? [] : ["user_input"],
      );
    }
  });

  test("TurnBegin names the same connection as an outcome of that client does", async () => {
    const { one, asked, prompt } = await twoAsked();
    await one.answer(asked, { items });
    await prompt;
    const [begin] = marks(one);
    expect(one.events("InteractionSettled")[0]?.payload.outcome).toMatchObject({ client: begin?.by });
  });
});

describe("a turn_id that is sent again (P-XTR-2)", () => {
  test("a turn_id that is sent again while its turn runs, from the same connection or another, waits for that turn", async () => {
    const set = await waiting();
    const { one, two } = set;
    const again = [one.call("prompt", go), two.call("prompt", { ...go, user_input: "something else" })];
    await one.settled();
    expect(two.events("TurnEnd")).toEqual([]);
    await one.answer(set.asked, { items });
    for (const prompt of [set.prompt, ...again])
      expect((await prompt).result).toEqual({ status: "finished" });
    expect(two.events("TurnBegin")).toHaveLength(1);
    const words = two.story();
    expect(words.indexOf("TurnEnd")).toBeLessThan(words.indexOf("prompt: finished"));
  });

  test("a prompt with another turn_id, or none at all, is refused while a turn runs (P-TRN-1)", async () => {
    const { two, one, asked, prompt } = await waiting();
    expect((await two.call("prompt", { ...go, turn_id: "other" })).error?.code).toBe(-32000);
    expect((await two.call("prompt", { user_input: "go" })).error?.code).toBe(-32000);
    await one.answer(asked, { items });
    await prompt;
    const other = two.call("prompt", { ...go, turn_id: "other" });
    await one.answer(await one.asked("QuestionRequest", 2), { items });
    expect((await other).result).toEqual({ status: "finished" });
  });

  test("a turn_id that is sent again after its turn gets the result again, from a connection that came later too", async () => {
    const set = await waiting();
    await set.one.answer(set.asked, { items });
    await set.prompt;
    set.one.close();
    const { client } = await meetExtended(set, { session: set.session });
    expect((await client.call("prompt", go)).result).toEqual({ status: "finished" });
    expect((await set.two.call("prompt", go)).result).toEqual({ status: "finished" });
    expect(set.two.events("TurnBegin")).toHaveLength(1);
    expect(client.events("TurnBegin")).toEqual([]);
  });

  test("a turn_id that is sent again after its turn was cancelled is cancelled again; at the limit of steps the steps come again", async () => {
    const set = await waiting();
    await set.two.call("cancel");
    expect((await set.prompt).result).toEqual({ status: "cancelled" });
    expect((await set.two.call("prompt", go)).result).toEqual({ status: "cancelled" });
    const limited = await meetExtended(
      scenario([callLine("Nothing", {}), "text: b"], { maxStepsPerTurn: 1 }),
    );
    const first = await limited.client.call("prompt", go);
    expect(first.result).toEqual({ status: "max_steps_reached", steps: 1 });
    expect((await limited.client.call("prompt", go)).result).toEqual(first.result);
  });

  test("a turn_id that is sent again after its turn failed fails again with the same error", async () => {
    let runs = 0;
    const run = async () => {
      runs += 1;
      throw new Error("out of ink");
    };
    const { client } = await meetExtended(scenario([], { run }));
    const first = await client.call("prompt", go);
    expect(first.error?.code).toBe(-32603);
    expect((await client.call("prompt", go)).error).toEqual(first.error);
    expect([runs, client.events("TurnBegin").length]).toEqual([1, 1]);
  });

  test("a turn_id that is sent again after the connection that asked was lost waits for the turn", async () => {
    const set = await waiting();
    set.one.close();
    await expect(set.prompt).rejects.toThrow("closed");
    const again = set.two.call("prompt", go);
    await set.two.answer(set.asked, { items });
    expect((await again).result).toEqual({ status: "finished" });
    expect(set.two.events("TurnBegin")).toHaveLength(1);
  });

  test("a turn_id that is sent again on the same connection while its turn runs does not count as a turn in progress for initialize twice", async () => {
    const set = await waiting();
    expect((await set.one.introduce()).error?.code).toBe(-32000);
    await set.one.answer(set.asked, { items });
    await set.prompt;
    expect((await set.one.introduce()).error).toBeUndefined();
  });

  test("the last 64 turns are remembered, and not all of them", async () => {
    const set = asking(() => []);
    const { client } = await meetExtended(set);
    for (let n = 1; n <= 200; n += 1) await client.call("prompt", { user_input: "go", turn_id: `t${n}` });
    expect(client.events("TurnBegin")).toHaveLength(200);
    for (let n = 137; n <= 200; n += 1) await client.call("prompt", { user_input: "go", turn_id: `t${n}` });
    expect(client.events("TurnBegin")).toHaveLength(200);
    await client.call("prompt", { user_input: "go", turn_id: "t1" });
    expect(client.events("TurnBegin")).toHaveLength(201);
  });

  test("65 turns later the second turn is the oldest whose turn_id counts", async () => {
    const set = asking(() => []);
    const { client } = await meetExtended(set);
    for (let n = 1; n <= 65; n += 1) await client.call("prompt", { user_input: "go", turn_id: `t${n}` });
    expect((await client.call("prompt", { user_input: "go", turn_id: "t2" })).result).toEqual({
      status: "finished",
    });
    expect(client.events("TurnBegin")).toHaveLength(65);
  });

  test.each(["", "x".repeat(129)])(
    "a turn_id of the wrong length is refused, and no turn begins",
    async (id) => {
      const { client } = await meetExtended(scenario(["text: hello"]));
      const { error } = await client.call("prompt", { user_input: "go", turn_id: id });
      expect(error).toMatchObject({ code: -32602, message: expect.stringContaining("turn_id") });
      expect(
        (await client.call("prompt", { user_input: "go", turn_id: "x".repeat(128) })).error,
      ).toBeUndefined();
      expect(client.events("TurnBegin")).toHaveLength(1);
    },
  );

  test("a turn_id of a base client is a member that nobody knows, and each prompt is a turn", async () => {
    const { client } = await scenario(["text: a", "text: b"]).meet();
    await client.call("prompt", go);
    await client.call("prompt", go);
    expect(client.story().filter((word) => word === "TurnBegin")).toHaveLength(2);
  });

  test("the same turn_id in another session is another turn", async () => {
    const set = asking(() => []);
    const [one, two] = [await meetExtended(set), await meetExtended(set)];
    await one.client.call("prompt", go);
    await two.client.call("prompt", go);
    expect(two.client.events("TurnBegin")).toHaveLength(1);
  });
});

/** Two clients and a turn with an id of its own that waits for an answer. */
async function waiting() {
  const set = asking(() => [question()]);
  const session = set.server.createSession();
  const { client: one } = await meetExtended(set, { session });
  const { client: two } = await meetExtended(set, { session });
  const prompt = one.call("prompt", go);
  const asked = await one.asked("QuestionRequest");
  await two.asked("QuestionRequest");
  return { ...set, session, one, two, prompt, asked };
}
