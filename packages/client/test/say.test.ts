import { linkedPair, WireError } from "@askwire/protocol";
import { expect, onTestFinished, test } from "vitest";
import { createServer } from "../../server/src/index.js";
import { keptLog } from "../../server/test/scenario.js";
import { commandOf, connect, say } from "../src/index.js";

const commands = [{ name: "compact", description: "", aliases: ["sum"] }];

/** A server whose turns run until they are told to end, with two clients. */
async function twoClients() {
  const heard: unknown[] = [];
  const ends: (() => void)[] = [];
  const server = createServer({
    agent: {
      commands: commands.map((command) => ({ ...command, run: async () => {} })),
      async run(turn) {
        await new Promise<void>((resolve) => ends.push(resolve));
        heard.push(turn.input, ...turn.takeSteers());
      },
    },
    log: keptLog(),
  });
  onTestFinished(() => server.close());
  const session = server.createSession();
  const client = async () => {
    const { left: ours, right: theirs } = linkedPair();
    server.connect(theirs, { session });
    const opened = await connect(ours);
    onTestFinished(() => opened.close());
    return opened;
  };
  return { one: await client(), other: await client(), heard, end: () => ends.shift()?.() };
}

test("words begin a turn, and reach a turn that runs, whoever began it", async () => {
  const { one, other, heard, end } = await twoClients();
  const ids: unknown[] = [];
  const turn = await say(one, "begin", ({ id }) => ids.push(id));
  expect(ids).toEqual([turn?.id]);
  expect(await say(one, "own words")).toBeUndefined();
  expect(await say(other, "others' words")).toBeUndefined();
  end();
  await turn?.result;
  expect(heard).toEqual(["begin", "own words", "others' words"]);
});

test("at most 64 Mi characters of words wait for the agent, and there is room again once it has read", async () => {
  const { one, end } = await twoClients();
  const turn = await one.outbox.say("begin");
  const large = "x".repeat(13 * 1_048_576);
  for (let n = 0; n < 4; n++) await one.outbox.say(large);
  await expect(one.outbox.say(large)).rejects.toMatchObject({
    code: "INVALID_STATE",
    message: expect.stringMatching(/64 Mi characters of them, wait for the agent/),
  });
  end();
  await turn?.result;
  const next = one.outbox.say(large);
  await expect.poll(() => one.outbox.current().length).toBe(1);
  end();
  await (await next)?.result;
});

test("a slash command is not said into a turn", async () => {
  const { one, other, end } = await twoClients();
  const turn = await say(one, "begin");
  await expect(say(other, "/sum all")).rejects.toBeInstanceOf(WireError);
  end();
  await turn?.result;
  expect((await say(other, "/sum all"))?.id).toBeDefined();
});

test.each([
  ["/compact", "compact"],
  ["/sum up", "compact"],
  ["/compactor", undefined],
  [" /compact", undefined],
  ["compact", undefined],
  ["/", undefined],
])("the command of %j is %j", (prompt, name) => {
  expect(commandOf(prompt, commands)?.name).toBe(name);
});
