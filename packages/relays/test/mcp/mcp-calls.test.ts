import type { QuestionRequest } from "@askwire/server";
import { McpServer } from "@modelcontextprotocol/server";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { drivenClock } from "../../../server/test/driven-clock.js";
import { callPatience } from "../../src/mcp/call-patience.js";
import { serverQuestions } from "../../src/mcp/questions.js";
import { calls, conversation, program } from "./mcp-conversation.js";
import { servedTools } from "./served-tools.js";

const LIMIT = 60_000;
const said = (text: string) => ({ content: [{ type: "text" as const, text }] });

/** A server whose tool does what the test says, and a clock that counts the starts of the time of a call. */
async function drivenTool() {
  let begin: (call: { progress(): Promise<void>; end(): void; signal: AbortSignal }) => void;
  const begun = new Promise<Parameters<typeof begin>[0]>((resolve) => {
    begin = resolve;
  });
  const server = await servedTools(() => {
    const made = new McpServer({ name: "driven", version: "1" });
    made.registerTool(
      "work",
      { description: "Works", inputSchema: z.object({}) },
      (_, { mcpReq: { signal, notify, _meta } }) =>
        new Promise((resolve) => {
          const params = { progressToken: _meta?.progressToken ?? 0, progress: 1 };
          begin({
            signal,
            progress: () => notify({ method: "notifications/progress", params }),
            end: () => resolve(said("worked")),
          });
        }),
    );
    return made;
  });
  const driven = drivenClock();
  let starts = 0;
  const clock = {
    ...driven,
    after(ms: number, action: () => void) {
      if (ms === LIMIT) starts += 1;
      return driven.after(ms, action);
    },
  };
  const { prompt } = await conversation({ s: server }, [calls("mcp__s__work")], { clock });
  return { prompt, clock, begun, starts: () => starts };
}

test("progress gives a call its whole time anew", async () => {
  const { prompt, clock, begun, starts } = await drivenTool();
  const prompted = prompt();
  const call = await begun;
  clock.advance(LIMIT - 1);
  const before = starts();
  await call.progress();
  await expect.poll(starts, { timeout: 60_000 }).toBe(before + 1);
  clock.advance(LIMIT - 1);
  call.end();
  expect((await prompted).output).toBe("worked");
});

test("a call whose server says nothing ends at its deadline, and is cancelled at the server", async () => {
  const { prompt, clock, begun } = await drivenTool();
  const prompted = prompt();
  const call = await begun;
  clock.advance(LIMIT);
  expect(await prompted).toMatchObject({
    is_error: true,
    message: "The MCP server s failed: it said nothing for 60 s, and the call was cancelled",
  });
  await expect.poll(() => call.signal.aborted, { timeout: 60_000 }).toBe(true);
});

test("a call that begins while its server asks has its whole time once the person has decided", async () => {
  const clock = drivenClock();
  let asked: QuestionRequest | undefined;
  const open = (request: unknown) => {
    asked = request as QuestionRequest;
    asked.sent = true;
  };
  const questions = serverQuestions("s", { open } as never, () => {});
  const answered = questions.answer({ message: "Go on?" }, new AbortController().signal);
  let isOver = false;
  const patience = callPatience(LIMIT, clock, () => {
    isOver = true;
  });
  const call = questions.begin("c1", patience);
  clock.advance(LIMIT);
  expect(isOver).toBe(false);
  asked?.reject("nobody is there");
  expect(await answered).toMatchObject({ action: "cancel" });
  clock.advance(LIMIT - 1);
  expect(isOver).toBe(false);
  clock.advance(1);
  expect(isOver).toBe(true);
  call.end();
});

test("the ninth question of a server at once is refused with the reason, and people are told", async () => {
  const open: QuestionRequest[] = [];
  const session = {
    open(request: unknown) {
      open.push(request as QuestionRequest);
      (request as QuestionRequest).sent = true;
    },
  };
  const told: string[] = [];
  const questions = serverQuestions(
    "s",
    session as never,
    (title, body) => void told.push(`${title}: ${body}`),
  );
  const ask = () => questions.answer({ message: "Go on?" }, new AbortController().signal);
  const eight = Array.from({ length: 8 }, ask);
  expect(await ask()).toEqual({
    action: "cancel",
    _meta: { "askwire.dev/reason": "8 questions of this server are open: ask again once one is answered" },
  });
  expect(told).toEqual([expect.stringContaining("asked more than 8 questions at once")]);
  open[0]?.reject("nobody is there");
  await eight[0];
  const next = ask();
  await expect.poll(() => open.length).toBe(9);
  for (const request of open) request.reject("enough");
  await Promise.all([...eight, next]);
});

test("tools whose names clash or are too long each have a name of their own, whichever other servers run", async () => {
  const long = "a-tool-whose-name-is-so-long-that-no-provider-takes-it-whole-";
  const tools = ["a_b", "a.b", "_a_b", `${long}one`, `${long}two`];
  const server = await servedTools(() => {
    const made = new McpServer({ name: "names", version: "1" });
    for (const name of tools)
      made.registerTool(name, { description: name, inputSchema: z.object({}) }, async () => said(name));
    return made;
  });
  const { toolNames, prompt } = await conversation({ s: server }, ["text: hello"]);
  await prompt();
  const names = toolNames();
  expect(names).toEqual([
    "mcp__s__a_b",
    expect.stringMatching(/^mcp__s__a_b_[0-9a-f]{8}$/),
    "mcp__s___a_b",
    expect.stringMatching(/^mcp__s__a-tool-.*_[0-9a-f]{8}$/),
    expect.stringMatching(/^mcp__s__a-tool-.*_[0-9a-f]{8}$/),
  ]);
  expect(new Set(names).size).toBe(5);
  expect(names.filter((name) => name.length > 64)).toEqual([]);
  const others = await conversation({ s_: server, "s.t": server, s: server }, ["text: hello"]);
  await others.prompt();
  expect(others.toolNames()).toEqual(expect.arrayContaining(names));
  expect(new Set(others.toolNames()).size).toBe(15);
  const again = await conversation(
    { s: server },
    names.map((name) => calls(name)),
  );
  for (const tool of tools) expect((await again.prompt()).output).toBe(tool);
});

test("a server that floods the client with notifications has its call answered, and people are told so once a prompt", async () => {
  const { prompt, notices } = await conversation({ s: program("asking-server") }, [
    calls("mcp__s__flood"),
    calls("mcp__s__flood"),
  ]);
  expect((await prompt()).output).toBe('"flooded"');
  await expect.poll(() => notices().join(), { timeout: 60_000 }).toContain("have changed");
  expect((await prompt()).output).toBe('"flooded"');
  expect(notices().length).toBeLessThanOrEqual(2);
});

test("a server that says that a person is done at an address ends the question about that", async () => {
  const { prompt, person, told } = await conversation({ old: program("asking-server-1") }, [
    calls("mcp__old__link"),
  ]);
  person.question = () => new Promise(() => {});
  expect(JSON.parse((await prompt()).output as string)).toEqual({ action: "accept" });
  expect(told("InteractionSettled").at(-1)).toMatchObject({ kind: "question" });
});

describe("a server that refuses a call until a person visited an address", () => {
  test("a refused call is made again once the person says that they have visited the address", async () => {
    const { prompt, person } = await conversation({ s: program("asking-server-1", "1") }, [
      calls("mcp__s__login"),
    ]);
    const asked: string[] = [];
    person.question = ({ questions: [question] }) => {
      asked.push(question?.body ?? "");
      return { items: [{ question_id: "q1", selected: ["q1_o1"] }] };
    };
    expect(await prompt()).toMatchObject({ is_error: false, output: "worked" });
    expect(asked).toEqual([expect.stringContaining("https://example.org/in")]);
  });

  test("a refused call fails where the person says no, and where the visit never ends", async () => {
    const { prompt, person } = await conversation({ s: program("asking-server-1", "9") }, [
      calls("mcp__s__login"),
      calls("mcp__s__login"),
    ]);
    expect(await prompt()).toMatchObject({ is_error: true, message: expect.stringContaining("said no") });
    let asked = 0;
    person.question = () => {
      asked += 1;
      return { items: [{ question_id: "q1", selected: ["q1_o1"] }] };
    };
    expect(await prompt()).toMatchObject({ is_error: true });
    expect(asked).toBe(4);
  });
});
