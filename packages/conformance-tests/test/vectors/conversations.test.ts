import { eventIntroduced } from "@askwire/protocol";
import { type Attendance, QuestionRequest, wireSend } from "@askwire/server";
import { describe, expect, test } from "vitest";
import { vectors } from "../../../../scripts/vectors.js";
import { dialects } from "../../../dialects/src/index.js";
import type { Message, RawClient } from "../../../server/test/raw-client.js";
import { callLine, scenario, toolResult } from "../../../server/test/scenario.js";
import { tellVersionedEvents } from "../../../server/test/versioned-events.js";

interface Reply {
  readonly result?: object | string | null;
  readonly whole?: true;
  readonly error?: { readonly code: number; readonly message: string };
  readonly does?: "close" | "cancel";
}

/** Does with a request what a vector says. */
async function react(client: RawClient, request: Message, { result, whole, error, does }: Reply) {
  if (does === "close") client.close();
  else if (does === "cancel") await client.call("cancel");
  else if (error !== undefined) client.replyError(request, error.code, error.message);
  else client.reply(request, whole ? result : { request_id: request.id, ...(result as object) });
}

interface Outcomes extends Reply {
  readonly questions: ConstructorParameters<typeof QuestionRequest>[0]["questions"];
  readonly outcome: object;
}

describe("outcomes in the vectors (P-ANS-5, P-OUT-1)", () => {
  test.each(vectors<Outcomes>("askwire-draft/outcomes.json"))(
    "a base client's reaction becomes the outcome that the vector says: $name",
    async ({ questions, outcome, ...reply }) => {
      const request = new QuestionRequest({ tool_call_id: "tc", questions });
      const run = async () => {
        wireSend(request);
        await request.wait().catch(() => {});
      };
      const { client } = await scenario([], { run }).meet();
      const { prompt, asked } = await client.begin("QuestionRequest");
      await react(client, asked, reply);
      if (reply.does !== "close") await prompt;
      await request.wait().catch(() => {});
      expect(request.outcome).toMatchObject(outcome);
      client.close();
    },
  );
});

interface Dialects extends Reply {
  readonly dialect: "kimi" | "klaude" | "redc" | "kilo";
  readonly tool: string;
  readonly arguments: object;
  readonly client?: "shows no questions";
  readonly attendance?: Attendance;
  readonly do_not_ask?: true;
  readonly told: object;
}

describe("texts for the model in the vectors (P-KIM-7, P-KLA-4, P-RED-4, P-KIL-4)", () => {
  test.each(vectors<Dialects>("askwire-draft/dialect-results.json"))(
    "the model is told what the vector says: $name",
    async (vector) => {
      const { client: shows, attendance = "attended", do_not_ask, told, ...reply } = vector;
      const dialect = dialects[vector.dialect]();
      const script = callLine(vector.tool, vector.arguments);
      const { meet } = scenario([script, "text: done"], { dialects: [dialect], attendance });
      const { client, session } = await meet({}, { supports_question: shows === undefined });
      if (do_not_ask) session.doNotAsk = true;
      const isAsked = shows === undefined && attendance === "attended" && !do_not_ask;
      const prompt = client.call("prompt", { user_input: "go" });
      if (isAsked) await react(client, await client.seen("QuestionRequest"), reply);
      expect(await toolResult(client)).toMatchObject(told);
      await prompt;
      expect(client.received.some(({ params }) => params?.type === "QuestionRequest")).toBe(isAsked);
      client.close();
    },
  );
});

interface Versions {
  readonly initialize: object | null;
  readonly withheld: readonly string[];
}

describe("versions in the vectors (P-VER-2, P-VER-3)", () => {
  test.each(vectors<Versions>("askwire-draft/versions.json"))(
    "a client is spared the events that the vector says: $name",
    async ({ initialize, withheld }) => {
      const { client } = scenario([], { run: tellVersionedEvents }).connect();
      if (initialize !== null) await client.call("initialize", initialize);
      await client.call("prompt", { user_input: "go" });
      const told = client.received.map(({ params }) => params?.type);
      const missing = Object.keys(eventIntroduced).filter((type) => !told.includes(type));
      expect(missing.sort()).toEqual([...withheld].sort());
      client.close();
    },
  );
});
