// The parts that scenes of the page have in common.
/** @typedef {Awaited<ReturnType<typeof import("../../examples/test/chromium.mjs").launchChromium>>} Browser */
/** @typedef {Awaited<ReturnType<Browser["newPage"]>>} Page */
/** @typedef {import("./lines.mjs").Texts} Texts */
/** @typedef {import("../page-stage.mjs").Stage} Stage */

/**
 * A state of the page.
 *
 * @typedef {object} Scene
 * @property {string} name
 * @property {(texts: Texts) => readonly string[]} [script] the lines of each call of the model. Default: it says nothing.
 * @property {readonly string[]} [options] of `askwire serve`. Default: none.
 * @property {(texts: Texts) => readonly string[]} [otherScript] the script of another server that the page may reach. Default: there is none.
 * @property {boolean} [inInbox] true for a page without a session. Default: false.
 * @property {"rtl"} [direction] Default: that of the language.
 * @property {(stage: Stage) => Promise<unknown>} act the acts of the person until the state is there.
 */

/** Sends a prompt, and waits for the card of a request. @param {Stage} stage */
export async function promptForCard(stage) {
  await stage.prompt();
  await stage.page.locator(".askwire-card").waitFor();
  await stage.pressable();
}

/** The option at a place of the question that is shown. @param {Stage} stage */
export const option = ({ page }, /** @type {number} */ at) =>
  page.locator(".askwire-page .askwire-option > input").nth(at);

/** The main button of the card. @param {Stage} stage */
export const main = ({ page }) => page.locator(".askwire-page > .askwire-buttons .askwire-main");
