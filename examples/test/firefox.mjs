import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { firefox } from "playwright-core";

const installed = [
  process.env.FIREFOX_PATH,
  "/usr/bin/firefox-esr",
  "/usr/bin/firefox",
  "/Applications/Firefox.app/Contents/MacOS/firefox",
];
const relay = fileURLToPath(new URL("firefox-relay.mjs", import.meta.url));

/**
 * Starts the Firefox that is installed, unchanged as its maker ships it, and drives it by WebDriver BiDi.
 * @returns {Promise<import("playwright-core").Browser>}
 */
export async function launchFirefox() {
  const found = installed.find((path) => path !== undefined && existsSync(path));
  if (found === undefined)
    throw new Error("no Firefox was found: install one, or say in FIREFOX_PATH where it is");
  const env = { ...process.env, ASKWIRE_FIREFOX: found };
  const browser = await firefox.launch({ channel: "moz-firefox", executablePath: relay, env });
  await fillByEditing(browser);
  return browser;
}

/**
 * Has `fill` edit as a person does. By WebDriver BiDi it sets the value with the page's own hands, where React sees no
 * change.
 *
 * @param {import("playwright-core").Browser} browser
 */
async function fillByEditing(browser) {
  const page = await browser.newPage();
  const prototype = Object.getPrototypeOf(page.locator("html"));
  await page.context().close();
  /** @type {import("playwright-core").Locator["fill"]} */
  prototype.fill = async function (text, options) {
    await this.click({ ...options, trial: true });
    await this.focus(options);
    await this.evaluate((/** @type {Element} */ field, /** @type {string} */ text) => {
      if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
      field.select();
      document.execCommand(text === "" ? "delete" : "insertText", false, text);
    }, text);
  };
}
