import type { UserInput } from "@askwire/protocol";
import { WireError } from "@askwire/protocol";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { wantAccessible } from "../../../examples/test/accessible.js";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { pageOf } from "./page-of-agent.js";
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
  const picture = await page.screenshot();
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
  const picture = await page.screenshot();
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
