import { describe, expect, test } from "vitest";
import { DOUBLE_MS } from "../../../src/panel/guard.js";
import { attentionOf } from "../../../src/panel/notify.js";
import { CTRL_C, colourView, down, enter, esc, panelRoom, requestContext, settled } from "./room.js";

describe("a question that ends elsewhere", () => {
  test("a shown question that ends elsewhere closes its panel at once, with one line", async () => {
    const room = await panelRoom();
    const { context, settle } = requestContext();
    const failed = expect(room.person.question(colourView(), context)).rejects.toThrow("it was settled");
    await room.settled();
    settle();
    expect(room.frame()).toBe("");
    expect(room.terminal.borrower).toBeUndefined();
    expect(room.written()).toBe("(no longer open: somebody in phone answered it) Which colour?\n");
    await failed;
  });

  test("a waiting question that ends elsewhere leaves nothing behind", async () => {
    const room = await panelRoom();
    void room.person.question(colourView({ question: "First?" }), requestContext().context);
    const { context, settle } = requestContext();
    const failed = expect(room.person.question(colourView(), context)).rejects.toThrow();
    await room.settled();
    expect(room.frame()).toContain("1");
    const frame = room.frame();
    settle();
    await failed;
    expect(room.written()).toBe("");
    expect(room.frame()).not.toBe(frame);
    expect(room.frame()).toContain("First?");
  });

  test("a question that ended elsewhere before it arrived is not shown", async () => {
    const room = await panelRoom();
    const { context, settle } = requestContext();
    settle();
    await expect(room.person.question(colourView(), context)).rejects.toThrow("it was settled");
    expect(room.frame()).toBe("");
  });

  test("a question that ends elsewhere just as it is answered here says that the answer did not count", async () => {
    const room = await panelRoom();
    const view = colourView();
    const { reply, settle } = await room.asks(view);
    await room.type(enter);
    await reply;
    settle();
    expect(room.written()).toMatch(/\(your answer did not count: somebody in phone answered it\)\n$/);
    // So what came of it is told by its result.
    expect(room.person.hasTold(view.tool_call_id)).toBe(false);
  });

  test("a question that ends elsewhere makes room for the next, which takes no keys for half a second", async () => {
    const room = await panelRoom();
    const { context, settle } = requestContext();
    const gone = expect(room.person.question(colourView({ question: "First?" }), context)).rejects.toThrow();
    const { reply } = await room.asks(colourView({ question: "Second?" }));
    settle();
    await gone;
    await settled();
    expect(room.frame()).toContain("Second?");
    await room.type(enter);
    await room.pass(DOUBLE_MS);
    await room.type(down, enter);
    expect(await reply).toMatchObject({ items: [{ selected: ["q1_o2"] }] });
  });
});

describe("the deadline in a panel", () => {
  const deadline = { at: "2026-01-01T00:00:00Z", remaining_ms: 60_000, on_expiry: "cancel" as const };

  /** A panel with that deadline, and its first frame. */
  async function counting() {
    const room = await panelRoom();
    const view = colourView({}, { deadline });
    const { context } = await room.asks(view);
    return { room, view, context, first: room.frame() };
  }

  test("a deadline counts down each second, and the first key removes it (P-XDL-3)", async () => {
    const { room, view, context, first } = await counting();
    await room.pass(1_000);
    expect(room.frame()).not.toBe(first);
    expect(context.touches).toBe(0);
    await room.type(down, down);
    expect(context.touches).toBe(1);
    room.person.updated({ request_id: view.id, deadline: null });
    const without = room.frame();
    await room.pass(5_000);
    expect(room.frame()).toBe(without);
  });

  test("a deadline that starts again is counted again, and removed again", async () => {
    const { room, view, context, first } = await counting();
    await room.type(down);
    room.person.updated({ request_id: view.id, deadline: null });
    room.person.updated({ request_id: view.id, deadline });
    await room.type(down, down);
    expect(room.frame()).toBe(first);
    expect(context.touches).toBe(2);
  });

  test("the title shows who else has begun to answer (P-XST-5)", async () => {
    const room = await panelRoom();
    const view = colourView({});
    await room.asks(view);
    const tell = (...names: string[]) =>
      room.person.updated({
        request_id: view.id,
        deadline: null,
        answering: names.map((name) => ({ name })),
      });
    tell("askwire-web");
    expect(room.frame()).toContain("askwire-web is answering too");
    tell("askwire-web", "two\nlines");
    expect(room.frame()).toContain("2 others are answering too");
    tell("two\nlines");
    expect(room.frame()).toContain("two lines is answering too");
    room.person.updated({ request_id: view.id, deadline: null });
    expect(room.frame()).toContain("is answering too");
    tell();
    expect(room.frame()).not.toContain("answering");
    room.person.updated({ request_id: view.id, deadline: null, calls: 2 });
    expect(room.frame()).toContain("2 calls wait for this answer");
    room.person.updated({ request_id: view.id, deadline: null, calls: 1 });
    expect(room.frame()).not.toContain("calls");
  });

  test("keys that do not count yet leave the deadline alone", async () => {
    const room = await panelRoom();
    room.terminal.lastKeyAt = room.clock.now();
    const { context } = requestContext();
    void room.person.question(colourView({}, { deadline }), context);
    await settled();
    await room.type(down);
    expect(context.touches).toBe(0);
  });
});

describe("the second Escape", () => {
  test("a second Escape declines within two seconds, and later counts as a first one", async () => {
    const room = await panelRoom();
    const questions = [...colourView().questions, { ...colourView().questions[0], id: "q2" }];
    const { reply } = await room.asks(colourView({}, { questions } as never));
    await room.type(enter, esc);
    // An Escape counts when nothing has followed it for a while.
    await expect.poll(room.frame).toMatch(/again/);
    await room.pass(2_001);
    expect(room.frame()).not.toMatch(/again/);
    await room.type(CTRL_C);
    expect(await reply).toBe("declined");
  });
});

describe("requests that no panel can show", () => {
  test("a question is asked in lines where drawing fails", async () => {
    const draw = () => {
      throw new Error("no\u001b layout");
    };
    const items = [{ question_id: "q1", selected: ["q1_o1"] }];
    const room = await panelRoom({ view: { draw }, byLines: { question: async () => ({ items }) } });
    expect(await room.person.question(colourView(), requestContext().context)).toEqual({ items });
    expect(room.written()).toContain("(the panel cannot be shown: no\\u{1b} layout");
    expect(room.terminal.borrower).toBeUndefined();
  });

  test("an approval is asked in lines where the terminal is not lent, and Ctrl-C reaches it there", async () => {
    let reject = () => {};
    const approval = () => new Promise<"reject">((resolve) => (reject = () => resolve("reject")));
    const interrupt = () => {
      reject();
      return true;
    };
    const room = await panelRoom({ byLines: { approval, interrupt } });
    room.terminal.isLendable = false;
    const { reply } = await room.asksApproval();
    expect(room.person.interrupt()).toBe(true);
    expect(await reply).toBe("reject");
    room.terminal.isLendable = true;
    await room.asks();
    expect(room.frame()).toContain("Which colour?");
  });

  test("open requests are not answered when the terminal is gone, but end elsewhere", async () => {
    const room = await panelRoom();
    const { context, settle } = requestContext();
    const question = room.person.question(colourView(), context);
    await room.settled();
    room.terminal.borrower?.gone();
    const first = await Promise.race([question, settled().then(() => "open")]);
    expect(first).toBe("open");
    settle();
    await expect(question).rejects.toThrow("it was settled");
  });
});

describe("the call for the person", () => {
  test("a bell, a notification and the title call the person when a panel opens, but not for the next panel", async () => {
    const room = await panelRoom();
    const view = colourView({ question: "Now\u001b]0;evil\u0007?" });
    const replies = [view, colourView()].map((each) => room.person.question(each, requestContext().context));
    await room.settled();
    expect(room.terminal.signals).toBe(
      "\u0007\u001b]9;askwire: Now\\u{1b}]0;evil\\u{7}?\u0007\u001b]0;❓ The agent has a question for you\u0007",
    );
    await room.type(enter);
    await room.pass(DOUBLE_MS);
    await room.type(enter);
    await Promise.all(replies);
    expect(room.terminal.signals.split("\u001b]9;")).toHaveLength(2);
  });

  test("the text of a notification is short, and has no control characters", () => {
    const sequence = attentionOf("xterm").ring(`a\tb\n\u009b${"界".repeat(500)}`);
    const text = sequence.slice("\u0007\u001b]9;askwire: ".length, -1);
    expect(text).toMatch(/^a b \\u\{9b\}界+…$/);
    expect([...text]).toHaveLength(120);
  });

  test.each(["linux", "dumb"])("the bell alone calls the person where TERM is %s", (term) => {
    const { ring, mark } = attentionOf(term);
    expect([ring("Why?"), mark("title")]).toEqual(["\u0007", ""]);
  });
});

test("a command that handles interrupts itself gets the Ctrl-C of its panel", async () => {
  let interrupts = 0;
  const interrupted = () => {
    interrupts += 1;
  };
  const room = await panelRoom({ interrupted });
  const { reply } = await room.asks();
  await room.type(CTRL_C);
  expect(interrupts).toBe(1);
  await room.type(enter);
  expect(await reply).toMatchObject({ items: [{ selected: ["q1_o1"] }] });
});

test("a command that the person started takes keys pressed before it asks, and Ctrl-C at once", async () => {
  let interrupts = 0;
  const interrupted = () => {
    interrupts += 1;
  };
  const room = await panelRoom({ guarded: false, interrupted });
  room.person.takeAhead();
  await room.type(down, CTRL_C);
  expect(interrupts).toBe(1);
  const { reply } = await room.asks();
  await room.type(enter);
  expect(await reply).toMatchObject({ items: [{ selected: ["q1_o2"] }] });
  expect(room.terminal.borrower).toBeUndefined();
});

test("keys typed ahead answer one question after the other, and a double press only one of them", async () => {
  const asked = () => {
    const [first, second] = [colourView(), colourView({ question: "Which size?" })].flatMap(
      ({ questions }) => questions,
    );
    return colourView({}, { questions: [first, { ...second, id: "q2" }] as never });
  };
  const room = await panelRoom({ guarded: false });
  room.person.takeAhead();
  await room.type(enter, enter, enter);
  const { reply } = await room.asks(asked());
  expect(await reply).toMatchObject({ items: [{ question_id: "q1" }, { question_id: "q2" }] });
  await room.asks(asked());
  await room.type(enter, enter);
  expect(room.frame()).toMatch(/Which size\?[\s\S]*Press Enter once more/);
});

test("a closed set of panels gives the terminal back and shows nothing more", async () => {
  const room = await panelRoom();
  const { reply: open } = await room.asks();
  room.person.close();
  await expect(open).rejects.toThrow("nobody is asked any more");
  expect(room.terminal.borrower).toBeUndefined();
  const later = room.person.question(colourView(), requestContext().context);
  await expect(later).rejects.toThrow("nobody is asked any more");
  expect(room.frame()).toBe("");
});

test("a long text is read page by page, and Enter returns to the rows", async () => {
  const room = await panelRoom();
  const body = Array.from({ length: 100 }, (_, index) => `line ${index + 1}`).join("\n");
  const { reply } = await room.asks(colourView({ body }));
  await room.type("\u0005");
  expect(room.frame()).toContain("line 1\n");
  await room.type("\u001b[6~");
  expect(room.frame()).not.toContain("line 1\n");
  await room.type("\u001b[F");
  expect(room.frame()).toContain("line 100");
  await room.type("\u001b[A");
  await room.type("\u001b[H");
  expect(room.frame()).toContain("line 1\n");
  await room.type("q");
  expect(room.frame()).toContain("Red");
  await room.type(enter);
  expect(await reply).toMatchObject({ items: [{ selected: ["q1_o1"] }] });
});

test("Ctrl-C soon after one that declined cancels the turn, and declines requests that came in between", async () => {
  let cancelled = 0;
  const room = await panelRoom({
    cancelTurn() {
      cancelled += 1;
    },
  });
  const first = room.person.question(colourView(), requestContext().context);
  const second = room.person.question(colourView(), requestContext().context);
  await settled();
  await room.type(CTRL_C);
  expect(await first).toBe("declined");
  expect(cancelled).toBe(0);
  await room.pass(1_999);
  await room.type(CTRL_C);
  expect(await second).toBe("declined");
  expect(cancelled).toBe(1);
  const third = room.person.question(colourView(), requestContext().context);
  await room.pass(2_000);
  await room.type(CTRL_C);
  expect(await third).toBe("declined");
  expect(cancelled).toBe(1);
});

test("keys typed on into a panel that was removed do not reach the prompt", async () => {
  const room = await panelRoom();
  const { context, settle } = requestContext();
  const gone = expect(room.person.question(colourView(), context)).rejects.toThrow();
  await room.settled();
  await room.type("half an ans");
  settle();
  await gone;
  expect(room.frame()).toBe("");
  expect(room.terminal.borrower).toBeDefined();
  await room.pass(900);
  await room.type("wer", enter);
  await room.pass(999);
  expect(room.terminal.borrower).toBeDefined();
  await room.pass(1);
  expect(room.terminal.borrower).toBeUndefined();
});
