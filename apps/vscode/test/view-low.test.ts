import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { approvalOf, changeOf, questionsOf } from "./asked-cards.js";
import { openViews, parts, tell } from "./opened-view.js";

const open = openViews(testBrowser());
const narrow = { size: { width: 250, height: 600 } };

const asked = {
  ...{ kind: "asked", key: 2, id: "r1", questions: [], options: [], isApproval: false },
  about: ["Where should the carts live?"],
};
const words = Array.from({ length: 60 }, (_, at) => `Paragraph ${at}.`).join("\n\n");
const text = (said: string, isOpen = false) => ({ kind: "text", key: 1, text: said, isOpen });

/** Tells the view its cards and conversation. */
const show = (page: Page, cards: readonly unknown[], entries: readonly object[], more = {}) =>
  tell(page, {
    ...{ type: "state", seq: 0, parts: { ...parts(cards), ...more } },
    entries: { from: 1, to: 9, changed: entries },
  } as never);

/** True where an element is in sight as a whole: within the window and every scroller, above the buttons of its card. */
const inSight = (element: Locator) =>
  element.evaluate((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const points = [top + 2, bottom - 2].map((y) => document.elementFromPoint((left + right) / 2, y));
    return points.every((found) => found !== null && (one.contains(found) || found.contains(one)));
  });

describe("a side bar of 250 px in a low window", () => {
  test("a question of four has its text and all its options in sight at once, below one row of tabs", async () => {
    const { page } = await open(null, narrow);
    await show(page, [questionsOf(4)], [text(words)]);
    const card = page.locator(".askwire-card");
    await card.waitFor();
    const parts = [
      card.locator(".askwire-question > legend"),
      ...(await card.locator(".askwire-option").all()),
    ];
    expect(await Promise.all(parts.map(inSight))).toEqual([true, true, true, true, true]);
    const tabs = await card.getByRole("tab").all();
    const tops = await Promise.all(tabs.map(async (tab) => (await tab.boundingBox())?.y));
    expect(new Set(tops).size).toBe(1);
    expect(await inSight(page.getByRole("textbox", { name: "Message" }))).toBe(true);
  });

  test("the card moves when the focus leaves the place to write, or that has no switches and files once the person writes", async () => {
    const { page } = await open(null, narrow);
    await show(page, [questionsOf(1)], []);
    const attach = page.getByRole("button", { name: "Attach files…" });
    const top = () => page.locator(".askwire-card").evaluate((card) => card.getBoundingClientRect().top);
    await page.locator(".askwire-card").waitFor();
    expect(await attach.isVisible()).toBe(false);
    const before = await top();
    await page.getByRole("textbox", { name: "Message" }).focus();
    expect(await top()).toBe(before);
    await page.getByRole("textbox", { name: "Message" }).fill("One more thing");
    expect([await attach.isVisible(), await page.getByRole("switch").first().isVisible()]).toEqual([
      true,
      true,
    ]);
  });

  test("the reason of a refusal comes into sight", async () => {
    const { page } = await open(null, narrow);
    const deep = changeOf("", Array.from({ length: 80 }, (_, at) => `line ${at}\n`).join(""));
    const approval = approvalOf(...Array.from({ length: 6 }, () => deep));
    const issues = [{ question_id: null, code: "unknown", message: "this was decided elsewhere" }];
    await show(page, [approval], []);
    await page.locator(".dock").evaluate((dock) => dock.scrollTo(0, 0));
    await show(page, [{ ...approval, issues, delivery: { is: "refused", issues } }], []);
    const reason = page.getByText("Not accepted: this was decided elsewhere");
    await reason.waitFor();
    await expect.poll(() => inSight(reason)).toBe(true);
  });

  test("a question is told once while its card is open, and stays in the conversation with its answer", async () => {
    const { page } = await open(null, narrow);
    await show(page, [questionsOf(1)], [asked]);
    await page.locator(".askwire-card").waitFor();
    expect(await page.getByText("Where should the carts live?").count()).toBe(1);
    const settled = {
      outcome: { status: "answered" },
      answers: [["Where should the carts live?", ["SQLite"]]],
    };
    await show(page, [], [{ ...asked, settled }]);
    await page.locator(".askwire-asked").getByText("SQLite").waitFor();
  });

  test.each([
    [true, 0],
    [false, 1],
  ])(
    "an answer is signed with the editor's name unless nobody else answers (%s)",
    async (isAlone, signed) => {
      const { page } = await open(null, narrow);
      const outcome = { status: "answered", client: { name: "askwire-vscode" } };
      const settled = { outcome, answers: [["Where should the carts live?", ["SQLite"]]] };
      await show(page, [], [{ ...asked, settled }], { talk: { ...parts([]).talk, isAlone } });
      await page.locator(".askwire-asked").getByText("SQLite").waitFor();
      expect(await page.getByText("askwire-vscode").count()).toBe(signed);
    },
  );

  test("words said into a running turn stand as waiting until the agent takes them", async () => {
    const { page } = await open(null, narrow);
    const said = { kind: "words", id: "s1", input: "Use SQLite", state: { is: "taken" } };
    await show(page, [], [text("I begin.")], { said: [said] });
    await page.locator(".askwire-waits").getByText("waits for the agent").waitFor();
    await show(page, [], [text("I begin."), { kind: "steer", key: 2, said: ["Use SQLite"] }], { said: [] });
    await page.locator(".askwire-steer").getByText("Use SQLite").waitFor();
    expect(await page.locator(".askwire-waits").count()).toBe(0);
  });

  test("a long answer that grows keeps its end in sight, also when a card opens below it", async () => {
    const { page } = await open(null, narrow);
    const last = page.locator(".askwire-said").getByText("Paragraph 59.");
    await show(page, [], [text("Paragraph 0.", true)]);
    await show(page, [], [text(words, true)]);
    await expect.poll(() => inSight(last)).toBe(true);
    await show(page, [questionsOf(1)], [text(words)]);
    await page.locator(".askwire-card").waitFor();
    await expect.poll(() => inSight(last)).toBe(true);
  });
});
