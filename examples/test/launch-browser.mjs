import { launchChromium, launchInstalledChromium, launchPackagedChromium } from "./chromium.mjs";
import { launchFirefox } from "./firefox.mjs";

/** The browsers that ASKWIRE_BROWSER may name. */
const launches = {
  packaged: launchPackagedChromium,
  chromium: launchInstalledChromium,
  firefox: launchFirefox,
};

/**
 * Starts the browser of this name. Without one: the Chromium that is installed, or else the one that came as a package.
 *
 * @param {string} [name] default: the variable ASKWIRE_BROWSER
 * @returns {Promise<import("playwright-core").Browser>}
 */
export async function launchBrowser(name = process.env.ASKWIRE_BROWSER) {
  if (name === undefined || name === "") return launchChromium();
  const launch = Object.entries(launches).find(([known]) => known === name)?.[1];
  if (launch !== undefined) return launch();
  throw new Error(`ASKWIRE_BROWSER is ${name}: expected ${Object.keys(launches).join(", ")}`);
}
