import { requestKey } from "@askwire/client";
import { expect, test } from "vitest";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { approvalOf, questionsOf } from "./asked-cards.js";
import { openViews, parts, state, tell } from "./opened-view.js";

const open = openViews(testBrowser());

/** A card as a session has it, by the name of its request and what that asks. */
const keyed = <Card extends { readonly request: object }>(card: Card) => ({
  ...card,
  id: requestKey(card.request as never),
});
const question = keyed(questionsOf(1));
const approval = keyed(approvalOf());

/** The state after a reload, in which a request has ended so. */
const reloaded = (id: string, status: string, drafts: string, cards: readonly unknown[] = []) =>
  ({
    ...{ type: "state", seq: 0, parts: parts(cards, drafts) },
    entries: {
      ...{ from: 1, to: 1 },
      changed: [
        {
          ...{ kind: "asked", key: 1, id, about: [], questions: [], options: [], isApproval: false },
          settled: { outcome: { status, reason: "session_closed" } },
        },
      ],
    },
  }) as never;

/** Work as the host keeps it: words that were typed into a card. */
async function typed(words: string): Promise<string> {
  const { page, told } = await open();
  await tell(page, state([question]));
  await page.locator(".dock textarea").first().fill(words);
  await expect
    .poll(async () => (await told()).findLast(({ type }) => type === "keepDrafts")?.drafts)
    .toContain(words);
  return (await told()).findLast(({ type }) => type === "keepDrafts")?.drafts ?? "";
}

test("words typed into a card whose request a reload has ended can be copied, until they are put away", async () => {
  const drafts = await typed("MariaDB\u202e");
  const { page, messages, told } = await open();
  await tell(page, reloaded("r1", "withdrawn", drafts));
  const notice = page.locator(".lost");
  await notice.getByText("MariaDB\\u{202e}", { exact: true }).waitFor();
  await notice.getByRole("button", { name: "Copy" }).click();
  await expect.poll(() => messages).toContainEqual({ type: "copy", text: "MariaDB\u202e" });
  await notice.getByRole("button", { name: "Copied" }).waitFor();
  await notice.getByRole("button", { name: "Put this notice away" }).click();
  expect(await notice.count()).toBe(0);
  const last = (await told()).findLast(({ type }) => type === "keepDrafts")?.drafts ?? "";
  expect(last).not.toContain("MariaDB");
});

test("words of a card that is open, was answered, or is of a request that nobody reports ended are no notice", async () => {
  const drafts = await typed("MariaDB");
  for (const [message, seen] of [
    [reloaded("r1", "withdrawn", drafts, [question]), ".dock"],
    [reloaded("r1", "answered", drafts), ".askwire-prompt-box"],
    [reloaded("r2", "withdrawn", drafts), ".askwire-prompt-box"],
  ] as const) {
    const { page } = await open();
    await tell(page, message);
    await page.locator(seen).waitFor();
    expect(await page.locator(".lost").count()).toBe(0);
  }
});

test("words that went with a rejection are kept to be copied too, and work of another shape is left out", async () => {
  const kept = (draft: object) => JSON.stringify({ at: 1, prompt: "", cards: { [approval.id]: draft } });
  const { page } = await open();
  await tell(page, reloaded("r2", "withdrawn", kept({ why: "Not the lock file" })));
  await page.locator(".lost").getByText("Not the lock file").waitFor();
  const other = await open();
  await tell(other.page, reloaded("r2", "withdrawn", kept({ form: 7 })));
  await other.page.locator(".askwire-prompt-box").waitFor();
  expect(await other.page.locator(".lost").count()).toBe(0);
});
