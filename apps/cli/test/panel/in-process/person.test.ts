import type { ApprovalView } from "@askwire/client";
import { ApprovalRequest } from "@askwire/server";
import { describe, expect, test } from "vitest";
import { DOUBLE_MS } from "../../../src/panel/guard.js";
import {
  approvalView,
  CTRL_C,
  colourView,
  down,
  enter,
  esc,
  panelRoom,
  requestContext,
  settled,
} from "./room.js";

/** The text of a frame without breaks and blanks. */
const inOneLine = (frame: string) => frame.replace(/\s+/g, "");

describe("a question in a panel", () => {
  test("a question is answered in its panel, and the lines that stay say what was asked and answered", async () => {
    const room = await panelRoom();
    const { reply } = await room.asks();
    expect(room.frame()).toContain("Which colour?");
    await room.type(down, enter);
    expect(await reply).toEqual({ items: [{ question_id: "q1", selected: ["q1_o2"] }] });
    expect(room.frame()).toBe("");
    expect(room.terminal.borrower).toBeUndefined();
    expect(room.written()).toBe("● Which colour?\n  → Blue · like the sea\n");
  });

  test("a declined question stays as a line that says so", async () => {
    const room = await panelRoom();
    const { reply } = await room.asks();
    await room.type(CTRL_C);
    expect(await reply).toBe("declined");
    expect(room.written()).toBe("○ Which colour?\n  → declined\n");
  });

  test("an answer in own words stays in the lines, without anything that would act on the terminal", async () => {
    const room = await panelRoom();
    const { reply } = await room.asks(colourView({ question: "Wh\u001by?" }));
    await room.type("gr", "een", enter);
    expect(await reply).toMatchObject({ items: [{ selected: [], own_text: "green" }] });
    expect(room.written()).toMatch(/^● Wh\\u\{1b\}y\?\n {2}→ green\n$/);
  });

  test("a question says which sub-agent asks it", async () => {
    const room = await panelRoom();
    const agent = { id: "a", type: "coder", parent_tool_call_id: null };
    await room.asks(colourView({}, { agent }));
    expect(room.frame()).toContain("The sub-agent coder has a question for you");
  });

  test("a question about a plan that was just shown does not repeat it, and Ctrl-E shows it", async () => {
    const room = await panelRoom();
    const body = "1. Tear it down\n2. Build it up";
    room.transcript.event({ type: "PlanDisplay", payload: { content: body, file_path: "" } });
    await room.asks(colourView({ body }));
    expect(room.frame()).not.toContain("Tear it down");
    await room.type("\u0005");
    expect(room.frame()).toContain("Tear it down");
  });

  test("a question whose answer the server refuses comes again with that answer and the reason (P-XAN-4)", async () => {
    const room = await panelRoom();
    const view = colourView();
    const { reply: first } = await room.asks(view);
    await room.type("gre", "en", enter);
    await first;
    const issue = { question_id: "q1", code: "not_allowed" as const, message: "only a primary colour" };
    const { reply: again } = await room.asks(view, [issue]);
    expect(room.frame()).toContain("only a primary colour");
    expect(room.frame()).toContain("green");
    await room.pass(600);
    await room.type(enter);
    expect(await again).toMatchObject({ items: [{ own_text: "green" }] });
  });
});

/** Options of an approval as the server sends them. */
const approvalOptions = (options: ConstructorParameters<typeof ApprovalRequest>[0]["options"]) =>
  new ApprovalRequest({ tool_call_id: "", sender: "", action: "run command", description: "", options })
    .options as NonNullable<ApprovalView["options"]>;

describe("an approval in a panel", () => {
  test("a letter approves an approval, of which one line stays", async () => {
    const room = await panelRoom();
    const { reply } = await room.asksApproval();
    expect(room.frame()).toContain("Shell asks to run command");
    expect(room.frame()).toMatch(/Approve for this session.*every further “run command” too/);
    await room.type("a", enter);
    expect(await reply).toBe("approve_for_session");
    expect(room.written()).toBe("● Run `npm test` → approved for this session\n");
  });

  test.each([
    ["en", "program", "git", "Approve git for this session", "further plain “git” commands too"],
    ["en", "command", "git log | sh", "Approve this command for this session", "this same command again too"],
    ["en", "file", "a.txt", "Approve this file for this session", "further changes of a.txt too"],
    ["en", "action", undefined, "Approve for this session", "every further “run command” too"],
    ["zh", "program", "git", "本会话内一律批准 git", "之后的普通“git”命令也不再询问"],
    ["zh", "command", "git log | sh", "本会话内一律批准此命令", "之后的相同命令也不再询问"],
    ["zh", "file", "a.txt", "本会话内一律批准此文件", "之后对 a.txt 的修改也不再询问"],
    ["zh", "action", undefined, "本会话内一律批准", "之后的“运行命令”也不再询问"],
  ] as const)(
    "an approval says in %s what an option covers: %s %s (P-XAO-2, P-XAO-7)",
    async (language, kind, value, label, said) => {
      const room = await panelRoom({ language });
      const scope = { kind, ...(value !== undefined && { value }) };
      const options = approvalOptions([
        { id: "once", kind: "allow" },
        { id: "more", kind: "allow", scope },
      ]);
      const { reply } = await room.asksApproval(approvalView({ options }));
      expect(room.frame()).toContain(label);
      expect(room.frame()).toContain(said);
      await room.type("a", enter);
      expect(await reply).toEqual({ option: "more" });
      expect(room.written()).toMatch(/^● Run `npm test` → (approved for this session|本会话内一律批准)/);
      expect(room.written()).toContain(said);
    },
  );

  test.each([
    ["a part of it", "Release job", "Release job (deployer) asks to run command"],
    ["its own name", "deployer", "deployer asks to run command"],
  ])(
    "an approval of a connected program says which program asks, as %s (P-XAK-11)",
    async (_as, sender, said) => {
      const room = await panelRoom();
      const program = { key: "k", name: "deployer", connection: "c" };
      await room.asksApproval(approvalView({ sender, program }));
      expect(room.frame()).toContain(said);
    },
  );

  test.each(["en", "zh"] as const)(
    "a question and an approval of a connected program say where they come from, escaped, in %s (P-XAK-12)",
    async (language) => {
      const origin = { host: "Claude Code", folder: "/work/\u001b[2Japp", tool: "Bash", subagent: "explore" };
      const program = { ...{ key: "k", name: "deployer", connection: "c" }, origin };
      const room = await panelRoom({ language });
      await room.asksApproval(approvalView({ sender: "Release job", program }));
      const from =
        language === "en"
          ? "Claude Code · /work/\\u{1b}[2Japp · tool Bash · sub-agent explore"
          : "Claude Code · /work/\\u{1b}[2Japp · 工具 Bash · 子智能体 explore";
      expect(inOneLine(room.frame())).toContain(inOneLine(from));
      const other = await panelRoom({ language });
      await other.asks(colourView({}, { program }));
      expect(inOneLine(other.frame())).toContain(inOneLine(from));
    },
  );

  test("an approval with custom options shows the words of whoever asks, and own words choose the first option that rejects (P-XAO-1)", async () => {
    const room = await panelRoom();
    const options = approvalOptions([
      { id: "staging", label: "Deploy to staging", kind: "allow" },
      { id: "production", label: "Deploy to production", kind: "allow" },
      { id: "later", label: "Not today", kind: "reject" },
    ]);
    const { reply } = await room.asksApproval(approvalView({ options }));
    expect(room.frame()).toMatch(/1\. Deploy to staging[\s\S]*2\. Deploy to production[\s\S]*3\. Not today/);
    await room.type("wait a minute", enter);
    expect(await reply).toEqual({ option: "later", feedback: "wait a minute" });
    expect(room.written()).toBe("○ Run `npm test` → Not today: wait a minute\n");
  });

  test("an approval is rejected with a reason in its last row", async () => {
    const room = await panelRoom();
    const { reply } = await room.asksApproval();
    await room.type(down, down, down, "not now", enter);
    expect(await reply).toEqual({ response: "reject", feedback: "not now" });
    expect(room.written()).toBe("○ Run `npm test` → rejected: not now\n");
  });

  test("an approval shows the difference that it is about, and says which sub-agent asks", async () => {
    const room = await panelRoom();
    const display = [
      {
        type: "diff" as const,
        path: "a.txt",
        old_text: "one\n",
        new_text: "two\n",
        old_start: 1,
        new_start: 1,
        is_summary: false,
      },
    ];
    const view = approvalView({ display, subagent_type: "coder" });
    await room.asksApproval(view);
    expect(room.frame()).toContain("-one");
    expect(room.frame()).toContain("+two");
    expect(room.frame()).toContain("Shell of the sub-agent coder asks to run command");
  });

  test("an approval that is declined counts as rejected", async () => {
    const room = await panelRoom();
    const { reply } = await room.asksApproval();
    await room.type(esc);
    await room.settled();
    expect(room.person.interrupt()).toBe(true);
    expect(await reply).toBe("reject");
    expect(room.written()).toBe("○ Run `npm test` → rejected\n");
  });
});

describe("several requests", () => {
  test("several requests come one after the other in their order, and the title says how many wait", async () => {
    const room = await panelRoom();
    const replies = ["First?", "Second?"].map((question) =>
      room.person.question(colourView({ question }), requestContext().context),
    );
    await room.settled();
    expect(room.frame()).toContain("First?");
    expect(room.frame()).toContain("1");
    await room.type(enter);
    expect(room.frame()).toContain("Second?");
    await room.pass(DOUBLE_MS);
    await room.type(down, enter);
    await Promise.all(replies);
    expect(room.written()).toBe("● First?\n  → Red\n● Second?\n  → Blue · like the sea\n");
    expect(room.terminal.borrower).toBeUndefined();
  });

  test("an approval replaces a question, which comes back as it was left", async () => {
    const room = await panelRoom();
    const { reply: question } = await room.asks();
    await room.type("dr", "aft");
    const approval = room.person.approval(approvalView(), requestContext().context);
    await settled();
    expect(room.frame()).toContain("draft");
    await room.pass(999);
    expect(room.frame()).toContain("draft");
    await room.pass(1);
    expect(room.frame()).toContain("Run `npm test`");
    // Keys that were meant for the question.
    await room.type("y", enter);
    await room.pass(DOUBLE_MS);
    await room.type("y", enter);
    expect(await approval).toBe("approve");
    expect(room.frame()).toContain("draft");
    await room.pass(DOUBLE_MS);
    await room.type(enter);
    expect(await question).toMatchObject({ items: [{ own_text: "draft" }] });
  });

  test("an approval that came later is first among the waiting requests", async () => {
    const room = await panelRoom();
    room.terminal.typing = true;
    void room.person.question(colourView(), requestContext().context);
    await room.asksApproval();
    await room.sends();
    expect(room.frame()).toContain("Run `npm test`");
  });
});

describe("a call whose answer the lines already show", () => {
  test.each([
    ["y", false],
    ["n", true],
  ])(
    "a call whose approval was answered with %s counts as shown only if that was a rejection",
    async (letter, told) => {
      const room = await panelRoom();
      const view = approvalView();
      const { reply } = await room.asksApproval(view);
      await room.type(letter, enter);
      await reply;
      expect(room.person.hasTold(view.tool_call_id)).toBe(told);
    },
  );

  test("a shown answer is remembered once, so that the call's result is not shown again", async () => {
    const room = await panelRoom();
    const view = colourView();
    const { reply } = await room.asks(view);
    await room.type(enter);
    await reply;
    expect([room.person.hasTold(view.tool_call_id), room.person.hasTold(view.tool_call_id)]).toEqual([
      true,
      false,
    ]);
    expect(room.person.hasTold("another")).toBe(false);
  });
});
