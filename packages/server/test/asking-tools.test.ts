// Custom tools that ask in every way and let errors of the wait through. The model then reads the next step.

import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { modelAgent, scriptedModel } from "../../agent/src/index.js";
import {
  ApprovalRequest,
  ask,
  type DeadlineInit,
  defineTool,
  QuestionRequest,
  QuestionUnavailable,
  requireApproval,
  type ServerOptions,
  type Session,
  type Tool,
  ToolError,
  type ToolRun,
  type Turn,
  wireSend,
} from "../src/index.js";
import { errorFor } from "../src/requests/errors.js";
import { outcomeNow } from "../src/requests/interaction.js";
import { userInteractions } from "../src/user-interactions.js";
import { drivenClock } from "./driven-clock.js";
import { meetExtended } from "./extended/extended-client.js";
import { payload, type RawClient } from "./raw-client.js";
import { callLine, colour, keptLog, scenario, toolResult } from "./scenario.js";
import { stdioClient } from "./stdio-client.js";

const go = { user_input: "go" };
const inText = "ask the user in plain text in your response instead.";

type Work = (run: ToolRun, session: Session) => Promise<string | ToolError>;

const question = ({ toolCall }: ToolRun, more: { deadline?: DeadlineInit } = {}) =>
  new QuestionRequest({ tool_call_id: toolCall.id, questions: [colour], ...more });

async function waits(run: ToolRun): Promise<string> {
  const request = question(run);
  wireSend(request);
  return JSON.stringify(await request.wait());
}

/** Ways of asking a question. */
const questions: { readonly [name: string]: Work } = {
  "wait()": waits,
  async "waitForAnswer()"(run) {
    const request = question(run);
    wireSend(request);
    return JSON.stringify((await request.waitForAnswer()).items);
  },
  async "ask()"() {
    const asked = await ask({
      question: "Delete it?",
      options: [
        { id: "yes", label: "Yes" },
        { id: "no", label: "No" },
      ],
      own_text: false,
    });
    return asked.answer === undefined ? asked.toolError : asked.answer;
  },
};

/** Ways of asking for an approval. */
const approvals: { readonly [name: string]: Work } = {
  async "requireApproval()"() {
    await requireApproval({ action: "delete", description: "delete it" });
    return "deleted";
  },
  async "an ApprovalRequest"({ toolCall: { id } }) {
    const request = new ApprovalRequest({
      tool_call_id: id,
      sender: "Ask",
      action: "delete",
      description: "d",
    });
    wireSend(request);
    const { response, feedback } = await request.wait();
    return response === "reject" ? new ToolError({ message: feedback, brief: "No" }) : "deleted";
  },
};

const asking = (work: Work, session: () => Session): Tool =>
  defineTool({
    name: "Ask",
    description: "asks",
    parameters: z.object({}),
    run: (_params, run) => work(run, session()),
  });

/** The loops that a tool runs in: a model's, and a custom one. */
const loops: { readonly [name: string]: (tool: Tool) => (turn: Turn) => Promise<unknown> } = {
  "a model's loop": (tool) => {
    const { run } = modelAgent({ model: scriptedModel([callLine("Ask", {}), "text: b"]), tools: [tool] });
    return (turn) => run(turn);
  },
  "a loop of one's own": (tool) => async (turn) => {
    turn.step();
    const { is_error, message } = await turn.callTool(tool, {});
    turn.say(is_error ? message : "answered");
  },
};

/** A server whose agent calls a tool once. */
function calling(work: Work, loop = "a loop of one's own", options: Partial<ServerOptions> = {}) {
  let session: Session | undefined;
  const tool = asking(work, () => session as Session);
  const run = loops[loop]?.(tool) as (turn: Turn) => Promise<void>;
  const set = scenario([], { run, dialects: [], ...options });
  return {
    ...set,
    attach(there: Session) {
      session = there;
    },
  };
}

type Profile = "base" | "extended";

/** A client of a profile, in the session of whose agent the tool asks. */
async function meet(set: ReturnType<typeof calling>, profile: Profile, canAsk: boolean) {
  const met =
    profile === "base"
      ? await set.meet({}, { supports_question: canAsk })
      : await meetExtended(set, {}, { question: canAsk });
  set.attach(met.session);
  return met;
}

/** The message of the tool's failed result. */
async function failure(client: RawClient): Promise<string> {
  const { is_error, message, display } = await toolResult(client);
  expect(is_error).toBe(true);
  expect(display).toEqual([{ type: "brief", text: expect.stringMatching(/^[A-Z]/) }]);
  return message as string;
}

const profiles: readonly Profile[] = ["base", "extended"];
const matrix = profiles.flatMap((profile) =>
  Object.keys(loops).flatMap((loop) =>
    Object.keys(questions).map((way) => [way, loop, profile] as [string, string, Profile]),
  ),
);

describe("where no client can show questions", () => {
  test.each(matrix)(
    "a tool that lets %s through in %s tells the model to ask in plain text: %s profile (P-OUT-7)",
    async (way, loop, profile) => {
      const { client } = await meet(calling(questions[way] as Work, loop), profile, false);
      expect((await client.call("prompt", go)).result).toEqual({ status: "finished" });
      expect(await failure(client)).toBe(
        `The question was not asked: no connected client can show questions. Do not call this tool again for it; ${inText}`,
      );
    },
  );

  test("the loop's model reads as the tool's result that no client can show questions (P-OUT-7)", async () => {
    const tool = asking(waits, () => undefined as never);
    const set = scenario([callLine("Ask", {}), "text: b"], { tools: [tool] });
    const { client } = await set.meet({}, null);
    await client.call("prompt", go);
    const read = set.model.requests[1]?.messages.at(-1);
    expect(read).toMatchObject({
      role: "tool",
      result: { is_error: true, message: expect.stringContaining(inText) },
    });
  });

  test("a tool says over standard streams too that no client can show questions (P-OUT-7)", async () => {
    const tool = asking(waits, () => undefined as never);
    const run = loops["a loop of one's own"]?.(tool) as (turn: Turn) => Promise<void>;
    const said: string[] = [];
    const client = stdioClient({
      log: keptLog(),
      agent: {
        async run(turn) {
          await run({ ...turn, say: (text) => void said.push(text) } as Turn);
        },
      },
    });
    client.send({ jsonrpc: "2.0", id: "i", method: "initialize", params: { protocol_version: "1.10" } });
    client.send({ jsonrpc: "2.0", id: "p", method: "prompt", params: go });
    await client.until(() => client.responses.has("p"));
    expect(said).toEqual([expect.stringContaining(inText)]);
    await client.end();
  });
});

describe("any other ending", () => {
  test.each(matrix.filter(([, loop]) => loop === "a loop of one's own"))(
    "a client that is asked by %s in %s and says -32601 cannot show it: %s profile (P-OUT-7)",
    async (way, loop, profile) => {
      const { client } = await meet(calling(questions[way] as Work, loop), profile, true);
      const prompt = client.call("prompt", go);
      client.replyError(await client.seen("QuestionRequest"), -32601, "no screen");
      const message = await failure(client);
      expect(message).toContain(inText);
      expect(message).toContain("The reason: no screen");
      await prompt;
    },
  );

  const ends = [
    [
      "to decide where nobody is there by a rule",
      { attendance: "decline" },
      "nobody is present. Do not ask again; decide by yourself, and say at the end what you decided.",
    ],
    [
      "so where too many requests are open",
      { maxOpenRequests: 0 },
      "too many requests are open. Wait for their results, then ask again.",
    ],
  ] as const;

  test.each(
    Object.entries(questions).flatMap(([way, work]) => ends.map((end) => [way, ...end, work] as const)),
  )("%s tells the model %s (P-OUT-7)", async (_way, _what, options, why, work) => {
    const { client } = await meet(calling(work, undefined, options), "base", true);
    await client.call("prompt", go);
    expect(await failure(client)).toBe(`The question was not asked: ${why}`);
  });

  test("wait() tells the model that its deadline passed (P-OUT-7)", async () => {
    const clock = drivenClock();
    const work: Work = async (run) => {
      const request = question(run, { deadline: { ms: 60_000, on_expiry: "cancel" } });
      wireSend(request);
      return JSON.stringify(await request.wait());
    };
    const { client } = await meet(calling(work, undefined, { clock }), "base", true);
    const prompt = client.call("prompt", go);
    await client.seen("QuestionRequest");
    clock.advance(60_000);
    expect(await failure(client)).toMatch(/^Nobody answered the question in time\..*silence for consent\.$/);
    await prompt;
  });

  test("wait() in a sub-agent tells the sub-agent's own loop how it ended (P-OUT-7, P-SUB-3)", async () => {
    const read: string[] = [];
    const inner = asking(waits, () => undefined as never);
    const work: Work = async ({ subagent }) => {
      const agent = {
        run: async (turn: Turn) => void read.push((await turn.callTool(inner, {})).message),
      };
      return (await subagent({ agent, type: "coder", input: "x" })).text;
    };
    const { client } = await meet(calling(work), "base", true);
    await client.call("prompt", go);
    expect(read).toEqual([
      "The question was not asked: a sub-agent cannot ask the user. Decide by yourself, and name the open question in your result.",
    ]);
  });

  test("an error that a sub-agent does not catch reaches the loop that it works for (P-OUT-7)", async () => {
    const work: Work = async (run) => {
      const agent = { run: async () => void (await waits(run)) };
      return (await run.subagent({ agent, type: "coder", input: "x" })).text;
    };
    const { client } = await meet(calling(work), "base", true);
    await client.call("prompt", go);
    expect(await failure(client)).toContain("a sub-agent cannot ask the user");
  });

  test("a request of userInteractions is refused with a text for the model where another question is open (P-OUT-7, P-KLA-8)", async () => {
    const work: Work = async (_, session) => {
      const channel = userInteractions(session);
      const ask = () =>
        channel.request({
          source: "tool",
          payload: { kind: "ask_user_question", questions: [{ ...colour, header: "", multi_select: false }] },
        } as Parameters<typeof channel.request>[0]);
      const first = ask().catch(() => {});
      try {
        return JSON.stringify(await ask());
      } finally {
        channel.close();
        void first;
      }
    };
    const { client } = await meet(calling(work), "base", false);
    await client.call("prompt", go);
    expect(await failure(client)).toBe(
      "The question was not asked: another question is open. Wait for its answer, then ask again.",
    );
  });

  test.each(Object.entries(approvals))(
    "%s tells the model that its client failed (P-OUT-6)",
    async (_, work) => {
      const { client } = await meet(calling(work), "base", true);
      const prompt = client.call("prompt", go);
      client.replyError(await client.seen("ApprovalRequest"), -32601, "no screen");
      const message = await failure(client);
      expect(message).toContain("Nobody could answer whether this call is approved (unsupported: no screen)");
      expect(message).toContain("Do not get the same effect in another way");
      await prompt;
    },
  );

  test("an approval that its own agent takes back has its text for the model (P-OUT-7)", async () => {
    const work: Work = async ({ toolCall: { id } }) => {
      const init = { tool_call_id: id, sender: "Ask", action: "delete", description: "d" };
      const request = new ApprovalRequest(init);
      wireSend(request);
      request.reject("changed my mind");
      return (await request.wait()).response;
    };
    const { client } = await meet(calling(work), "base", true);
    await client.call("prompt", go);
    expect(await failure(client)).toContain("is approved (agent: changed my mind), so nothing was done.");
  });

  test.each([
    ["closes it", {}, "The user closed the question without an answer."],
    ["answers in own words", { answers: { "Delete it?": "rather not" } }, "They said: rather not"],
    ["answers something else", { answers: { "Else?": "Yes" } }, "The user chose none of the options."],
  ])("ask() tells the model so where the person %s (P-OUT-7)", async (_, said, text) => {
    const { client } = await meet(calling(questions["ask()"] as Work), "base", true);
    const prompt = client.call("prompt", go);
    const asked = await client.seen("QuestionRequest");
    expect(payload(asked).questions).toHaveLength(1);
    client.reply(asked, { request_id: asked.id, answers: {}, ...said });
    expect(await failure(client)).toContain(text);
    await prompt;
  });
});

test("an answer reaches the tool unchanged, and ask() has no error", async () => {
  const { client } = await meet(calling(questions["ask()"] as Work), "base", true);
  const prompt = client.call("prompt", go);
  const asked = await client.seen("QuestionRequest");
  client.reply(asked, { request_id: asked.id, answers: { "Delete it?": "Yes" } });
  expect(await toolResult(client)).toMatchObject({ is_error: false, output: "yes" });
  await prompt;
});

test("a tool that catches what wait() throws gets its text too, and so does a tool of a custom class", async () => {
  const by = "system" as const;
  const error = errorFor(outcomeNow("unavailable", { reason: "client_lost", by }));
  expect(error).toBeInstanceOf(QuestionUnavailable);
  expect(error.toolError).toBeInstanceOf(ToolError);
  expect(error.toolError.brief).toBe("Client is gone");
  const own: Tool = {
    name: "Own",
    description: "own",
    parameters: {},
    call: () => Promise.reject(error),
  };
  const { client } = await scenario([callLine("Own", {}), "text: b"], { tools: [own] }).meet();
  await client.call("prompt", go);
  expect(await failure(client)).toBe(error.toolError.message);
});

test("a turn that is cancelled while a tool waits ends without a result of it (P-TRN-6)", async () => {
  const { client } = await meet(calling(waits), "base", true);
  const prompt = client.call("prompt", go);
  await client.seen("QuestionRequest");
  await client.call("cancel");
  expect((await prompt).result).toEqual({ status: "cancelled" });
  expect(client.story()).not.toContain("ToolResult");
});
