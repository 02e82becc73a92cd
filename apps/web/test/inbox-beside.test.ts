import { connectWebSocket } from "@askwire/client/websocket";
import { expect, test } from "vitest";
import { wantAccessible } from "../../../examples/test/accessible.js";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { ask, database, openPage } from "./served-page.js";

const browser = testBrowser();
const colour = {
  question: "Which colour?",
  header: "Colour",
  options: [{ label: "Red" }, { label: "Blue" }],
};

test("on a desk the list stays beside the card that is open, marks it, and leads to the next one", async () => {
  const opened = await openPage(browser);
  const { other, wire, origin, address } = opened;
  void ask(other, [database]);
  const { id } = await other.createSession();
  const second = await connectWebSocket(wire.replace(/\/wire\/[^#]+/, `/wire/${id}`));
  void ask(second, [colour]);
  const { page, complaints } = await browser.newPage({ viewport: { width: 1_280, height: 800 } });
  const token = new URLSearchParams(new URL(address).hash.slice(1)).get("token");
  await page.goto(`${origin}/#token=${token}`);
  const list = page.getByRole("region", { name: "Waiting for you" });
  await page.getByText("What you choose opens here.").waitFor();
  await list.getByRole("button", { name: /Which database\?/ }).click();
  const card = (name: string) => page.locator(".dock").getByRole("group", { name });
  await card("Which database?").waitFor();
  const current = list.locator("[aria-current=true]");
  await expect.poll(() => current.textContent()).toContain("Which database?");
  const [beside, open] = [await list.boundingBox(), await card("Which database?").boundingBox()];
  expect((beside?.x ?? 0) + (beside?.width ?? 0)).toBeLessThanOrEqual(open?.x ?? 0);
  await wantAccessible(page);

  await list.getByRole("button", { name: /Which colour\?/ }).click();
  await card("Which colour?").waitFor();
  await expect.poll(() => current.textContent()).toContain("Which colour?");
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await list.count()).toBe(0);
  expect(complaints).toEqual([]);
  await second.close();
});

test("a list of more than fifty draws all at once, or does not say how many of how many are shown", async () => {
  const { other, origin, address } = await openPage(browser);
  for (let n = 0; n < 55; n += 1)
    await other.ask({
      questions: [{ ...colour, question: `Which colour of ${n}?` }],
      key: `${n}`,
      wait: false,
    });
  const { page } = await browser.newPage({ viewport: { width: 390, height: 844 } });
  const token = new URLSearchParams(new URL(address).hash.slice(1)).get("token");
  await page.goto(`${origin}/#token=${token}`);
  const list = page.getByRole("region", { name: "Waiting for you" });
  const rows = list.locator("li strong");
  await list.getByText("50 of 55 shown").waitFor();
  expect(await rows.count()).toBe(50);
  await wantAccessible(page);
  await list.getByRole("button", { name: "Show 5 more of 5" }).click();
  await expect.poll(() => rows.count()).toBe(55);
  await list.getByRole("searchbox", { name: "Search what waits" }).fill("of 54");
  await list.getByText("1 of 55 shown").waitFor();
});

test("more than four that wait can be searched, and narrowed to a kind", async () => {
  const { other, origin, address } = await openPage(browser);
  for (const name of ["database", "colour", "port", "name", "zone"])
    void ask(other, [{ ...colour, question: `Which ${name}?` }]);
  const { page } = await browser.newPage({ viewport: { width: 390, height: 844 } });
  const token = new URLSearchParams(new URL(address).hash.slice(1)).get("token");
  await page.goto(`${origin}/#token=${token}`);
  const list = page.getByRole("region", { name: "Waiting for you" });
  const rows = list.locator("li strong");
  await expect.poll(() => rows.count()).toBe(5);
  await list.getByRole("searchbox", { name: "Search what waits" }).fill("PORT");
  expect(await rows.allTextContents()).toEqual(["Which port?"]);
  await list.getByText("1 of 5 shown").waitFor();
  await wantAccessible(page);
  await list.getByRole("searchbox").fill("");
  await list.getByText("Questions 5", { exact: true }).click();
  expect(await rows.count()).toBe(5);
  expect(await list.getByRole("radio").count()).toBe(2);
});
