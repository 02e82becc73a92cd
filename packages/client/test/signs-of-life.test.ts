import { describe, expect, test } from "vitest";
import { type ConnectOptions, connect } from "../src/index.js";
import { dialable, extendedServer, greeting, outcome, receipt } from "./extended-server.js";
import { question } from "./raw-server.js";

const both = { alive: true };
const person = (answer: () => unknown = () => new Promise(() => {})) =>
  ({ handlers: { question: answer } }) as ConnectOptions;
/** The reply of a server to a sign of life. */
const reply = (sent: number, received: number, seq = 0) => ({
  method: "alive",
  params: { seq, sent, received },
});

describe("a sign of life of a client (P-XAT-11, P-XCL-10)", () => {
  test("a sign of life is sent after five seconds while something is awaited, and after fifteen else", async () => {
    const { line, time, session } = await extendedServer(person(), {}, both);
    for (let looks = 0; looks < 2; looks += 1) time.fire(5_000);
    await line.settled();
    time.fire(5_000);
    // The introduction, and the question of this test whether all was heard.
    expect(await line.next()).toMatchObject({ method: "alive", params: { received: 2 } });
    line.send(reply(2, 2));
    line.ask("QuestionRequest", question);
    expect(await line.next()).toEqual(receipt(question.id));
    time.fire(5_000);
    expect(await line.next()).toMatchObject({ method: "alive", params: { received: 4 } });
    expect(session.connection).toBe("connected");
  });

  test("a sign of life is sent at once where the server asks for one, and only one at a time", async () => {
    const { line, time } = await extendedServer(person(), {}, both);
    line.send({ method: "alive", params: { seq: 0 } });
    expect(await line.next()).toMatchObject({ method: "alive", params: { received: 2 } });
    line.send({ method: "alive", params: { seq: 0 } });
    await line.settled();
    line.send(reply(4, 2));
    await line.settled();
    expect(time.waits()).toContain(5_000);
  });

  test("a sign of life is not sent to a server that does not reply to it", async () => {
    const { line, time } = await extendedServer(person());
    line.send({ method: "alive", params: { seq: 0 } });
    await line.settled();
    expect(time.waits()).toEqual([10_000]);
  });

  test.each([
    ["an answer that the server has not had", () => reply(2, 1, 1)],
    ["a message of the server that has not come", () => reply(3, 2, 1)],
  ])(
    "a sign of life shows %s: it is sent again over a new connection, under its id",
    async (_what, lossy) => {
      const answered = () => ({ items: [{ question_id: "q1", selected: ["q1_o1"] }] });
      const { line, back, time } = await extendedServer(person(answered), {}, both);
      line.ask("QuestionRequest", question);
      const answer = await line.next();
      time.fire(5_000);
      expect(await line.next()).toMatchObject({ method: "alive" });
      line.send(lossy());
      await line.closed;
      const { line: next } = await back({ pending: [question.id], seq: 1 });
      const again = await next.next();
      expect([again.method, again.params]).toEqual(["answer", answer.params]);
      next.reply(again.id, { outcome });
    },
  );

  test("a sign of life without a reply gives the connection up after ten seconds in all, and later after more", async () => {
    const { line, back, time, session } = await extendedServer(person(), {}, both);
    line.ask("QuestionRequest", question);
    await line.next();
    time.fire(5_000);
    await line.next();
    time.fire(5_000);
    expect(session.connection).toBe("connected");
    time.fire(0);
    await line.closed;
    expect(session.connection).toBe("lost");
    const { line: next } = await back({ pending: [question.id], seq: 1 });
    time.fire(5_000);
    await next.next();
    expect(time.waits()).toContain(10_000);
    next.send(reply(1, 1, 1));
    await next.settled();
    expect([session.connection, time.waits().filter((ms) => ms === 5_000)]).toEqual(["connected", [5_000]]);
  });

  test("a sign of life that comes late, but before this client gives up, counts", async () => {
    const { line, time, session } = await extendedServer(person(), {}, both);
    for (let looks = 0; looks < 3; looks += 1) time.fire(5_000);
    await line.next();
    time.fire(5_000);
    line.send(reply(1, 1));
    await line.settled();
    expect([time.waits().includes(0), session.connection]).toEqual([false, "connected"]);
  });

  test("messages with their own id are sent again over a channel that was given open", async () => {
    const { dial, nextLine } = dialable();
    const problems: string[] = [];
    const answered = () => ({ items: [{ question_id: "q1", selected: ["q1_o1"] }] });
    const connected = connect(dial(), {
      ...person(answered),
      onProblem: (problem) => void problems.push(problem),
    });
    const line = await nextLine();
    line.reply((await line.next()).id, greeting({}, both));
    const session = await connected;
    line.ask("QuestionRequest", question);
    const answer = await line.next();
    line.send({ method: "alive", params: { seq: 1 } });
    await line.next();
    line.send(reply(3, 1, 1));
    const again = await line.next();
    expect([again.method, again.params]).toEqual(["answer", answer.params]);
    expect(again.id).not.toBe(answer.id);
    line.reply(again.id, { outcome });
    const turn = session.prompt("go");
    const prompt = await line.next();
    line.send({ method: "alive", params: { seq: 1 } });
    await line.next();
    line.send(reply(5, 3, 1));
    const prompted = await line.next();
    expect([prompted.method, prompted.params]).toEqual(["prompt", prompt.params]);
    line.reply(prompted.id, { status: "finished" });
    expect([problems.length, session.connection]).toEqual([2, "connected"]);
    line.event("TurnBegin", { user_input: "go", turn_id: (prompt.params as { turn_id?: string }).turn_id });
    line.event("TurnEnd", { turn_id: (prompt.params as { turn_id?: string }).turn_id });
    expect(await turn.result).toEqual({ status: "finished" });
  });
});
