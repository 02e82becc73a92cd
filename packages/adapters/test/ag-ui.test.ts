import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { HttpAgent, type Interrupt, type RunAgentInput } from "@ag-ui/client";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../server/test/until.js";
import { driveAgUi } from "../src/ag-ui.js";
import { people, waiting } from "./people.js";

/** A client of an agent that stops for these interrupts, run by run, and what the agent was sent. */
async function agent(...runs: Interrupt[][]) {
  const sent: RunAgentInput[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const input: RunAgentInput = JSON.parse(text);
    const interrupts = runs[sent.push(input) - 1] ?? [];
    const { threadId, runId } = input;
    const outcome = interrupts.length > 0 ? { type: "interrupt", interrupts } : { type: "success" };
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of [{ type: "RUN_STARTED" }, { type: "RUN_FINISHED", outcome }]) {
      response.write(`data: ${JSON.stringify({ ...event, threadId, runId })}\n\n`);
    }
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = () => new HttpAgent({ url, threadId: "thread-1" });
  return { agent: client(), sent, client };
}

const approval: Interrupt = {
  id: "i1",
  reason: "tool_call",
  message: "Deploy build 42?",
  responseSchema: {
    type: "object",
    properties: { approved: { type: "boolean" }, note: { type: "string" } },
    required: ["approved"],
  },
};
const colour: Interrupt = {
  id: "i2",
  reason: "input_required",
  message: "Which colour?",
  responseSchema: { type: "string", enum: ["red", "blue"] },
};

/** A person who gives these answers by the question's text. */
const saying = (texts: Record<string, string>) => ({
  question: ({
    questions,
  }: {
    questions: readonly { question: string; options: readonly { id: string; label: string }[] }[];
  }) => ({
    items: questions.map(({ question, options }, index) => {
      const question_id = `q${index + 1}`;
      const text = texts[question];
      if (text === undefined) return { question_id, selected: [], skipped: true };
      if (options.length > 0)
        return {
          question_id,
          selected: options.flatMap(({ id, label }) => ([id, label].includes(text) ? [id] : [])),
        };
      return { question_id, selected: [], own_text: text };
    }),
  }),
});

test("all interrupts of a run are answered at once, each by a form of its own schema, until none is left", async () => {
  const { agent: client, sent } = await agent([approval, colour], [{ id: "i3", reason: "Your name?" }]);
  const { session } = await people(
    saying({ approved: "true", "Which colour?": "blue", "Your name?": "Ann" }),
  );
  await driveAgUi(session, { agent: client, parameters: { forwardedProps: { tenant: 7 } } });
  expect(sent.map(({ resume }) => resume)).toEqual([
    undefined,
    [
      { interruptId: "i1", status: "resolved", payload: { approved: true } },
      { interruptId: "i2", status: "resolved", payload: "blue" },
    ],
    [{ interruptId: "i3", status: "resolved", payload: "Ann" }],
  ]);
  expect(sent.map(({ forwardedProps }) => forwardedProps)).toEqual(Array(3).fill({ tenant: 7 }));
});

test("an interrupt that the person declines, or that nobody can answer, is cancelled and never resolved", async () => {
  const cancelled = [{ interruptId: "i1", status: "cancelled" }];
  const declined = await agent([approval]);
  await driveAgUi((await people({ question: () => "declined" })).session, { agent: declined.agent });
  expect(declined.sent[1]?.resume).toEqual(cancelled);
  const unseen = await agent([approval]);
  await driveAgUi((await people()).session, { agent: unseen.agent });
  expect(unseen.sent[1]?.resume).toEqual(cancelled);
});

test("an expired interrupt is cancelled without asking, and one that expires meanwhile at its time, though the rest is answered", async () => {
  const expired = { ...approval, id: "old", expiresAt: new Date(Date.now() - 1_000).toISOString() };
  const expiring = { ...approval, id: "soon", expiresAt: new Date(Date.now() + 1_500).toISOString() };
  const { agent: client, sent } = await agent([expired, expiring, colour]);
  const asked: string[] = [];
  const { session } = await people({
    question: (view) => {
      asked.push(view.questions[0]?.question ?? "");
      return asked.length > 1
        ? saying({ "Which colour?": "red" }).question(view)
        : new Promise<never>(() => {});
    },
  });
  await driveAgUi(session, { agent: client });
  expect(asked).toHaveLength(2);
  expect(sent[1]?.resume).toEqual([
    { interruptId: "old", status: "cancelled" },
    { interruptId: "soon", status: "cancelled" },
    { interruptId: "i2", status: "resolved", payload: "red" },
  ]);
});

test("an interrupt that was answered in time, and expired before the last of the others was, is cancelled", async () => {
  const expiry = Date.now() + 1_000;
  const { agent: client, sent } = await agent([
    { ...approval, expiresAt: new Date(expiry).toISOString() },
    colour,
  ]);
  const answers = saying({ approved: "true", "Which colour?": "red" });
  const { session } = await people({
    async question(view) {
      if (view.questions[0]?.question === "Which colour?") await until(() => Date.now() > expiry);
      return answers.question(view);
    },
  });
  await driveAgUi(session, { agent: client });
  expect(sent[1]?.resume).toEqual([
    { interruptId: "i1", status: "cancelled" },
    { interruptId: "i2", status: "resolved", payload: "red" },
  ]);
});

test("an agent with pending interrupts, as after a restart, has them answered first, and each is asked once", async () => {
  const { agent: client, sent, client: another } = await agent([colour]);
  let times = 0;
  const {
    session,
    another: restarted,
    open,
  } = await people({
    question: (view) => {
      times += 1;
      return new Promise((resolve) =>
        setTimeout(() => resolve(saying({ "Which colour?": "blue" }).question(view)), 300),
      );
    },
  });
  const first = driveAgUi(session, { agent: client });
  first.catch(() => {});
  await until(() => open() === 1);
  const second = another();
  second.pendingInterrupts = client.pendingInterrupts;
  await session.close();
  await driveAgUi(await restarted(), { agent: second });
  expect([times, sent.length]).toEqual([1, 2]);
  expect(sent[1]?.resume).toEqual([{ interruptId: "i2", status: "resolved", payload: "blue" }]);
});

test("an interrupt that comes again under its id is asked again, and does not get the answer that was given before", async () => {
  const { agent: client, sent } = await agent([colour], [colour]);
  const answers = ["red", "blue"];
  const { session } = await people({
    question: (view) => saying({ "Which colour?": answers.shift() ?? "" }).question(view),
  });
  await driveAgUi(session, { agent: client });
  expect(sent.map(({ resume }) => resume?.[0]?.payload)).toEqual([undefined, "red", "blue"]);
});

test("questions are taken back where the program gives up, and the interrupts stay pending", async () => {
  const { agent: client, sent } = await agent([approval, colour]);
  const { session, open } = await people(waiting);
  const cancelled = new AbortController();
  const driven = driveAgUi(session, { agent: client, signal: cancelled.signal });
  await until(() => open() === 2);
  cancelled.abort(new Error("enough"));
  await expect(driven).rejects.toThrow("enough");
  expect([open(), sent.length, client.pendingInterrupts.length]).toEqual([0, 1, 2]);
});

test("a form that cannot be shown is an error, and the questions beside it are taken back", async () => {
  const secret = { type: "object", properties: { pin: { type: "string", format: "password" } } };
  const { agent: client, sent } = await agent([colour, { ...approval, responseSchema: secret }]);
  const { session, open } = await people(waiting);
  await expect(driveAgUi(session, { agent: client })).rejects.toThrow('the property "pin" is a secret');
  expect([open(), sent.length]).toEqual([0, 1]);
  const nested = { ...approval, responseSchema: { type: "object", properties: { a: { type: "object" } } } };
  const other = await agent([nested]);
  await expect(driveAgUi(session, { agent: other.agent })).rejects.toThrow("is of the type");
});
