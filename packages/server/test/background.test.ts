import { describe, expect, test } from "vitest";
import { kimi } from "../../dialects/src/index.js";
import { createServer, keepIn, type Message, QuestionRequest, type Turn, wireSend } from "../src/index.js";
import { meetExtended } from "./extended/extended-client.js";
import { temporaryFolder } from "./journal-folder.js";
import { type RawClient, rawClient } from "./raw-client.js";
import { asks, callLine, colour, keptLog, scenario, toolResult } from "./scenario.js";

const dialects = [kimi({ background: true })];
const size = { question: "Which size?", options: [{ label: "S" }, { label: "L" }] };

/** A line of a script: the model asks in the background. */
const asksMeanwhile = (questions: unknown[] = [colour], id = "tc-1") =>
  callLine("AskUserQuestion", { questions, background: true }, id);

const play = (scripts: readonly string[], options: Parameters<typeof scenario>[1] = {}) =>
  scenario(scripts, { dialects, ...options });

type Set = ReturnType<typeof scenario>;

/** The messages of the n-th call of the model, without those of the calls before it. */
function newsOf({ model }: Set, n: number): Message[] {
  return model.requests[n - 1]?.messages.slice(model.requests[n - 2]?.messages.length ?? 0) ?? [];
}

const answer = (client: RawClient, asked: { id?: string | null }, answers: object) =>
  client.reply(asked, { request_id: asked.id, answers });

const ENDED = "The question that call tc-1 asked in the background has ended:";

describe("a question in the background (P-XBG-1, P-XBG-2)", () => {
  test("a question in the background is asked, the call says so at once, and the model reads the answer at a later step", async () => {
    const set = play([asksMeanwhile(), callLine("Look", {}, "tc-2"), "text: I wait.", "text: Painted."]);
    const { client } = await set.meet();
    const { prompt, asked } = await client.begin("QuestionRequest");
    expect(await toolResult(client)).toMatchObject({
      is_error: false,
      output: expect.stringContaining("The question is before the user."),
      display: [{ type: "brief", text: "Asked in the background" }],
    });
    await toolResult(client, 2);
    answer(client, asked, { "Which colour?": "Blue" });
    expect((await prompt).result).toEqual({ status: "finished" });
    const told = `${ENDED}\n{"answers": {"Which colour?": "Blue"}}`;
    expect(
      set.model.requests.flatMap(({ messages }) => messages).filter(({ role }) => role === "user"),
    ).toContainEqual({
      role: "user",
      content: told,
      kept: true,
    });
    expect((await client.seen("SteerInput")).params?.payload).toEqual({ user_input: told });
  });

  test("a question in the background holds the end of the turn: what is still open is reported with each answer", async () => {
    const both = `${asksMeanwhile()}\n${asksMeanwhile([size], "tc-2")}`;
    const set = play([both, "text: I wait.", "text: One is there.", "text: Both."]);
    const { client } = await set.meet();
    const { prompt, asked } = await client.begin("QuestionRequest");
    const second = await client.seen("QuestionRequest", 2);
    await client.seen("ContentPart");
    await client.settled();
    expect(client.received.some(({ params }) => params?.type === "TurnEnd")).toBe(false);
    answer(client, asked, { "Which colour?": "Red" });
    await client.seen("ContentPart", 2);
    answer(client, second, {});
    expect((await prompt).result).toEqual({ status: "finished" });
    expect(newsOf(set, 3).at(-1)?.role === "user" && newsOf(set, 3).at(-1)).toMatchObject({
      content: `${ENDED}\n{"answers": {"Which colour?": "Red"}}\nStill open: "Which size?"`,
    });
    expect(newsOf(set, 4).at(-1)).toMatchObject({
      content: expect.stringMatching(/^The question that call tc-2 .*\n.*User dismissed the question/),
    });
  });

  test("a question in the background lets the person's words through while the model waits for its answer", async () => {
    const set = play([asksMeanwhile(), "text: I wait.", "text: As you say.", "text: Done."]);
    const { client } = await set.meet();
    const { prompt, asked } = await client.begin("QuestionRequest");
    await client.seen("ContentPart");
    await client.settled();
    expect((await client.call("steer", { user_input: "hurry" })).result).toEqual({ status: "steered" });
    await client.seen("ContentPart", 2);
    answer(client, asked, { "Which colour?": "Red" });
    expect((await prompt).result).toEqual({ status: "finished" });
    expect(newsOf(set, 3).at(-1)).toEqual({ role: "user", content: "hurry" });
  });

  test("a question in the background goes to a base client under its own id, so that the call's result takes nothing away (P-CLI-1)", async () => {
    const set = play([asksMeanwhile(), "text: Done."]);
    const session = set.server.createSession();
    const { client: base } = await set.meet({ session });
    const { client: other } = await meetExtended(set, { session });
    const { prompt, asked } = await base.begin("QuestionRequest");
    expect(asked.params?.payload.tool_call_id).toBe("tc-1:background");
    const own = await other.asked("QuestionRequest");
    expect(own.params?.payload).toMatchObject({ background: true, tool_call_id: "tc-1:background" });
    await other.answer(own, { items: [{ question_id: "q1", selected: ["q1_o1"] }] });
    await prompt;
    const over = base.received.filter(({ params }) => params?.type === "ToolResult");
    expect(over.map(({ params }) => params?.payload.tool_call_id)).toEqual(["tc-1", "tc-1:background"]);
    expect(other.events("ToolResult")).toHaveLength(1);
  });

  test("a call whose question in the background can be asked of nobody says so itself", async () => {
    const set = play([asksMeanwhile(), "text: Which colour?"]);
    const { client } = await set.meet({}, {});
    await client.call("prompt", { user_input: "go" });
    expect(await toolResult(client)).toMatchObject({ is_error: true });
    expect((await toolResult(client)).message).toContain("Do NOT call this tool again");
  });

  test("a question in the background whose client is lost ends for the model too, and the turn continues", async () => {
    const set = play([asksMeanwhile(), "text: I wait.", "text: Alone."]);
    const session = set.server.createSession();
    const { client } = await set.meet({ session });
    const { asked } = await client.begin("QuestionRequest");
    await client.seen("ContentPart");
    client.replyError(asked, -32603, "broken");
    await client.seen("ContentPart", 2);
    expect(newsOf(set, 3).at(-1)).toMatchObject({ content: `${ENDED}\nFailed to get user response.` });
  });
});

describe("at the end of a turn nothing is lost (P-XBG-3)", () => {
  test("a cancelled turn withdraws the question, and the model is told at the next prompt", async () => {
    const set = play([asksMeanwhile(), "text: I wait.", "text: I see."]);
    const { client } = await set.meet();
    const { prompt } = await client.begin("QuestionRequest");
    await client.seen("ContentPart");
    await client.call("cancel");
    expect((await prompt).result).toEqual({ status: "cancelled" });
    await client.call("prompt", { user_input: "go on" });
    expect(newsOf(set, 3).slice(-2)).toEqual([
      {
        role: "user",
        content: 'The turn ended before the user answered what call tc-1 asked: "Which colour?"',
        kept: true,
      },
      { role: "user", content: "go on" },
    ]);
  });

  test("an answer that the limit of steps overtakes is reported at the next prompt", async () => {
    const set = play([`${asksMeanwhile()}\n${asks([size], "tc-2")}`, "text: I see."], { maxStepsPerTurn: 1 });
    const { client } = await set.meet();
    const { prompt, asked } = await client.begin("QuestionRequest");
    answer(client, asked, { "Which colour?": "Red" });
    answer(client, await client.seen("QuestionRequest", 2), { "Which size?": "S" });
    expect((await prompt).result).toMatchObject({ status: "max_steps_reached" });
    await client.call("prompt", { user_input: "go on" });
    const told = newsOf(set, 2).filter(({ role }) => role === "user");
    expect(told).toContainEqual(expect.objectContaining({ content: expect.stringContaining('"Red"') }));
  });

  test("an answer survives compaction and a restart word for word (P-XBG-4, P-DIA-8)", async () => {
    const keep = keepIn({ share: temporaryFolder(), workDir: "/work", log: keptLog() });
    const id = "11111111-1111-4111-8111-111111111111";
    const commands = ({ compact }: { compact(turn: Turn): Promise<boolean> }) => [
      { name: "compact", description: "", run: async (turn: Turn) => void (await compact(turn)) },
    ];
    const scripts = [asksMeanwhile(), "text: I wait.", "text: Painted.", "text: A summary.", "text: Later."];
    const first = play(scripts, { keep, agentOptions: { commands } });
    const { client } = await first.meet({ sessionId: id });
    const { prompt, asked } = await client.begin("QuestionRequest");
    await client.seen("ContentPart");
    answer(client, asked, { "Which colour?": "Blue" });
    await prompt;
    await client.call("prompt", { user_input: "/compact" });
    await first.server.close();
    const second = play(["text: Again."], { keep });
    const { client: again } = await second.meet({ sessionId: id });
    await again.call("prompt", { user_input: "go on" });
    const messages = second.model.requests[0]?.messages ?? [];
    expect(messages).toContainEqual({
      role: "user",
      content: `${ENDED}\n{"answers": {"Which colour?": "Blue"}}`,
      kept: true,
    });
    expect(JSON.stringify(messages[0])).toContain("A summary.");
  });
});

describe("where it is not offered", () => {
  test("the tool of the Kimi dialect has no such argument unless it is set, and waits as ever (P-KIM-1)", async () => {
    const set = scenario([asksMeanwhile(), "text: Done."]);
    const { client } = await set.meet();
    const { prompt, asked } = await client.begin("QuestionRequest");
    expect(asked.params?.payload.tool_call_id).toBe("tc-1");
    answer(client, asked, { "Which colour?": "Red" });
    await prompt;
    expect(await toolResult(client)).toMatchObject({ output: '{"answers": {"Which colour?": "Red"}}' });
    expect(JSON.stringify(set.model.requests[0]?.tools)).not.toContain("background");
  });

  test("a loop that does not take late results waits for the answer", async () => {
    const set = play([], {
      run: async (turn) => {
        const [tool] = turn.dialectTools;
        if (tool === undefined) throw new Error("no tool");
        const value = await turn.callTool(tool, { questions: [colour], background: true });
        turn.say(String(value.output));
      },
    });
    const { client } = await set.meet();
    const { prompt, asked } = await client.begin("QuestionRequest");
    answer(client, asked, { "Which colour?": "Red" });
    await prompt;
    expect(await toolResult(client)).toMatchObject({ output: '{"answers": {"Which colour?": "Red"}}' });
  });

  test("a custom loop asks, continues, and waits when it needs the answer", async () => {
    const said: string[] = [];
    const { left, right } = (await import("@askwire/protocol/testing")).linkedPair();
    const server = createServer({
      log: keptLog(),
      agent: {
        async run(turn) {
          const request = new QuestionRequest({
            tool_call_id: turn.id,
            questions: [colour],
            background: true,
          });
          wireSend(request);
          turn.say("working");
          said.push("went on");
          said.push(JSON.stringify(await request.wait()));
        },
      },
    });
    server.connect(left);
    const client = rawClient(right);
    await client.call("initialize", {
      protocol_version: "1.10",
      client: { name: "raw" },
      capabilities: { supports_question: true },
    });
    const { prompt, asked } = await client.begin("QuestionRequest");
    await client.seen("ContentPart");
    expect(said).toEqual(["went on"]);
    answer(client, asked, { "Which colour?": "Red" });
    await prompt;
    expect(said).toEqual(["went on", '{"Which colour?":"Red"}']);
  });
});
