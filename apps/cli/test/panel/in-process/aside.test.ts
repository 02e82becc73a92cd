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

const ctrl = (letter: string) => String.fromCharCode(letter.charCodeAt(0) - 64);
const aside = ctrl("G");
const next = ctrl("O");
const previous = ctrl("R");

const WAITS = "Put aside: a request waits for you. Ctrl-G or Enter brings it back.";

describe("a panel that is put aside", () => {
  test("a panel that is put aside is one line that says so, and what was chosen in it is there when it comes back", async () => {
    const room = await panelRoom();
    const { reply, context } = await room.asks();
    await room.type("bl", "ue");
    await room.type(aside);
    expect(room.frame()).toBe(WAITS);
    await room.type(aside);
    await room.settled();
    expect(room.frame()).toContain("Other: blue");
    expect(context.touches).toBe(1);
    await room.type(enter);
    expect(await reply).toMatchObject({ items: [{ own_text: "blue" }] });
  });

  test("a panel that is put aside names the time left of the first deadline, second by second", async () => {
    const room = await panelRoom();
    const deadline = (remaining_ms: number) => ({
      ...{ at: "2026-01-01T00:00:00Z", remaining_ms, on_expiry: "cancel" as const },
    });
    await room.asks(colourView({}, { deadline: deadline(90_000) }));
    await room.type(aside);
    const seconds = () => Number(/(\d+) s left\./.exec(room.frame())?.[1]);
    const left = seconds();
    expect(room.frame()).toBe(WAITS.replace("you.", `you, ${left} s left.`));
    await room.pass(1_000);
    expect(seconds()).toBe(left - 1);
    await room.asks(colourView({}, { deadline: deadline(30_000) }));
    expect(room.frame()).toMatch(/^Put aside: 2 requests wait for you, the first with \d\d s left\. /);
    expect(seconds()).toBeLessThanOrEqual(30);
  });

  test.each([
    ["Enter", enter, true],
    ["Enter", enter, false],
    ["Ctrl-G", aside, true],
    ["Ctrl-G", aside, false],
  ])(
    "a panel that comes back by %s takes no key until no double press can reach it, guarded or not",
    async (_name, key, guarded) => {
      const room = await panelRoom({ guarded });
      const { context } = requestContext();
      let isAnswered = false;
      void Promise.resolve(room.person.approval(approvalView(), context)).then(() => {
        isAnswered = true;
      });
      await room.settled();
      await room.type(aside, key);
      await room.type(enter, enter);
      await room.pass(DOUBLE_MS - 160);
      await room.type(enter);
      expect(isAnswered).toBe(false);
      await room.pass(DOUBLE_MS);
      await room.type(enter);
      expect(isAnswered).toBe(true);
    },
  );

  test("nothing that is typed while a panel is aside answers it, and it begins no words in it", async () => {
    const room = await panelRoom();
    const { context } = requestContext();
    let isAnswered = false;
    void Promise.resolve(room.person.approval(approvalView(), context)).then(() => {
      isAnswered = true;
    });
    await room.settled();
    await room.type(aside, "y", "x", down, esc, "\u001b[200~a paste\n\u001b[201~");
    await room.pass(1_000);
    expect(room.frame()).toBe(WAITS);
    expect(isAnswered).toBe(false);
    expect(context.touches).toBe(0);
    await room.type(aside);
    await room.settled();
    expect(room.frame()).toMatch(/❯ 1\. Approve/);
    expect(room.frame()).not.toContain("paste");
  });

  test("a request that comes while panels are aside waits with them, and calls the person", async () => {
    const room = await panelRoom();
    await room.asks();
    await room.type(aside);
    room.terminal.signals = "";
    await room.asksApproval();
    expect(room.frame()).toContain("2 requests wait for you");
    expect(room.terminal.signals).toContain("Run `npm test`");
    await room.type(aside);
    await room.settled();
    expect(room.frame()).toContain("Run `npm test`");
  });

  test("a request that is answered elsewhere while it is aside goes with a line, and the next one opens as ever", async () => {
    const room = await panelRoom();
    const { reply, settle } = await room.asks();
    const failed = expect(reply).rejects.toThrow("it was settled");
    await room.type(aside);
    settle();
    await failed;
    await room.pass(1_000);
    expect(room.frame()).toBe("");
    expect(room.terminal.borrower).toBeUndefined();
    expect(room.written()).toContain("phone answered it");
    await room.asks();
    expect(room.frame()).toContain("Which colour?");
  });

  test("Ctrl-C while a panel is aside declines nothing that is out of sight: it brings the panel back, where it declines", async () => {
    const room = await panelRoom();
    const { reply } = await room.asks();
    await room.type(aside, CTRL_C);
    expect(room.frame()).toContain("Which colour?");
    await room.type(CTRL_C);
    expect(await reply).toBe("declined");
    expect(room.frame()).toBe("");
  });

  test("the line fits in 20 columns, and says the same", async () => {
    const room = await panelRoom();
    room.terminal.columns = 20;
    await room.asks();
    await room.type(aside);
    const lines = room.frame().split("\n");
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(20);
    expect(lines.join(" ").replaceAll(/\s+/g, " ")).toBe(WAITS);
  });
});

describe("another waiting request", () => {
  test("Ctrl-O goes to the next request and Ctrl-R back, with what was typed in each", async () => {
    const room = await panelRoom();
    await room.asks(colourView({ question: "First?" }));
    await room.asks(colourView({ question: "Second?" }));
    await room.asks(colourView({ question: "Third?" }));
    await room.type("mine");
    await room.type(next);
    expect(room.frame()).toContain("Second?");
    await room.type(next);
    expect(room.frame()).toContain("Third?");
    await room.type(next);
    expect(room.frame()).toContain("First?");
    await room.type(previous);
    expect(room.frame()).toContain("Third?");
    await room.type(next);
    await room.settled();
    expect(room.frame()).toContain("Other: mine");
  });

  test("the request that the person went to stays before an approval, and answering it leads to the approval", async () => {
    const room = await panelRoom();
    const { reply } = await room.asks();
    await room.asksApproval();
    expect(room.frame()).toContain("Run `npm test`");
    await room.type(next);
    await room.pass(5_000);
    expect(room.frame()).toContain("Which colour?");
    await room.type(enter);
    expect(await reply).toMatchObject({ items: [{ selected: ["q1_o1"] }] });
    await room.settled();
    expect(room.frame()).toContain("Run `npm test`");
  });

  test("Enter right behind Ctrl-O answers nothing, and going tells nobody that an answer has begun", async () => {
    const room = await panelRoom();
    let answers = 0;
    const contexts = ["One?", "Two?"].map((question) => {
      const { context } = requestContext();
      void Promise.resolve(room.person.question(colourView({ question }), context)).then(() => {
        answers += 1;
      });
      return context;
    });
    await room.settled();
    await room.type(next, enter);
    await room.pass(300);
    await room.type(enter);
    expect(answers).toBe(0);
    expect(contexts.map(({ touches }) => touches)).toEqual([0, 0]);
  });

  test("a single request stays where it is", async () => {
    const room = await panelRoom();
    await room.asks();
    const before = room.frame();
    await room.type(next, previous);
    expect(room.frame()).toBe(before);
  });

  test("each of 500 requests is reached, some go elsewhere meanwhile, and every one ends", async () => {
    const room = await panelRoom();
    const all = Array.from({ length: 500 }, (_, index) => {
      const { context, settle } = requestContext();
      const reply = room.person.question(colourView({ question: `Number ${index}?` }), context);
      return {
        settle,
        ended: reply.then(
          () => "answered",
          () => "gone",
        ),
      };
    });
    await room.settled();
    const seen = new Set<string>();
    for (let count = 0; count < 500; count += 1) {
      seen.add(/Number \d+\?/.exec(room.frame())?.[0] ?? "none");
      await room.type(next);
    }
    expect(seen.size).toBe(500);
    for (const { settle } of all.slice(0, 250)) settle();
    await settled();
    expect(room.frame()).toContain("249 more waiting");
    for (let count = 0; count < 250; count += 1) {
      await room.pass(DOUBLE_MS);
      await room.type(enter);
    }
    const ends = await Promise.all(all.map(({ ended }) => ended));
    expect(ends.filter((end) => end === "answered")).toHaveLength(250);
    expect(room.frame()).toBe("");
  });
});
