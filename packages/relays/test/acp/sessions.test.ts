import { join } from "node:path";
import { keepIn } from "@askwire/server";
import { describe, expect, test } from "vitest";
import { conversation, openConversation, temporaryFolder } from "./conversation.js";

/** A server that keeps its sessions, and an agent that keeps its conversations. */
function kept(...flags: string[]) {
  const [store, share] = [temporaryFolder(), temporaryFolder()];
  return () => ({
    flags,
    sessionId: "kept",
    env: { ...process.env, STORE: store },
    server: { keep: keepIn({ share, workDir: join(share, "work") }) },
  });
}

const typesOf = (events: readonly { type: string }[]) => events.map(({ type }) => type);

describe("a kept session whose server starts again", () => {
  test.each([
    ["loads", []],
    ["resumes", ["resume"]],
  ])(
    "a kept session whose server starts again %s the agent's conversation, of which clients are told nothing again",
    async (_, flags) => {
      const setup = kept(...flags);
      const first = await openConversation(setup());
      await first.say("remember me");
      const id: string = await first.act("session");
      await first.close();
      const second = await conversation(setup());
      expect(await second.act("session")).toBe(id);
      expect(typesOf(second.events).filter((type) => type === "TurnBegin")).toHaveLength(1);
      expect(second.told("Notification")).toEqual([]);
      const history: string[] = [];
      await second.session.replay({ event: ({ type }) => void history.push(type) });
      expect(history.filter((type) => type === "TurnBegin")).toHaveLength(3);
    },
  );

  test("a kept session begins anew, and says so, with an agent that cannot resume", async () => {
    const setup = kept("no-load");
    const first = await openConversation(setup());
    const id: string = await first.act("session");
    await first.close();
    const second = await openConversation(setup());
    expect(await second.act("session")).not.toBe(id);
    const history: unknown[] = [];
    await second.session.replay({ event: ({ payload }) => void history.push(payload) });
    expect(history).toContainEqual(expect.objectContaining({ title: "The agent begins anew" }));
    await second.close();
  });
});

test("an agent that dies resumes its conversation where it can", async () => {
  const agent = await conversation({ env: { ...process.env, STORE: temporaryFolder() } });
  const id: string = await agent.act("session");
  await expect(agent.session.prompt('[["exit", 1, "oops"]]').result).rejects.toThrow("oops");
  expect(await agent.act("session")).toBe(id);
  expect(agent.told("Notification")).toMatchObject([
    { title: "The agent was started again", body: expect.stringMatching(/oops.*Its conversation goes on/s) },
  ]);
  expect(typesOf(agent.events).filter((type) => type === "TurnBegin")).toHaveLength(3);
});

describe("a session that resumes a conversation of the agent's", () => {
  const store = () => ({ env: { ...process.env, STORE: temporaryFolder() } });

  test("a resumed conversation has all that was said in it as turns of the session's history", async () => {
    const setup = store();
    const first = await openConversation(setup);
    const id: string = await first.act("session");
    await first.say("hello");
    await first.close();
    const second = await conversation({ ...setup, conversation: id });
    const history: { type: string; payload: unknown }[] = [];
    await second.session.replay({ event: ({ type, payload }) => void history.push({ type, payload }) });
    const told = (type: string) =>
      history.filter((event) => event.type === type).map(({ payload }) => payload);
    expect(told("TurnBegin")).toMatchObject([
      { user_input: [{ type: "text", text: '[["session"]]' }] },
      { user_input: [{ type: "text", text: "hello" }] },
    ]);
    expect(told("ContentPart")).toMatchObject([{ text: JSON.stringify(id) }, { text: "You said: hello" }]);
    expect(told("TurnEnd")).toHaveLength(2);
    expect(await second.act("session")).toBe(id);
  });

  test("a resumed conversation is in the session's journal where that is kept", async () => {
    const setup = store();
    const first = await openConversation(setup);
    const id: string = await first.act("session");
    await first.close();
    const share = temporaryFolder();
    const server = { keep: keepIn({ share, workDir: share }) };
    const second = await conversation({ ...setup, conversation: id, server, sessionId: "kept" });
    const history: string[] = [];
    await second.session.replay({ event: ({ type }) => void history.push(type) });
    expect(history).toEqual(["TurnBegin", "StepBegin", "ContentPart", "StatusUpdate", "TurnEnd"]);
  });
});

describe("modes and settings of an agent", () => {
  test("modes and settings of an agent are slash commands, with a name or with a question", async () => {
    const agent = await conversation();
    expect(agent.session.slashCommands.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["mode", "model"]),
    );
    expect(agent.session.slashCommands.map(({ name }) => name)).not.toContain("login");
    await agent.say("/mode Ask");
    expect(await agent.act("mode")).toBe("ask");
    agent.person.question = ({ questions: [question] }) => {
      expect(question?.options).toMatchObject([
        { id: "small", label: "Small", description: "(now)" },
        { id: "large", label: "Large", description: "Slower" },
      ]);
      return { items: [{ question_id: "q1", selected: ["large"] }] };
    };
    expect(await agent.say("/model")).toBe("Model: Large");
    expect(await agent.act("model")).toBe("large");
    expect(await agent.say("/mode Fast")).toBe("Mode: expected one of these:\n\n- Code\n- Plan\n- Ask");
  });

  test("the model and the mode are told by their names once the agent is there, and with each change by either side", async () => {
    const told: string[] = [];
    const agent = await conversation({ onChosen: ({ model, mode }) => told.push(`${mode} ${model}`) });
    await agent.say("/mode ask");
    await agent.say("/model Large");
    await agent.script(["update", { sessionUpdate: "current_mode_update", currentModeId: "code" }]);
    await agent.script(["update", { sessionUpdate: "current_mode_update", currentModeId: "new" }]);
    expect(told).toEqual(["Code Small", "Ask Small", "Ask Large", "Code Large", "new Large"]);
  });

  test("plan mode of the session is the agent's mode for planning, in both directions", async () => {
    const agent = await conversation();
    await agent.session.setPlanMode(true);
    await expect.poll(() => agent.act("mode")).toBe("plan");
    await agent.script(["update", { sessionUpdate: "current_mode_update", currentModeId: "code" }]);
    expect(agent.session.status.plan_mode).toBe(false);
    await agent.session.setPlanMode(true);
    await agent.session.setPlanMode(false);
    await expect.poll(() => agent.act("mode")).toBe("code");
  });

  test("plan mode is refused where the agent has none, and the person is told", async () => {
    const agent = await conversation({ flags: ["plain"] });
    await agent.session.setPlanMode(true);
    await expect.poll(() => agent.session.status.plan_mode).toBe(false);
    expect(agent.told("Notification")).toMatchObject([{ title: "This agent has no plan mode" }]);
  });
});

test("an agent that wants a login says so, has a command for it, and then continues", async () => {
  const agent = await conversation({ flags: ["login"] });
  await expect(agent.session.prompt("hello").result).rejects.toMatchObject({
    code: -32004,
    message: expect.stringContaining('/login has these ways: "By key"'),
  });
  expect(await agent.say("/login key")).toContain("has succeeded");
  expect(await agent.say("hello")).toBe("You said: hello");
});
