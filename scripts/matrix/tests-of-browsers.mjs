import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * The files of the tests that open a browser. Those in a real VS Code are run in Chromium alone.
 *
 * @param {string} browser
 * @returns {string[]} paths below the repository, in order
 */
export function testsOf(browser) {
  return ["apps/web/test", "apps/vscode/test", "examples/test"]
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith(".test.ts"))
        .map((entry) => join(entry.parentPath, entry.name)),
    )
    .filter((path) => {
      const text = readFileSync(path, "utf8");
      const isInEditor = text.includes("setUpVsCode");
      return /\btestBrowser\(|\blaunchChromium\(/.test(text) && !(isInEditor && browser === "firefox");
    })
    .map((path) => relative(root, path).replaceAll("\\", "/"))
    .sort();
}

/** The files in which a person does on the page what they do most: answers, talks, and finds what waits. */
export const mainDrives = [
  "apps/web/test/answers.test.ts",
  "apps/web/test/conversation.test.ts",
  "apps/web/test/inbox.test.ts",
  "apps/web/test/page.test.ts",
  "apps/web/test/prompt-files.test.ts",
  "apps/web/test/session-list.test.ts",
];
