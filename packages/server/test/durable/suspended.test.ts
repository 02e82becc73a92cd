import { describe, expect, test } from "vitest";
import { deferred } from "../../../../scripts/deferred.js";
import { QuestionRequest, SessionSuspended, wireSend } from "../../src/index.js";
import { meetAsked } from "../extended/extended-client.js";
import { asks, colour, toolResult } from "../scenario.js";
import { stores } from "../stores.js";
import { id, keptSession } from "./crashing.js";

const red = { answers: { "Which colour?": "Red" } };

describe.each(stores)("a session that is kept %s", (_, store) => {
  describe("a process that ends in good order (P-RES-9)", () => {
    test.each(["the server closes", "the only client is gone"])(
      "a turn is left to the next process when %s",
      async (how) => {
        const kept = keptSession(store());
        const first = kept.start([asks()]);
        const { client: before, closed } = await first.meet({ sessionId: id });
        const { asked } = await before.begin("QuestionRequest");
        await before.seen("StatusUpdate");
        before.story();
        if (how === "the server closes") await first.server.close();
        else before.close();
        await closed;
        expect(before.story()).toEqual([]);
        expect(first.server.sessions.size).toBe(0);
        const ends = ["InteractionSettled", "TurnEnd", "TurnEnded", "ToolResult"];
        expect((await kept.records()).filter(({ type }) => ends.includes(type))).toEqual([]);
        expect((await kept.records()).at(-1)?.type).toBe("TurnSuspended");

        const { client, model } = await kept.meet(["text: Red it is."]);
        const again = await client.seen("QuestionRequest");
        expect(again.id).toBe(asked.id);
        client.reply(again, { request_id: again.id, ...red });
        expect(await toolResult(client)).toMatchObject({ is_error: false });
        await client.seen("TurnEnd");
        expect(model.requests.at(-1)?.messages.map(({ role }) => role)).toEqual([
          "user",
          "assistant",
          "tool",
        ]);
      },
    );

    test("each wait throws SessionSuspended as its process ends, also one that begins later, and nothing is settled", async () => {
      const kept = keptSession(store());
      const thrown: unknown[] = [];
      const ask = () => {
        const request = new QuestionRequest({ tool_call_id: "", questions: [colour] });
        wireSend(request);
        return request;
      };
      const { promise: over, resolve: ended } = deferred();
      const agent = {
        resumes: true,
        async run() {
          const request = ask();
          await request.wait().catch((error) => thrown.push(error));
          await request.wait().catch((error) => thrown.push(error));
          await ask()
            .wait()
            .catch((error) => thrown.push(error));
          ended();
        },
      };
      const first = kept.start([], { agent });
      const { client } = await meetAsked("QuestionRequest", first, { sessionId: id });
      await first.server.close();
      await over;
      expect(thrown).toHaveLength(3);
      for (const error of thrown) expect(error).toBeInstanceOf(SessionSuspended);
      expect(client.events("InteractionSettled")).toEqual([]);
      expect(client.isClosed).toBe(true);
    });

    test("a session that is closed by method, and a turn that is cancelled, are not left to the next process", async () => {
      for (const end of ["close", "cancel"] as const) {
        const kept = keptSession(store());
        const first = kept.start([asks()]);
        const { client, session } = await first.meet({ sessionId: id });
        await client.begin("QuestionRequest");
        if (end === "close") await session.close();
        else await client.call("cancel");
        await client.seen("TurnEnd");
        await first.server.close();
        expect((await kept.records()).filter(({ type }) => type === "InteractionSettled")).toHaveLength(1);
        const next = kept.start([]);
        expect((await next.server.openSession({ id })).running).toBe(false);
        await next.server.close();
      }
    });

    test("a turn is left as often as its process ends", async () => {
      const kept = keptSession(store());
      const { asked, server } = await kept.crashAt("QuestionRequest", [asks()]);
      await server.close();
      for (let round = 0; round < 4; round += 1) {
        const { client } = await kept.meet([]);
        expect((await client.seen("QuestionRequest")).id).toBe(asked.id);
      }
      // A session that nobody came to is left as it was.
      const unseen = kept.start([]);
      expect((await unseen.server.openSession({ id })).state).toBe("waiting");
      await unseen.server.close();
      const { client } = await kept.meet(["text: ok"]);
      const again = await client.seen("QuestionRequest");
      client.reply(again, { request_id: again.id, ...red });
      await client.seen("TurnEnd");
    });
  });
});
