import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { wantNothingBelow } from "../../../examples/test/whole-document.js";
import type { ToView } from "../src/view-state.js";
import { approvalOf, changeOf, questionsOf } from "./asked-cards.js";
import { openViews, parts, tell } from "./opened-view.js";

const open = openViews(testBrowser());

const lines = (count: number, name = "line") => Array.from({ length: count }, (_, at) => `${name} ${at}\n`);
const deep = changeOf(lines(400).join(""), lines(400, "other").join(""));
const said = lines(60).map((text, at) => ({ kind: "text", key: at + 1, text, isOpen: false }));

/** Every state of the view: its cards, and what the conversation has. */
const states = {
  "without a card": { cards: [], entries: said },
  "with a question": { cards: [questionsOf(1)], entries: said },
  "with four questions": { cards: [questionsOf(4)], entries: said },
  "with a change of hundreds of lines": { cards: [approvalOf(deep)], entries: said },
  "with an approval and questions": { cards: [approvalOf(deep), questionsOf(4)], entries: said },
  "with a call that changed hundreds of lines": {
    cards: [],
    entries: [
      {
        ...{ kind: "call", key: 1, id: "t", name: "WriteFile", args: '{"path":"a.ts"}', inner: [] },
        result: { isError: false, output: ["done"], display: [deep] },
      },
    ],
  },
};

/** Shows the view in a state. */
async function show(
  page: Page,
  { cards, entries }: { cards: readonly unknown[]; entries: readonly object[] },
) {
  const message = { type: "state", seq: 0, parts: parts(cards) };
  await tell(page, {
    ...message,
    entries: { from: 1, to: entries.length, changed: entries },
  } as unknown as ToView);
  await page.locator(".askwire-entries").waitFor({ state: "attached" });
  for (const call of await page.locator(".askwire-call summary").all()) await call.click();
}

describe("every state of the view", () => {
  test.each(Object.entries(states))(
    "the view %s is as high as its window, and cannot be scrolled into nothing",
    async (_name, shown) => {
      for (const height of [600, 900]) {
        const { page, complaints } = await open(null, { size: { width: 320, height } });
        await show(page, shown);
        await wantNothingBelow(page);
        expect(complaints).toEqual([]);
      }
    },
  );
});
