import { ask } from "@askwire/server";
import { expect, test } from "vitest";
import { wantAccessible } from "../../../examples/test/accessible.js";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { pageOf } from "./page-of-agent.js";

const browser = testBrowser();

test("the end of a turn says when and how long, how much of it was the person's, and copies its last words", async () => {
  const { page, other, complaints } = await pageOf(browser, {
    async run(turn) {
      turn.say("I ask.");
      await ask("Which database?", ["SQLite", "PostgreSQL"]);
      turn.say("I use **SQLite**.");
    },
  });
  const turn = other.prompt("go");
  await page.getByLabel("SQLite").check();
  await page.waitForTimeout(1_500);
  await page.getByRole("button", { name: "Send answer", exact: true }).click();
  await turn.result;
  const log = page.getByRole("log");
  await log.getByText(/^Finished .*\d:\d\d.* · \d+ s/).waitFor();
  await wantAccessible(page);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await log.getByRole("button", { name: "Copy the answer" }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("I use **SQLite**.");
  await page.reload();
  await log.getByText("Finished", { exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

test("a failed turn says why, and is tried again once, by a press alone", async () => {
  const asked: unknown[] = [];
  const { page } = await pageOf(browser, {
    async run(turn) {
      asked.push(turn.input);
      if (asked.length === 1) throw new Error("the model is overloaded");
      turn.say("Mended.");
    },
  });
  const message = page.getByRole("textbox", { name: "Message" });
  await message.fill("Mend the cart");
  await message.press("Enter");
  const log = page.getByRole("log");
  const again = log.getByRole("button", { name: "Try again" });
  await again.waitFor();
  expect(await log.locator(".askwire-failed-turn").textContent()).toContain("The turn failed: ");
  await wantAccessible(page);
  expect(asked.length).toBe(1);
  await again.dblclick();
  await log.getByText("Mended.").waitFor();
  expect(asked.map((input) => JSON.stringify(input)).map((text) => text.includes("Mend the cart"))).toEqual([
    true,
    true,
  ]);
  expect(await again.count()).toBe(0);
});
