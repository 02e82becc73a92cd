// The scenes of the conversation.
import { asks, calls, cartEdit, says } from "./lines.mjs";
import { main, option } from "./scene.mjs";

/** @typedef {import("./scene.mjs").Scene} Scene */
/** @typedef {import("./scene.mjs").Texts} Texts */

const todos = (/** @type {Texts} */ { plan }, /** @type {readonly string[]} */ ...statuses) =>
  calls(
    "SetTodoList",
    { todos: plan.map((title, at) => ({ title, status: statuses[at] ?? "pending" })) },
    "todo",
  );
const prints = 'for n in $(seq 12); do echo "test $n of 42: passed"; done';

/** @type {readonly Scene[]} */
export const talkScenes = [
  {
    name: "talk-empty",
    async act({ page }) {
      await page.locator(".begin li").first().waitFor();
      await page.locator(".askwire-prompt-box").waitFor();
    },
  },
  {
    name: "talk-running",
    options: ["--yolo"],
    script: (texts) => [
      `${says(texts.reading)}\n${todos(texts, "done", "in_progress")}`,
      calls("ReadFile", { path: "src/cart.ts" }),
      `${says(texts.read)}\n${calls("Shell", { command: `${prints}; sleep 600` }, "call-2")}`,
    ],
    async act(stage) {
      await stage.prompt();
      await stage.page.getByText("test 12 of 42").waitFor();
    },
  },
  {
    name: "talk-done",
    options: ["--yolo"],
    script: (texts) => [
      `think: ${JSON.stringify(texts.reading)}\n${says(texts.reading)}\n${calls("ReadFile", { path: "src/cart.ts" })}`,
      asks(texts.database),
      calls("StrReplaceFile", { path: "src/cart.ts", edit: cartEdit }, "call-2"),
      calls("Shell", { command: `${prints}; echo "RangeError: Invalid time zone"; exit 1` }, "call-3"),
      todos(texts, "done", "done", "in_progress"),
      says(texts.done),
    ],
    async act(stage) {
      const { page } = stage;
      await stage.prompt();
      await page.locator(".askwire-card").waitFor();
      await stage.pressable();
      await option(stage, 0).check();
      await main(stage).click();
      await page.locator(".askwire-end").first().waitFor();
    },
  },
  {
    name: "talk-outbox",
    script: ({ intro }) => [says(intro)],
    async act(stage) {
      const { page, texts } = stage;
      await stage.prompt();
      await page.locator(".askwire-end").first().waitFor();
      stage.pause();
      await stage.prompt(texts.meanwhile);
      await page.locator(".askwire-prompt-box").getByText(texts.meanwhile).waitFor();
      await page.locator(".askwire-prompt-box textarea").fill("/");
    },
  },
];
