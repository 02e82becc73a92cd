import { describe, expect, test } from "vitest";
import { createGuard, DOUBLE_MS } from "../../../src/panel/guard.js";
import {
  approvalView,
  CTRL_C,
  colourView,
  down,
  enter,
  handClock,
  panelRoom,
  requestContext,
  settled,
} from "./room.js";

test("every panel that nobody asked for takes no keys for half a second", () => {
  const clock = handClock();
  expect(createGuard(clock, () => Number.NEGATIVE_INFINITY).keysOff()).toBe(500);
});

describe("a panel that opens", () => {
  test("a panel that opens takes no keys for half a second, and names its keys only then", async () => {
    const room = await panelRoom();
    const reply = room.person.question(colourView(), requestContext().context);
    await settled();
    const unready = room.frame();
    await room.pass(349);
    await room.type(down);
    await room.pass(150);
    expect(room.frame()).toBe(unready);
    await room.pass(1);
    expect(room.frame()).not.toBe(unready);
    expect(room.frame()).toMatch(/Enter/);
    expect(unready).not.toMatch(/Enter/);
    await room.type(down, enter);
    expect(await reply).toMatchObject({ items: [{ selected: ["q1_o2"] }] });
  });

  test("a panel that opens takes Ctrl-C at any time", async () => {
    const room = await panelRoom();
    room.terminal.lastKeyAt = room.clock.now();
    const reply = room.person.question(colourView(), requestContext().context);
    await settled();
    await room.type(CTRL_C);
    expect(await reply).toBe("declined");
  });

  test.each([
    ["while it took no keys", false],
    ["into a panel that was taken away before", true],
  ])("the Enter after words typed %s does not confirm a panel that opens", async (_when, before) => {
    const room = await panelRoom();
    const { context, settle } = requestContext();
    const gone = room.person.question(colourView(), context);
    const failed = expect(gone).rejects.toThrow("it was settled");
    await room.settled();
    await room.type("\u001b[A");
    settle();
    await failed;
    if (before) await room.type("wait");
    const reply = room.person.approval(approvalView(), requestContext().context);
    await settled();
    if (!before) await room.type("wait");
    await room.pass(DOUBLE_MS);
    await room.type(enter);
    expect(room.frame()).toContain("Press Enter once more to confirm.");
    await room.type(enter);
    expect(await reply).toBe("approve");
  });

  test("a panel in a command that the person started takes keys at once", async () => {
    const room = await panelRoom({ guarded: false });
    room.terminal.lastKeyAt = room.clock.now();
    room.terminal.typing = true;
    const { reply } = await room.asks();
    await room.type(enter);
    expect(await reply).toMatchObject({ items: [{ selected: ["q1_o1"] }] });
  });
});

test("a panel that opens after a key in another one takes no keys until no double press can reach it", () => {
  const clock = handClock();
  const guard = createGuard(clock, () => Number.NEGATIVE_INFINITY);
  guard.pressed();
  clock.pass(20);
  expect(guard.keysOff()).toBe(630);
  clock.pass(400);
  expect(guard.keysOff()).toBe(500);
});

describe("an approval with a part out of sight", () => {
  const command = ["npm test", ...Array.from({ length: 60 }, (_, line) => `echo ${line}`), "rm -rf build"];
  const view = () =>
    approvalView({ display: [{ type: "shell", language: "bash", command: command.join("\n") }] });
  const WHY = "Not approved yet: part of this was out of sight.";

  test("the Enter that would approve first shows the rest of an approval, and the next Enter there approves", async () => {
    const room = await panelRoom();
    const { reply } = await room.asksApproval(view());
    expect(room.frame()).not.toContain("echo 30");
    await room.type(enter);
    expect(room.frame()).toContain(WHY);
    // Keys that go on, as of one that is held down, neither leave the text nor approve.
    await room.type(enter, enter, enter);
    await room.pass(499);
    await room.type(enter);
    await room.pass(150);
    expect(room.frame()).toMatch(/echo 1\n[\s\S]*Esc back/);
    await room.type("q");
    expect(room.frame()).toMatch(/❯ 1\. Approve/);
    expect(room.frame()).not.toContain(WHY);
    await room.type(enter);
    expect(await reply).toBe("approve");
  });

  test("a person who has read all of an approval approves it at once, and anybody rejects it at once", async () => {
    const room = await panelRoom();
    const { reply } = await room.asksApproval(view());
    await room.type("\u0005", "q", enter);
    expect(await reply).toBe("approve");
    const other = await room.asksApproval(view());
    await room.type("n", enter);
    expect(await other.reply).toBe("reject");
  });

  test("an approval with a part out of sight says in Chinese why it is not approved yet", async () => {
    const room = await panelRoom({ language: "zh" });
    await room.asksApproval(view());
    await room.type(enter);
    expect(room.frame()).toContain("尚未批准");
  });
});

describe("unsent words at the prompt", () => {
  test("a panel waits while words stand at the prompt, one line says so with a bell, and sending them opens it", async () => {
    const room = await panelRoom();
    room.terminal.typing = true;
    const { reply } = await room.asks();
    expect(room.frame()).toBe("");
    expect(room.written()).toBe(
      "\u0007\u001b]9;askwire: Which colour?\u0007(The agent has a question for you, once the prompt is empty: Enter sends what stands there, Ctrl-C wipes it)\n",
    );
    await room.sends();
    await room.settled();
    expect(room.frame()).toContain("Which colour?");
    // The bell has rung.
    expect(room.terminal.signals).not.toContain("\u001b]9;");
    await room.type(enter);
    expect(await reply).toMatchObject({ items: [{ selected: ["q1_o1"] }] });
  });

  test("a request that is answered elsewhere while words stand at the prompt disappears with a line, and never opens", async () => {
    const room = await panelRoom();
    room.terminal.typing = true;
    const { context, settle } = requestContext();
    const reply = room.person.question(colourView(), context);
    const failed = expect(reply).rejects.toThrow("it was settled");
    await room.settled();
    settle();
    await failed;
    expect(room.written()).toMatch(/\(no longer open: somebody in phone answered it\)[^\n]*\n$/);
    await room.sends();
    expect(room.frame()).toBe("");
  });

  test("Ctrl-C declines a request that words at the prompt hold back", async () => {
    const room = await panelRoom();
    room.terminal.typing = true;
    const { reply } = await room.asks();
    expect(room.person.interrupt()).toBe(true);
    expect(await reply).toBe("declined");
    expect(room.person.interrupt()).toBe(false);
  });

  test("an approval that words at the prompt hold back says so too, and is shown first", async () => {
    const room = await panelRoom();
    room.terminal.typing = true;
    await room.asks();
    await room.asksApproval();
    expect(room.written().split("once the prompt is empty")).toHaveLength(3);
    await room.sends();
    expect(room.frame()).toContain("Run `npm test`");
  });
});
