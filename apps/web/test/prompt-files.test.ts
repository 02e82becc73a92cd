import type { UserInput } from "@askwire/protocol";
import { WireError } from "@askwire/protocol";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { wantAccessible } from "../../../examples/test/accessible.js";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { pageOf } from "./page-of-agent.js";
import { pixel } from "./pixel.js";
import { openPage } from "./served-page.js";

const browser = testBrowser();
const message = (page: Page) => page.getByRole("textbox", { name: "Message" });
const log = (page: Page) => page.getByRole("log");
const goesWith = (page: Page) => page.getByRole("list", { name: "Goes with the message" });

/** An agent that keeps what it was told, and takes no pictures where that is said. */
function listener({ takesPictures = true } = {}) {
  const heard: UserInput[] = [];
  return {
    heard,
    agent: {
      async run(turn: { readonly input: UserInput; say(text: string): void }) {
        heard.push(turn.input);
        if (!takesPictures && typeof turn.input !== "string")
          throw new WireError("ModelNotSupported", "the agent takes no image");
        turn.say("Seen.");
      },
    },
  };
}

/** Files as an event of the person brings them. */
async function bring(
  page: Page,
  how: "paste" | "drop",
  files: Record<string, { type: string; text: string }>,
) {
  await message(page).evaluate(
    (box, { how, files }) => {
      const given = new DataTransfer();
      for (const [name, { type, text }] of Object.entries(files))
        given.items.add(new File([text], name, { type }));
      const event =
        how === "paste"
          ? new ClipboardEvent("paste", { clipboardData: given, bubbles: true, cancelable: true })
          : new DragEvent("drop", { dataTransfer: given, bubbles: true, cancelable: true });
      box.dispatchEvent(event);
    },
    { how, files },
  );
}

test("a picture and a file go with the words, are seen before, and can be taken away again", async () => {
  const { heard, agent } = listener();
  const { page, complaints } = await pageOf(browser, agent);
  const picture = Buffer.from(pixel, "base64");
  const add = page.getByLabel("Add pictures or files");
  await add.setInputFiles([
    { name: "shot.png", mimeType: "image/png", buffer: picture },
    { name: "other.png", mimeType: "image/png", buffer: picture },
  ]);
  await goesWith(page).getByRole("img", { name: "shot.png" }).waitFor();
  await bring(page, "drop", { "notes.txt": { type: "text/plain", text: "use ``` here" } });
  await goesWith(page).getByText("notes.txt").waitFor();
  await page.getByRole("button", { name: "Remove other.png" }).click();
  expect(await goesWith(page).getByRole("listitem").count()).toBe(2);
  await wantAccessible(page);
  await message(page).fill("What is this?");
  await message(page).press("Enter");
  await log(page).getByText("Seen.").waitFor();
  expect(await goesWith(page).count()).toBe(0);
  expect(heard).toEqual([
    [
      { type: "text", text: "What is this?" },
      { type: "image_url", image_url: { url: expect.stringMatching(/^data:image\/png;base64,/), id: null } },
      { type: "text", text: "\n\nnotes.txt\n````\nuse ``` here\n````" },
    ],
  ]);
  await log(page).getByText("notes.txt").click();
  await log(page).getByText("use ``` here").waitFor();
  await wantAccessible(page);
  expect(complaints).toEqual([]);
});

test("a file that is neither a picture nor text is not taken, and the prompt says why", async () => {
  const { agent } = listener();
  const { page } = await pageOf(browser, agent);
  await bring(page, "paste", { "tool.bin": { type: "application/octet-stream", text: "\0\0" } });
  await page.getByText("tool.bin is neither a picture nor text").waitFor();
  await bring(page, "paste", { "bad.png": { type: "image/png", text: "no picture" } });
  await page.getByText("bad.png is no picture that this browser can read.").waitFor();
  expect(await goesWith(page).count()).toBe(0);
});

test("a turn whose agent takes no pictures says so, and not by an error alone", async () => {
  const { agent } = listener({ takesPictures: false });
  const { page } = await pageOf(browser, agent);
  const picture = Buffer.from(pixel, "base64");
  await page
    .getByLabel("Add pictures or files")
    .setInputFiles({ name: "shot.png", mimeType: "image/png", buffer: picture });
  await goesWith(page).getByRole("img").waitFor();
  await page.getByRole("button", { name: "Send" }).click();
  await log(page).getByText("The turn failed: this agent does not take what came with the words").waitFor();
});

test("words that are not sent yet stand at the prompt alone, and in the conversation once they were read", async () => {
  const { page, cut, mend } = await openPage(browser, [`text: "Hello."`]);
  await message(page).waitFor();
  cut();
  await page.getByText("The connection is lost.").waitFor();
  await message(page).fill("unsent words");
  await message(page).press("Enter");
  await page.getByText("Not sent yet: “unsent words”").waitFor();
  expect(await log(page).getByText("unsent words").count()).toBe(0);
  await page.getByRole("button", { name: "Take back" }).click();
  await expect.poll(() => message(page).inputValue()).toBe("unsent words");
  expect(await log(page).getByText("unsent words").count()).toBe(0);
  await message(page).press("Enter");
  mend();
  await log(page).getByText("Hello.").waitFor();
  expect(await log(page).getByText("unsent words").count()).toBe(1);
  expect(await page.getByText("Not sent yet").count()).toBe(0);
});

/** The files of the next tests: a picture and a text. */
const both = [
  { name: "shot.png", mimeType: "image/png", buffer: Buffer.from(pixel, "base64") },
  { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("use this") },
];
const addFiles = (page: Page) => page.getByLabel("Add pictures or files");
const keptNames = (page: Page) => page.evaluate(() => Object.keys(sessionStorage).join());
/** The words of the page where the browser keeps no more. */
const lasts = (page: Page) => page.getByText("it lasts until this page is closed or loaded anew");

test("pictures and files that were not sent survive a reload with their words, and are forgotten once they are sent", async () => {
  const { heard, agent } = listener();
  const { page, complaints } = await pageOf(browser, agent);
  await addFiles(page).setInputFiles(both);
  await goesWith(page).getByText("notes.txt").waitFor();
  await message(page).fill("What is this?");
  await expect.poll(() => keptNames(page)).toContain("draft.prompt");
  await page.reload();
  await goesWith(page).getByRole("img", { name: "shot.png" }).waitFor();
  await goesWith(page).getByText("notes.txt").waitFor();
  expect(await message(page).inputValue()).toBe("What is this?");
  await wantAccessible(page);
  await message(page).press("Enter");
  await log(page).getByText("Seen.").waitFor();
  expect(heard).toMatchObject([
    [{ text: "What is this?" }, { type: "image_url" }, { text: "\n\nnotes.txt\n```\nuse this\n```" }],
  ]);
  await expect.poll(() => keptNames(page)).not.toContain("draft.prompt");
  await page.reload();
  await message(page).waitFor();
  expect(await goesWith(page).count()).toBe(0);
  expect(complaints).toEqual([]);
});

test("a prompt says that a browser whose storage is full keeps neither its words nor its files, and both can be sent", async () => {
  const { heard, agent } = listener();
  const { page } = await pageOf(browser, agent);
  await message(page).fill("kept");
  expect(await lasts(page).count()).toBe(0);
  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  });
  await message(page).fill("not kept");
  await lasts(page).waitFor();
  await wantAccessible(page);
  await message(page).fill("");
  await expect.poll(() => lasts(page).count()).toBe(0);
  await addFiles(page).setInputFiles(both);
  await goesWith(page).getByText("notes.txt").waitFor();
  await lasts(page).waitFor();
  await page.getByRole("button", { name: "Send" }).click();
  await log(page).getByText("Seen.").waitFor();
  expect(heard).toHaveLength(1);
});

test("a prompt says that a file is too long to survive a reload, and that pictures of an earlier page are gone", async () => {
  const { agent } = listener();
  const { page } = await pageOf(browser, agent);
  const long = { name: "long.txt", mimeType: "text/plain", buffer: Buffer.alloc(600_000, "a") };
  await addFiles(page).setInputFiles(long);
  await lasts(page).waitFor();
  await page.getByRole("button", { name: "Remove long.txt" }).click();
  await expect.poll(() => lasts(page).count()).toBe(0);
  await addFiles(page).setInputFiles(both);
  await goesWith(page).getByText("notes.txt").waitFor();
  const names = () => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name).join());
  await expect.poll(names).toContain("askwire");
  await page.evaluate(() => {
    for (const [name, text] of Object.entries(sessionStorage))
      if (name.includes("draft.prompt")) sessionStorage.setItem(name, text.replace(/("name":")\d/, "$1x"));
  });
  await page.reload();
  await goesWith(page).getByText("notes.txt").waitFor();
  await page.getByText("The browser keeps pictures of yours no more: add them again.").waitFor();
  expect(await goesWith(page).getByRole("img").count()).toBe(0);
});
