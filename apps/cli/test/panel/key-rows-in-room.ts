import { coreQuestion } from "@askwire/protocol";
import { expect, test } from "vitest";
import type { AskedQuestion } from "./at-panel.js";
import { panelRoom, settled } from "./in-process/room.js";
import { DECLINED, type KeyRow, WITHDRAWN } from "./key-rows.js";

/** The time on the hand clock after which a digit that stands alone has counted. */
const ENOUGH_MS = 500;

const viewOf = (asked: readonly AskedQuestion[]) => ({
  id: "question",
  tool_call_id: "ask",
  questions: asked.map(({ question, header = "", options = [], multi_select = false }, index) => {
    const labelled = options.map((option) => (typeof option === "string" ? { label: option } : option));
    const given = labelled.map(({ label, ...more }) => ({ label, description: "", ...more }));
    const words = { body: "", other_label: "", other_description: "" };
    return coreQuestion({ question, header, options: given, multi_select, ...words }, index);
  }),
});

/** A test for each row, as of `keys`, with the panel in this process and the clock in the test's hands. */
export const keysInRoom = (asked: readonly AskedQuestion[], rows: readonly KeyRow[]) =>
  test.each(rows.map((row) => [row.does, row] as const))("in process: %s", async (_does, row) => {
    let exitCode: number | undefined;
    let items: unknown = [];
    const room = await panelRoom({
      guarded: false,
      leavesOut: () => true,
      interrupted() {
        exitCode = WITHDRAWN;
      },
    });
    const { reply } = await room.asks(viewOf(row.asked ?? asked));
    void Promise.resolve(reply).then((answer) => {
      exitCode ??= typeof answer === "object" ? 0 : DECLINED;
      if (typeof answer === "object" && "items" in answer) items = answer.items;
    });
    /** Lets time pass, and waits for a lone Escape, which is told from other keys by the clock on the wall. */
    async function until(holds: () => boolean, what: unknown): Promise<void> {
      if (!holds()) await room.pass(ENOUGH_MS);
      await expect.poll(holds, { message: `${what}, in\n${room.frame()}` }).toBe(true);
    }
    for (const step of row.pressed) {
      const [pressed, seen] = typeof step === "string" ? [step, ""] : step;
      room.terminal.borrower?.input(Buffer.from(pressed));
      await settled();
      const shows = () => (typeof seen === "string" ? room.frame().includes(seen) : seen.test(room.frame()));
      await until(shows, seen);
    }
    await until(() => exitCode !== undefined, "the reply");
    expect(exitCode).toBe(row.exitCode ?? 0);
    expect(items).toEqual(row.items ?? []);
  });
