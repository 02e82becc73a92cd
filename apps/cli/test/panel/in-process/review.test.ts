import { describe, expect, test } from "vitest";
import { DOUBLE_MS } from "../../../src/panel/guard.js";
import {
  settled as aMoment,
  approvalView,
  CTRL_C,
  colourView,
  down,
  enter,
  panelRoom,
  requestContext,
} from "./room.js";

describe("requests that never hang", () => {
  test("a request that is open when the panels close is given up, not left waiting", async () => {
    const { person, settled, terminal } = await panelRoom();
    const shown = person.question(colourView(), requestContext().context);
    const waits = person.approval(approvalView(), requestContext().context);
    await settled();
    const both = Promise.allSettled([shown, waits]);
    person.close();
    expect((await both).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(terminal.borrower).toBeUndefined();
  });
});

test("a request without questions is shown, and can be declined", async () => {
  const { person, type, pass, settled, frame } = await panelRoom();
  const reply = person.question({ ...colourView(), questions: [] }, requestContext().context);
  await settled();
  await pass(DOUBLE_MS);
  expect(frame()).toContain("Esc decline");
  person.interrupt();
  expect(await reply).toBe("declined");
  await type(enter);
});

describe("the result of a call", () => {
  test("a rejection of a call's first step does not hide the result once its second step was approved", async () => {
    const { person, type, pass, settled } = await panelRoom();
    const { tool_call_id } = approvalView();
    const first = person.approval(approvalView({ tool_call_id }), requestContext().context);
    await settled();
    await pass(DOUBLE_MS);
    await type("n", enter);
    expect(await first).toBe("reject");
    const second = person.approval(approvalView({ tool_call_id }), requestContext().context);
    await settled();
    await pass(DOUBLE_MS);
    await type("y", enter);
    expect(await second).toBe("approve");
    expect(person.hasTold(tool_call_id)).toBe(false);
  });
});

describe("keys that were pressed in one panel", () => {
  /** Two questions, the first of which may be answered now. */
  async function twoAsked() {
    const room = await panelRoom();
    const first = room.person.question(colourView(), requestContext().context);
    const second = room.person.question(colourView({ question: "Which size?" }), requestContext().context);
    await room.settled();
    await room.pass(DOUBLE_MS);
    return { ...room, first, second };
  }

  test("keys that came in one piece with an answer do not reach the next panel", async () => {
    const { type, pass, frame, first, second } = await twoAsked();
    await type(`${enter}${enter}${down}${enter}`);
    expect(await first).toEqual({ items: [{ question_id: "q1", selected: ["q1_o1"] }] });
    await aMoment();
    await type(enter, "x");
    expect(frame()).toContain("Which size?");
    await pass(DOUBLE_MS);
    await type(down, enter);
    expect(await second).toEqual({ items: [{ question_id: "q1", selected: ["q1_o2"] }] });
  });

  test("keys that are held down do not reach the next panel", async () => {
    const { type, pass, frame, first, second } = await twoAsked();
    let isAnswered = false;
    void Promise.resolve(second).then(() => (isAnswered = true));
    for (let pressed = 0; pressed < 100; pressed += 1) {
      await type(enter);
      await pass(30);
    }
    expect(await first).toMatchObject({ items: [{ selected: ["q1_o1"] }] });
    expect(isAnswered).toBe(false);
    expect(frame()).toContain("Which size?");
    await pass(150);
    await type(down, enter);
    expect(await second).toMatchObject({ items: [{ selected: ["q1_o2"] }] });
  });

  test("each Ctrl-C declines one request, in the order in which they are shown", async () => {
    const { person, type, settled } = await panelRoom();
    const first = person.question(colourView(), requestContext().context);
    const second = person.question(colourView(), requestContext().context);
    await settled();
    await type(CTRL_C);
    expect(await first).toBe("declined");
    await settled();
    await type(CTRL_C);
    expect(await second).toBe("declined");
  });
});
