// The scenes of approvals.
import { calls, cartEdit, checkScript, prices, says } from "./lines.mjs";
import { main, promptForCard } from "./scene.mjs";

/** @typedef {import("./scene.mjs").Scene} Scene */
/** @typedef {import("./scene.mjs").Texts} Texts */

const runs = (/** @type {Texts} */ { command, thanks }) => [
  `${says(command)}\n${calls("Shell", { command: "npm install better-sqlite3 && npm test" })}`,
  says(thanks),
];
const changes = (/** @type {Texts} */ { change, thanks }) => [
  `${says(change)}\n${calls("StrReplaceFile", { path: "src/cart.ts", edit: cartEdit })}`,
  says(thanks),
];
const deep = (/** @type {Texts} */ { change, thanks }) => [
  `${says(change)}\n${calls("WriteFile", { path: "src/prices.ts", content: prices })}`,
  says(thanks),
];
const writes = (/** @type {Texts} */ { script, thanks }) => [
  `${says(script)}\n${calls("WriteFile", { path: "check.sh", content: checkScript })}`,
  says(thanks),
];

/** @type {readonly Scene[]} */
export const approvalScenes = [
  { name: "approval-command", script: runs, act: promptForCard },
  {
    name: "approval-guard",
    script: runs,
    async act(stage) {
      await promptForCard(stage);
      // The first half second is over too soon for a picture, so it is held as the page has it.
      await stage.page
        .locator(".askwire-page")
        .evaluate((page) => page.setAttribute("aria-disabled", "true"));
    },
  },
  { name: "approval-diff", script: changes, act: promptForCard },
  { name: "approval-deep", script: deep, act: promptForCard },
  { name: "approval-write", script: writes, act: promptForCard },
  {
    name: "approval-edit",
    script: writes,
    async act(stage) {
      await promptForCard(stage);
      await stage.button(stage.words.card.edit).click();
      await stage.page.locator(".askwire-editor textarea").fill(checkScript.replace("vitest run", "vitest"));
    },
  },
  {
    name: "approval-reject",
    script: runs,
    async act(stage) {
      await promptForCard(stage);
      await stage.button(stage.words.card.rejectStep).click();
      await stage.page.locator(".askwire-why").fill(stage.texts.why);
      await main(stage).waitFor();
    },
  },
];
