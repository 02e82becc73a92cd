import type { ApprovalView, QuestionView, RequestContext } from "@askwire/client";
import { terminalWords } from "@askwire/client/words";
import fc from "fast-check";
import { expect, test } from "vitest";
import { paintFor } from "../../../src/device/paint.js";
import { panelView } from "../../../src/panel/view.js";
import { approvalView, CTRL_C, colourView, enter, esc, panelRoom, requestContext } from "./room.js";

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constantFrom("question", "approval", "refused") }) },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant("keys"),
      keys: fc.constantFrom("1", "y", "x", enter, esc, CTRL_C, "\u0005", "q", "\u001b[200~a", `1${enter}`),
    }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant("pass"), ms: fc.constantFrom(1, 499, 600, 2_001) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constantFrom("settle", "types", "sends", "interrupt", "deadline", "gone", "turn", "resize"),
    }),
  },
);

test("whatever happens in whatever order, every request ends and the terminal is given back", async () => {
  const drawn = panelView({ words: terminalWords.en.panel, paint: paintFor({}, {}) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.boolean(), async (steps, failing) => {
      let draws = 0;
      let decline = () => {};
      let isAsked = false;
      const inLines = <T>(reply: T, { signal }: RequestContext) =>
        new Promise<T>((resolve, reject) => {
          isAsked = true;
          signal.addEventListener("abort", () => reject(signal.reason), { once: true });
          decline = () => resolve(reply);
        }).finally(() => {
          isAsked = false;
        });
      const room = await panelRoom({
        view: {
          draw(...frame) {
            draws += 1;
            if (failing && draws % 7 === 0) throw new Error("it cannot be drawn");
            return drawn.draw(...frame);
          },
        },
        byLines: {
          question: (_view, context) => inLines("declined" as const, context),
          approval: (_view, context) => inLines("reject" as const, context),
          interrupt() {
            decline();
            return isAsked;
          },
        },
      });
      const { person, terminal } = room;
      const open = new Map<string, { settle(): void; reply: Promise<unknown> }>();
      const put = (kind: string) => {
        const issues = kind === "refused" ? [{ question_id: "q1", message: "no" } as never] : [];
        const { context, settle } = requestContext(issues);
        const view = kind === "approval" ? approvalView() : colourView();
        const asked =
          kind === "approval"
            ? person.approval(view as ApprovalView, context)
            : person.question(view as QuestionView, context);
        const reply = Promise.resolve(asked).then(
          () => open.delete(view.id),
          () => open.delete(view.id),
        );
        open.set(view.id, { settle, reply });
      };
      for (const each of steps) {
        const [first] = open.keys();
        if ("keys" in each) await room.type(each.keys);
        else if ("ms" in each) await room.pass(each.ms);
        else if (each.does === "types")
          Object.assign(terminal, { typing: true, lastKeyAt: room.clock.now() });
        else if (each.does === "sends") await room.sends();
        else if (each.does === "settle") open.get(first ?? "")?.settle();
        else if (each.does === "interrupt") person.interrupt();
        else if (each.does === "gone") {
          const { borrower } = terminal;
          terminal.borrower = undefined;
          borrower?.gone();
          // A terminal that is gone shows nothing.
          terminal.frame = "";
        } else if (each.does === "resize") terminal.borrower?.redraw();
        else if (each.does === "deadline")
          person.updated({
            request_id: first ?? "",
            deadline: { remaining_ms: 1_500, on_expiry: "cancel" } as never,
          });
        else if (each.does !== "turn") put(each.does);
        if (each.does === "turn") await room.settled();
      }
      await room.sends();
      for (let turn = 0; open.size > 0 && turn < 200; turn += 1) {
        await room.pass(600);
        if (!person.interrupt()) await room.settled();
      }
      expect([...open.keys()]).toEqual([]);
      // Keys typed on into a panel that was taken away are awaited.
      await room.pass(1_000);
      expect(terminal.borrower).toBeUndefined();
      expect(room.frame()).toBe("");
      // The next one is shown as ever.
      await room.pass(3_000);
      put("question");
      await room.settled();
      await room.settled();
      expect(failing || room.frame() !== "").toBe(true);
      person.close();
      await Promise.all([...open.values()].map(({ reply }) => reply));
      expect(open.size).toBe(0);
    }),
    { numRuns: 60 },
  );
});
