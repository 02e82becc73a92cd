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
  const browser = await firefox.launch({
    ...{ channel: "moz-firefox", executablePath: relay, env },
    firefoxUserPrefs: { ...mouse, ...withoutElementsOfAria },
  });
  await actAsPersons(browser);
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    await context.addInitScript(keepGivenClipboards);
    return context;
  };
  return browser;
}

/** A mouse, which the Chromium of tests has too: without a screen, Firefox finds no pointer that is fine and hovers. */
const FINE_AND_HOVERS = 6;
const mouse = {
  "ui.primaryPointerCapabilities": FINE_AND_HOVERS,
  "ui.allPointerCapabilities": FINE_AND_HOVERS,
};

/**
 * Off: elements that ARIA attributes name, such as `ariaLabelledByElements`. In Firefox 153 the process of a page dies
 * (SIGSEGV) once two worlds of scripts read the same one: the driver's, which looks for roles and names, and the page's,
 * in which axe and some acts of the driver run. The driver and axe then read the attributes; our pages read neither.
 */
const withoutElementsOfAria = { "accessibility.ARIAElementReflection.enabled": false };

/**
 * Has `fill` edit as a person does: by WebDriver BiDi it sets the value with the page's own hands, where React sees no
 * change. A `tap`, which does nothing there, is a click.
 *
 * @param {import("playwright-core").Browser} browser
 */
async function actAsPersons(browser) {
  const page = await browser.newPage();
  const prototype = Object.getPrototypeOf(page.locator("html"));
  await page.context().close();
  prototype.tap = prototype.click;
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

/** Runs in each page: the clipboard that a test gives to an event of its own stays there, as in Chromium. */
function keepGivenClipboards() {
  window.ClipboardEvent = class extends ClipboardEvent {
    /**
     * @param {string} type
     * @param {ClipboardEventInit} [init]
     */
    constructor(type, init) {
      super(type, init);
      const value = init?.clipboardData;
      if (value != null) Object.defineProperty(this, "clipboardData", { value });
    }
  };
}
