import { describe, expect, test } from "vitest";
import { testBrowser } from "../../../examples/test/test-browser.js";
import type { ToHost } from "../src/messages.js";
import { openViews, parts, state, tell } from "./opened-view.js";

const open = openViews(testBrowser());
const paths = ["src/cart.ts", "src/list of carts.ts", "README.md"];

/** A view whose host finds files, with the place to write. */
async function writing(found: readonly string[] = paths) {
  const asked: ToHost[] = [];
  const { page, messages } = await open(null, { hear: (message) => void asked.push(message) });
  await tell(page, state([]));
  const box = page.getByRole("textbox", { name: "Message" });
  /** Answers the view's last question for files. */
  async function answer(begun: string): Promise<void> {
    const last = () => asked.findLast(({ type }) => type === "findFiles");
    await expect.poll(last).toMatchObject({ begun });
    const files = found.filter((path) => path.includes(begun));
    await tell(page, { type: "done", call: (last() as { call: number }).call, files });
  }
  return { page, messages, box, answer, rows: page.getByRole("option") };
}

describe("files that are named in the prompt", () => {
  test("a part of a path behind an @ suggests files, and Tab completes the word where the caret is", async () => {
    const { box, answer, rows, page } = await writing();
    await box.pressSequentially("Look at @car, please");
    for (let at = 0; at < ", please".length; at += 1) await box.press("ArrowLeft");
    await answer("car");
    await expect.poll(() => rows.allTextContents()).toEqual(["src/cart.ts ", "src/list of carts.ts "]);
    await page.getByText("2 files").waitFor({ state: "attached" });
    await box.press("Tab");
    expect(await box.inputValue()).toBe("Look at @src/cart.ts , please");
    await box.pressSequentially("now");
    expect(await box.inputValue()).toBe("Look at @src/cart.ts now, please");
  });

  test("a path with blanks is put in quotes, by Enter, and the next Enter sends the words", async () => {
    const { box, answer, rows, messages } = await writing();
    await box.pressSequentially("@list");
    await answer("list");
    await rows.first().waitFor();
    await box.press("Enter");
    expect(await box.inputValue()).toBe('@"src/list of carts.ts" ');
    await expect.poll(() => rows.count()).toBe(0);
    await box.press("Enter");
    const text = '@"src/list of carts.ts" ';
    await expect.poll(() => messages).toContainEqual(expect.objectContaining({ type: "prompt", text }));
  });

  test("an address with an @ inside asks for no files, and Escape closes the list", async () => {
    const { box, answer, rows, messages } = await writing();
    await box.pressSequentially("me@home ");
    expect(messages.some(({ type }) => type === "findFiles")).toBe(false);
    await box.pressSequentially("@READ");
    await answer("READ");
    await rows.first().waitFor();
    await box.press("Escape");
    expect([await rows.count(), await box.inputValue()]).toEqual([0, "me@home @READ"]);
  });

  test("slash commands are completed as before, in their own list", async () => {
    const { page, box, rows } = await writing();
    const commands = [{ name: "compact", description: "Summarize", aliases: [] }];
    await tell(page, { type: "state", seq: 1, parts: { ...parts([]), commands } } as never);
    await box.pressSequentially("/co");
    await expect.poll(() => rows.allTextContents()).toEqual(["/compact Summarize"]);
    await box.press("Tab");
    expect(await box.inputValue()).toBe("/compact ");
  });
});
