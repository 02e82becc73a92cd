import { modelAgent, scriptedModel } from "@askwire/agent";
import { connect } from "@askwire/client";
import { linkedPair } from "@askwire/protocol/testing";
import { type AgentSession, type Attendance, createServer, type Message } from "@askwire/server";
import { describe, expect, test } from "vitest";
import { slashCommands } from "../../src/agents/slash-commands.js";

/** A client of a session whose agent has the command's slash commands. */
async function openSession(options: { attendance?: Attendance; scripts?: string[] } = {}) {
  const { attendance = "attended", scripts = [] } = options;
  const model = scriptedModel(scripts);
  const heard: (readonly Message[])[] = [];
  const states: AgentSession[] = [];
  const ignore = () => {};
  const server = createServer({
    attendance,
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    agent: (session) => {
      states.push(session);
      return modelAgent({
        model: {
          ...model,
          maxContextTokens: 1_000,
          stream(request) {
            heard.push([...request.messages]);
            return model.stream(request);
          },
        },
        commands: (conversation) => slashCommands({ session, conversation }),
      });
    },
  });
  const { left, right } = linkedPair();
  server.connect(left);
  const client = await connect(right);
  const [state] = states;
  if (state === undefined) throw new Error("no session was made");
  return {
    client,
    state,
    heard,
    /** The person's view after a prompt. */
    async say(input: string): Promise<string> {
      const turn = client.prompt(input);
      let text = "";
      for await (const event of turn) {
        if (event.type === "ContentPart" && event.payload.type === "text") text += event.payload.text;
      }
      await turn.result;
      return text;
    },
  };
}

test("clients are told the commands and what they do (P-SLH-1)", async () => {
  const { client } = await openSession();
  expect(client.slashCommands.map(({ name, aliases }) => [name, ...aliases])).toEqual([
    ["clear", "reset"],
    ["compact"],
    ["plan"],
    ["yolo"],
    ["afk"],
  ]);
  for (const { description } of client.slashCommands) expect(description).not.toBe("");
});

test.each(["/clear", "/reset"])("%s makes the model forget the conversation (P-SLH-1)", async (command) => {
  const { say, heard } = await openSession({ scripts: ["text: Hello.", "text: Who are you?"] });
  await say("My name is Ada.");
  expect(await say(command)).toBe("The conversation is cleared.");
  expect(await say("What is my name?")).toBe("Who are you?");
  expect(heard.at(-1)).toEqual([{ role: "user", content: "What is my name?" }]);
});

test("/compact leaves the model only its own summary (P-SLH-1)", async () => {
  const scripts = ["text: Hello.", "text: The person is called Ada.", "text: Ada."];
  const { say, heard } = await openSession({ scripts });
  await say("My name is Ada.");
  expect(await say("/compact")).toContain("The conversation is summarized.");
  expect(await say("What is my name?")).toBe("Ada.");
  const words = JSON.stringify(heard.at(-1));
  expect(words).toContain("The person is called Ada.");
  expect(words).not.toContain("My name is Ada.");
});

test("/clear and /compact end with how full the model's context is now (P-SLH-2)", async () => {
  const scripts = ["text: Hello.\nusage: input_other=500 output=20", "text: The person is called Ada."];
  const { client, say } = await openSession({ scripts });
  await say("My name is Ada.");
  expect(client.status).toMatchObject({ context_tokens: 500, context_usage: 0.5 });
  const events: string[] = [];
  for await (const { type } of client.prompt("/compact")) events.push(type);
  expect(events.slice(-3)).toEqual(["ContentPart", "StatusUpdate", "TurnEnd"]);
  const { context_tokens: shorter } = client.status;
  expect(shorter).toBeGreaterThan(0);
  expect(shorter).toBeLessThan(500);
  await say("/clear");
  expect(client.status).toMatchObject({ context_tokens: 0, context_usage: 0, max_context_tokens: 1_000 });
  events.length = 0;
  for await (const { type } of client.prompt("/compact")) events.push(type);
  expect(events).not.toContain("StatusUpdate");
});

test("/plan toggles plan mode or sets it, and says which mode holds (P-PLN-1, P-SLH-1)", async () => {
  const { say, client, state } = await openSession();
  expect(await say("/plan")).toBe("Plan mode is on: nothing is changed.");
  expect(client.status.plan_mode).toBe(true);
  expect(await say("/plan on")).toBe("Plan mode is on: nothing is changed.");
  const events: string[] = [];
  for await (const { type } of client.prompt("/plan on")) events.push(type);
  expect(events.slice(-3)).toEqual(["ContentPart", "StatusUpdate", "TurnEnd"]);
  expect(await say("/plan OFF")).toBe("Plan mode is off.");
  expect(client.status.plan_mode).toBe(false);
  expect(await say("/plan maybe")).toBe("/plan maybe: expected on, off or nothing.");
  expect(state.planMode).toBe(false);
});

test("/yolo toggles approving everything, and says which mode holds (P-APR-4)", async () => {
  const { say, state } = await openSession();
  expect(await say("/yolo")).toContain("without asking");
  expect(state.yolo).toBe(true);
  expect(await say("/yolo")).toContain("asked about again");
  expect(state.yolo).toBe(false);
  expect(await say("/yolo no")).toBe("/yolo no: expected on, off or nothing.");
});

describe("/afk", () => {
  test.each<[Attendance, Attendance]>([
    ["attended", "attended"],
    ["hold", "hold"],
    ["decline", "attended"],
  ])("/afk in a session that began with %s later returns it to %s (P-ATT-3)", async (attendance, back) => {
    const { say, state } = await openSession({ attendance });
    if (attendance !== "decline") expect(await say("/afk")).toContain("Nobody is asked");
    expect(state.attendance).toBe("decline");
    await say("/afk on");
    expect(await say("/afk")).toContain("You are back");
    expect(state.attendance).toBe(back);
    expect(await say("/afk off")).toContain("You are back");
    expect(state.attendance).toBe(back);
    expect(await say("/afk soon")).toBe("/afk soon: expected on, off or nothing.");
  });
});
