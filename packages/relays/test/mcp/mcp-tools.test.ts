import type { QuestionReply, QuestionView } from "@askwire/client";
import { describe, expect, test } from "vitest";
import { askingServer } from "./asking-tools.mjs";
import { calls, conversation, program } from "./mcp-conversation.js";
import { servedTools } from "./served-tools.js";

const asking = program("asking-server");
/** The tools of the asking server, served within this process. */
const atAddress = () => servedTools(askingServer);

const fills: Record<string, string> = {
  name: "Ada",
  mail: "ada@example.org",
  page: "https://example.org/",
  day: "2026-03-01",
  at: "2026-03-01T09:30:00Z",
  count: "3",
  share: "0.5",
  sure: "yes",
};

/** Answers each question of the form with every field. */
function fillIn({ questions }: QuestionView): QuestionReply {
  return {
    items: questions.map(({ question, field }, index) => {
      const question_id = `q${index + 1}`;
      return field === undefined
        ? { question_id, selected: [`${question_id}_o1`] }
        : { question_id, selected: [], own_text: fills[question.toLowerCase()] ?? "" };
    }),
  };
}

describe.each(["stdio", "Streamable HTTP"])("a server of MCP over %s", (way) => {
  const server = () => (way === "stdio" ? Promise.resolve(asking) : atAddress());

  test("a server of MCP asks every type of field, and gets values by its schema", async () => {
    const { prompt, person, approvals } = await conversation({ s: await server() }, [
      calls("mcp__s__every_field"),
    ]);
    let view: QuestionView | undefined;
    person.question = (shown) => {
      view = shown;
      return fillIn(shown);
    };
    expect(JSON.parse((await prompt()).output as string)).toEqual({
      action: "accept",
      content: {
        name: "Ada",
        mail: "ada@example.org",
        page: "https://example.org/",
        day: "2026-03-01",
        at: "2026-03-01T09:30:00Z",
        count: 3,
        share: 0.5,
        sure: true,
        db: "sqlite",
        size: "s",
        targets: ["linux"],
      },
    });
    expect(view?.questions[0]?.body).toContain("From the MCP server s");
    expect(approvals).toEqual(["mcp__s__every_field"]);
  });

  test("a server of MCP asks for an address, which is shown whole and opened by nobody", async () => {
    const { prompt, person } = await conversation({ s: await server() }, [calls("mcp__s__link")]);
    person.question = ({ questions: [asked] }) => {
      expect(asked?.body).toContain("`https://example.org/login?state=1`");
      return { items: [{ question_id: "q1", selected: ["q1_o1"] }] };
    };
    expect(JSON.parse((await prompt()).output as string)).toMatchObject({ action: "accept" });
  });
});

test("a server of the SDK 1.x asks with elicitation/create", async () => {
  const { prompt, person } = await conversation({ old: program("asking-server-1") }, [
    calls("mcp__old__ask"),
  ]);
  person.question = () => ({
    items: [
      { question_id: "q1", selected: ["q1_o2"] },
      { question_id: "q2", selected: [], own_text: "7" },
    ],
  });
  expect(JSON.parse((await prompt()).output as string)).toEqual({
    action: "accept",
    content: { db: "postgres", count: 7 },
  });
});

test("a person's no is decline, and a person who is not to be asked is cancel", async () => {
  const script = [calls("mcp__s__every_field")];
  const { prompt, person, session } = await conversation({ s: await atAddress() }, [...script, ...script]);
  person.question = () => "declined";
  expect(JSON.parse((await prompt()).output as string).action).toBe("decline");
  await session.setDoNotAsk(true);
  expect(JSON.parse((await prompt()).output as string).action).toBe("cancel");
});

test("a form that cannot be shown is declined, and the person is told why", async () => {
  const { prompt, notices } = await conversation({ s: await atAddress() }, [calls("mcp__s__secret")]);
  expect(JSON.parse((await prompt()).output as string).action).toBe("decline");
  expect(notices().join()).toContain("requires the property");
});

test("each call is approved, whatever the server says of its tool, and a rejected call never reaches the server", async () => {
  const { prompt, person, approvals } = await conversation({ s: await atAddress() }, [
    calls("mcp__s__echo", { text: "hi" }),
  ]);
  person.approval = () => "reject";
  expect((await prompt()).is_error).toBe(true);
  expect(approvals).toEqual(["mcp__s__echo"]);
});

test("content of every type reaches the model, and a huge result is cut with a word on the rest", async () => {
  const script = [calls("mcp__s__contents"), calls("mcp__s__huge")];
  const { prompt } = await conversation({ s: await atAddress() }, script);
  const every = await prompt();
  expect(every.output).toMatchObject([
    { type: "text", text: "words" },
    { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } },
    { type: "audio_url" },
    { type: "text", text: "file:///a.txt:\n\ninside" },
    { type: "text", text: "(file:///b.bin, of the type application/zip, is no text)" },
    { type: "text", text: "[c](https://example.org/c)" },
  ]);
  expect(every.extras).toEqual({ structured_content: { n: 1 } });
  const huge = await prompt();
  expect(huge.output).toHaveLength(50_000);
  expect(huge.message).toContain("150000 characters more");
});

test("a server that dies fails its call, is reported, and is started again with the next prompt", async () => {
  const script = [calls("mcp__s__die"), calls("mcp__s__echo", { text: "again" })];
  const { prompt, notices } = await conversation({ s: asking }, script);
  expect((await prompt()).is_error).toBe(true);
  expect((await prompt()).output).toBe('{"text":"again"}');
  expect(notices().join()).toContain("out of luck");
});

test("a server that hangs and a program that is not there are reported, and the other servers work", async () => {
  const servers = {
    hung: program("asking-server", "--hang"),
    gone: { command: ["no-such-program"] as const },
    s: await atAddress(),
  };
  const { prompt, notices } = await conversation(servers, [calls("mcp__s__echo", { text: "hi" })], {
    patienceMs: 2_000,
  });
  expect((await prompt()).output).toBe('{"text":"hi"}');
  expect(notices().join("\n")).toMatch(/MCP server hung has not started yet/);
  expect(notices().join("\n")).toMatch(/MCP server gone does not run/);
});

test("a server's own startup time counts in the place of that of all, whichever is longer", async () => {
  const hung = { ...program("asking-server", "--hang"), startupMs: 500 };
  const s = { ...asking, startupMs: 60_000 };
  const { prompt, notices } = await conversation({ hung, s }, [calls("mcp__s__echo", { text: "hi" })], {
    patienceMs: 1,
  });
  expect((await prompt()).output).toBe('{"text":"hi"}');
  expect(notices().join("\n")).toMatch(/MCP server hung has not started yet/);
});

test("a server that ends by a line that is too long is told with the reason", async () => {
  const { prompt, notices } = await conversation({ s: asking }, [calls("mcp__s__line")]);
  expect(await prompt()).toMatchObject({ is_error: true });
  await expect
    .poll(() => notices().join(), { timeout: 60_000 })
    .toContain("It wrote a line of more than 10 MiB.");
});

test("tools that change in the middle are those of the next prompt, and people are told so", async () => {
  const script = [calls("mcp__s__grow"), calls("mcp__s__grown")];
  const { prompt, notices } = await conversation({ s: asking }, script);
  await prompt();
  await expect.poll(() => notices().join(), { timeout: 60_000 }).toContain("have changed");
  expect((await prompt()).output).toBe('"grown"');
});

test("a cancelled turn cancels the call at the server", async () => {
  const { session, told, prompt, notices } = await conversation({ s: asking }, [
    calls("mcp__s__slow"),
    calls("mcp__s__die"),
  ]);
  const turn = session.prompt("go");
  await expect.poll(() => told("ToolCall").length, { timeout: 60_000 }).toBe(1);
  await expect.poll(() => told("ApprovalResponse").length, { timeout: 60_000 }).toBe(1);
  await session.cancel();
  await turn.result;
  // The model speaks, then has the server end.
  await prompt();
  await prompt();
  // The last words of the server have those about the cancelled call.
  await expect.poll(() => notices().join(), { timeout: 60_000 }).toContain("cancelled here");
});
