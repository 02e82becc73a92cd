import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import {
  type Agent,
  defineTool,
  Interrupted,
  QuestionRequest,
  type Turn,
  wireSend,
} from "../../src/index.js";
import { colour } from "../scenario.js";
import { stores } from "../stores.js";
import { id, keptSession } from "./crashing.js";

const red = { answers: { "Which colour?": "Red" } };

/** An agent whose runs share a memory that no process loses, as a test sees more than an agent. */
const resuming = (run: (turn: Turn) => Promise<void>): Agent => ({ resumes: true, run });

async function askColour(): Promise<string> {
  const request = new QuestionRequest({ tool_call_id: "", questions: [colour] });
  wireSend(request);
  return Object.values(await request.wait()).join();
}

const paint = defineTool({
  name: "Paint",
  description: "asks",
  parameters: z.object({ what: z.string() }),
  restart: "again",
  run: ({ what }) => askColour().then((answer) => `${what} ${answer}`),
});

describe.each(stores)("a session that is kept %s", (_, store) => {
  describe("a custom loop whose process crashes", () => {
    test("a custom loop whose process crashes is run again, and each finished piece of work gives its result (P-RES-4, P-RES-7)", async () => {
      const done: string[] = [];
      const agent = resuming(async (turn) => {
        const plan = await turn.once("plan", () => {
          done.push("plan");
          return { walls: ["north", "south"] };
        });
        await turn.once("intro", () => turn.say("I begin."));
        const results: unknown[] = [];
        for (const wall of plan.walls) {
          turn.step();
          results.push((await turn.callTool(paint, { what: wall }, { key: wall })).output);
        }
        turn.say(`${turn.resumed?.attempt ?? 0}: ${results.join(", ")}`);
      });
      const kept = keptSession(store(), { agent });
      const { before, asked: first } = await kept.crashAt("QuestionRequest", []);
      before.reply(first, { request_id: first.id, ...red });
      const second = await before.seen("QuestionRequest", 2);

      const { client } = await kept.meet([]);
      const again = await client.seen("QuestionRequest");
      expect(again.id).toBe(second.id);
      client.reply(again, { request_id: again.id, ...red });
      expect((await client.seen("ContentPart")).params?.payload.text).toBe("1: north Red, south Red");
      await client.seen("TurnEnd");
      expect(client.story()).toEqual(["ToolResult", "ContentPart", "TurnEnd"]);
      expect(done).toEqual(["plan"]);
    });

    test("a custom loop finds equal questions by their keys, in whichever order it asks them (P-RES-6)", async () => {
      let order = ["north", "south"];
      const agent = resuming(async (turn) => {
        const said = order.map(async (key) => `${key} ${(await turn.ask("How many?", { key })).answer}`);
        turn.say((await Promise.all(said)).sort().join(", "));
      });
      const kept = keptSession(store(), { agent });
      const { before, asked: north } = await kept.crashAt("QuestionRequest", []);
      const south = await before.seen("QuestionRequest", 2);
      before.reply(south, { request_id: south.id, answers: { "How many?": "2" } });
      await before.settled();

      order = ["south", "north"];
      const { client } = await kept.meet([]);
      const again = await client.seen("QuestionRequest");
      expect(again.id).toBe(north.id);
      client.reply(again, { request_id: again.id, answers: { "How many?": "1" } });
      expect((await client.seen("ContentPart")).params?.payload.text).toBe("north 1, south 2");
    });

    test("a custom loop asks anew what has another content under the key, and the question that was left goes (P-RES-6)", async () => {
      let question = "How many?";
      const agent = resuming(async (turn) => turn.say(`${(await turn.ask(question, { key: "n" })).answer}`));
      const kept = keptSession(store(), { agent });
      const { asked } = await kept.crashAt("QuestionRequest", []);

      question = "How many more?";
      const { client } = await kept.meet([]);
      const again = await client.seen("QuestionRequest", 2);
      expect(again.id).not.toBe(asked.id);
      client.reply(again, { request_id: again.id, answers: { "How many more?": "1" } });
      expect((await client.seen("ContentPart")).params?.payload.text).toBe("1");
    });

    test("a custom loop finds by its content the question that it asked outside of a call (P-RES-6)", async () => {
      const agent = resuming(async (turn) => {
        const { answer } = await turn.ask("How?", ["Fast", "Well"]);
        turn.say(`${answer} ${await askColour()}`);
      });
      const kept = keptSession(store(), { agent });
      const { before, asked } = await kept.crashAt("QuestionRequest", []);
      before.reply(asked, { request_id: asked.id, answers: { "How?": "Well" } });
      const open = await before.seen("QuestionRequest", 2);

      const { client } = await kept.meet([]);
      const again = await client.seen("QuestionRequest");
      expect(again.id).toBe(open.id);
      client.reply(again, { request_id: again.id, ...red });
      expect((await client.seen("ContentPart")).params?.payload.text).toBe("Well Red");
    });

    test("a custom loop is told of work that was begun and not finished, unless that may run again (P-RES-7)", async () => {
      let runs = 0;
      const stuck = () => {
        runs += 1;
        return runs < 3 ? new Promise<never>(() => {}) : "done";
      };
      const told: unknown[] = [];
      const agent = resuming(async (turn) => {
        const again = turn.once("read", stuck, { again: true });
        const once = turn.once("send", stuck).catch((error) => told.push(error));
        await Promise.all([again, once]);
      });
      const kept = keptSession(store(), { agent });
      await kept.crashAt("TurnBegin", []);
      await expect.poll(() => runs).toBe(2);

      const { client } = await kept.meet([]);
      await client.seen("TurnEnd");
      expect([runs, told]).toEqual([3, [expect.any(Interrupted)]]);
    });

    test("a custom loop uses each key once, and keeps only JSON (P-RES-7)", async () => {
      const errors: unknown[] = [];
      const agent = resuming(async (turn) => {
        await turn.once("a", () => 1);
        await turn.once("a", () => 2).catch((error) => errors.push(error.message));
        await turn.once("b", () => () => {}).catch((error) => errors.push(error.message));
      });
      const set = keptSession(store(), { agent }).start([]);
      const { client } = await set.meet({ sessionId: id });
      await client.call("prompt", { user_input: "go" });
      expect(errors).toEqual([
        'turn.once: the key "a" was used in this turn',
        'turn.once: "b": expected a JSON value',
      ]);
      await set.server.close();
    });

    test("a custom loop in a session that is not kept does its work nevertheless", async () => {
      const results: unknown[] = [];
      const agent = resuming(async (turn) => {
        results.push(await turn.once("a", () => 1), turn.resumed);
      });
      const set = keptSession(store(), { agent }).start([], {
        keep: undefined as never,
        store: undefined as never,
      });
      const { client } = await set.meet();
      await client.call("prompt", { user_input: "go" });
      expect(results).toEqual([1, undefined]);
      await set.server.close();
    });
  });
});
