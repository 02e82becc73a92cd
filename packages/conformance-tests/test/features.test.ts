// The features of the extended profile over every transport: one suite, in which a transport is a way to a server.

import type { ClientSession, ConnectOptions, QuestionView } from "@askwire/client";
import type { HeardSession } from "@askwire/protocol";
import { type Agent, ApprovalRequest, createServer, QuestionRequest, wireSend } from "@askwire/server";
import { describe, expect, onTestFinished, test } from "vitest";
import { deferred } from "../../../scripts/deferred.js";
import { type Place, ways, waysForMany } from "./ways.js";

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

function served(run: Agent["run"], attendance: "attended" | "hold" = "attended") {
  const server = createServer({ agent: { run }, log: quiet, attendance });
  onTestFinished(() => server.close());
  return server;
}

type Open = (options: ConnectOptions) => Promise<ClientSession>;

/** Prompts in a session that is opened for it, and reads the agent's words as JSON. */
async function saidOver(open: Open, options: ConnectOptions): Promise<unknown> {
  const session = await open(options);
  let said = "";
  for await (const { type, payload } of session.prompt("go")) {
    if (type === "ContentPart" && payload.type === "text") said += payload.text;
  }
  await session.close();
  return JSON.parse(said);
}

const questions = [
  { question: "Which port?", field: { type: "integer", bounds: { min: 1, max: 65535 }, prefill: "8080" } },
  { question: "With TLS?", field: { type: "boolean" } },
  { question: "From when?", field: { type: "date", required: false } },
  { question: "Which name?", field: { type: "text", pattern: "^[a-z]+$" } },
  {
    question: "Which parts?",
    options: [{ label: "A" }, { label: "B" }, { label: "C" }],
    multi_select: true,
    min: 2,
    max: 2,
  },
] as const;

/** An agent that asks for values, and says the answers or why there are none. */
const asksForValues: Agent["run"] = async (turn) => {
  const list = questions as unknown as ConstructorParameters<typeof QuestionRequest>[0]["questions"];
  const request = new QuestionRequest({ tool_call_id: turn.id, questions: list });
  wireSend(request);
  turn.say(JSON.stringify(await request.wait().catch(() => request.outcome)));
};

/** An agent that asks before it sends a mail, whose text may be changed. */
const sendsMail: Agent["run"] = async (turn) => {
  const request = new ApprovalRequest({
    tool_call_id: turn.id,
    sender: "Mail",
    action: "send mail",
    description: "Send it",
    edit: { content: "Dear Ada", check: (text) => (text === "" ? "expected a text" : undefined) },
  });
  wireSend(request);
  const { edited } = await request.wait();
  turn.say(JSON.stringify([edited ?? "Dear Ada", request.outcome?.degraded ?? []]));
};

const values = (...texts: string[]) => ({
  items: [
    ...texts.map((own_text, index) => ({ question_id: `q${index + 1}`, selected: [], own_text })),
    { question_id: "q5", selected: ["q5_o1", "q5_o3"] },
  ],
});
const byText = (port: string) => ({
  answers: { "Which port?": port, "With TLS?": "No", "Which name?": "ada", "Which parts?": "A, C" },
});
const canonical = {
  "Which port?": "443",
  "With TLS?": "true",
  "From when?": "2026-03-01",
  "Which name?": "ada",
  "Which parts?": "A, C",
};

describe.each(ways)("over %s", (_name, way) => {
  const over =
    (run: Agent["run"]): Open =>
    (options) =>
      way(served(run), options, {});

  test("fields are shown by their type, refused with their mistakes, and answered in canonical form (P-XFL-1, P-XFL-3)", async () => {
    const views: QuestionView[] = [];
    const mistakes: string[][] = [];
    const said = await saidOver(over(asksForValues), {
      shows: { fields: true },
      handlers: {
        question(view, { issues }) {
          views.push(view);
          mistakes.push(issues.map(({ question_id, code }) => `${question_id}: ${code}`));
          return issues.length === 0
            ? values("0", "perhaps", "soon", "Ada")
            : values(" 0443", "yes", "2026-3-1", "ada");
        },
      },
    });
    expect(views[0]?.questions.map(({ field, min, max }) => field ?? { min, max })).toEqual(
      questions.map((asked) => ("field" in asked ? asked.field : { min: 2, max: 2 })),
    );
    expect(mistakes).toEqual([[], ["q1: bounds", "q2: type", "q3: type", "q4: pattern"]]);
    expect(said).toEqual(canonical);
  });

  test("a client without fields is asked for them as text, with the same answers (P-XFL-8)", async () => {
    const bodies: string[] = [];
    const said = await saidOver(over(asksForValues), {
      handlers: {
        question(view) {
          bodies.push(...view.questions.map(({ body }) => body));
          expect(view.questions.every(({ field, min }) => field === undefined && min === undefined)).toBe(
            true,
          );
          return values("443", "true", "2026-03-01", "ada");
        },
      },
    });
    expect(bodies[0]).toBe("Expected: a whole number from 1 to 65535.");
    expect(said).toEqual(canonical);
  });

  test("a base client is asked for a value again, three times, and then the question ends with what was said (P-XFL-9)", async () => {
    const asked: string[] = [];
    const answer = (ports: readonly string[]) =>
      saidOver(over(asksForValues), {
        profile: "base",
        handlers: {
          question({ questions: [first] }) {
            asked.push(first?.body ?? "");
            return byText(ports[asked.length - 1] ?? "none");
          },
        },
      });
    expect(await answer(["none", "+8080"])).toMatchObject({ "Which port?": "8080", "With TLS?": "false" });
    expect(asked[1]).toBe('Not taken: expected a whole number from 1 to 65535, found "none".');
    asked.length = 0;
    expect(await answer([])).toMatchObject({ status: "unavailable", reason: "protocol_error", note: "none" });
    expect(asked).toHaveLength(4);
  });

  test("a text is changed before it is approved, refused where it does not fit, and what was changed is done (P-XAO-3)", async () => {
    const mistakes: string[][] = [];
    const said = await saidOver(over(sendsMail), {
      shows: { edits: true },
      handlers: {
        approval({ edit }, { issues }) {
          mistakes.push(issues.map(({ code }) => code));
          return { response: "approve", edited: issues.length === 0 ? "" : `${edit?.content} and Ben` };
        },
      },
    });
    expect(mistakes).toEqual([[], ["edited"]]);
    expect(said).toEqual(["Dear Ada and Ben", []]);
  });

  test.each(["base", "extended"] as const)(
    "a client of the %s profile that changes no texts approves it unchanged, and the outcome says so (P-XAO-6)",
    async (profile) => {
      const said = await saidOver(over(sendsMail), {
        profile,
        handlers: { approval: ({ edit }) => (edit === undefined ? "approve" : "reject") },
      });
      expect(said).toEqual(["Dear Ada", [{ feature: "edit" }]]);
    },
  );

  test("a question in the background is answered while the agent continues (P-XBG-1)", async () => {
    const { promise: working, resolve: goesOn } = deferred();
    const inBackground: boolean[] = [];
    const asks: Agent["run"] = async (turn) => {
      const ask = { tool_call_id: "later", questions: [{ question: "Red?" }], background: true };
      const request = new QuestionRequest(ask);
      wireSend(request);
      turn.say("[");
      turn.say(`${JSON.stringify(await request.wait())}]`);
    };
    const said = await saidOver(over(asks), {
      handlers: {
        event: ({ type }) => void (type === "ContentPart" && goesOn()),
        async question({ background = false }) {
          inBackground.push(background);
          await working;
          return { answers: { "Red?": "yes" } };
        },
      },
    });
    expect([inBackground, said]).toEqual([[true], [{ "Red?": "yes" }]]);
  });
});

describe.each(waysForMany)("of several clients over %s", (_name, way) => {
  const red: Agent["run"] = async (turn) => {
    const request = new QuestionRequest({ tool_call_id: "tc", questions: [{ question: "Red?" }] });
    wireSend(request);
    turn.say(JSON.stringify(await request.wait()));
  };
  const open = async (place: Place, options: ConnectOptions, server = served(red, "hold")) => {
    const session = await way(server, options, place);
    onTestFinished(() => session.close());
    return session;
  };

  test("one of several clients watches the sessions of the server (P-XSE-5)", async () => {
    const server = served(red, "hold");
    const session = await open({}, {}, server);
    const lists = session.watchSessions();
    const waits = (list: readonly HeardSession[]) => list.find(({ open = 0 }) => open > 0);
    const until = async (fits: (list: readonly HeardSession[]) => boolean) => {
      for await (const list of { [Symbol.asyncIterator]: () => ({ next: () => lists.next() }) })
        if (fits(list)) return list;
      throw new Error("the watch ended");
    };
    await until((list) => list.length > 0);
    const made = server.createSession();
    const prompt = made.prompt("Paint it");
    const found = waits(await until((list) => waits(list) !== undefined));
    expect(found).toMatchObject({
      id: made.id,
      title: "Paint it",
      oldest: { kind: "question", text: "Red?" },
    });
    await made.close();
    expect(await prompt).toEqual({ status: "cancelled" });
    await until((list) => !list.some(({ id }) => id === made.id));
    await lists.return?.();
    expect((await session.listSessions()).length).toBeGreaterThan(0);
  });

  test("a client that joins while a turn runs is told what was before, then asked, then told the rest (P-XHI-1)", async () => {
    const server = served(red, "hold");
    const session = server.createSession();
    await open({ session }, {}, server);
    const prompt = session.prompt("Paint it");
    const told: string[] = [];
    await open(
      { session },
      {
        handlers: {
          history: {
            event: ({ type }) => void told.push(`before: ${type}`),
            end: (whole) => void told.push(`whole: ${whole}`),
          },
          event: ({ type }) => void told.push(type),
          question() {
            told.push("asked");
            return { answers: { "Red?": "yes" } };
          },
        },
      },
      server,
    );
    expect(await prompt).toEqual({ status: "finished" });
    while (told.at(-1) !== "TurnEnd") await new Promise(setImmediate);
    expect(told).toEqual([
      "before: TurnBegin",
      "before: InteractionOpened",
      "whole: true",
      "asked",
      "InteractionSettled",
      "ContentPart",
      "TurnEnd",
    ]);
  });

  test("a client that may only answer is asked, and its prompt is refused (P-XRL-2)", async () => {
    const server = served(red, "hold");
    const session = server.createSession();
    const handlers = { question: () => ({ answers: { "Red?": "yes" } }) };
    const client = await open({ session, role: "answer" }, { handlers }, server);
    expect(client.role).toBe("answer");
    await expect(client.prompt("Paint it").result).rejects.toMatchObject({ code: -32014 });
    expect(await session.prompt("Paint it")).toEqual({ status: "finished" });
  });
});
