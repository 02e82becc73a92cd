import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { buildCards } from "../react/build.mjs";
import { wantAccessible } from "./accessible.js";
import { openCards } from "./cards-page.js";
import { testBrowser } from "./test-browser.js";

const browser = testBrowser();
let folder: string;

beforeAll(async () => {
  folder = await buildCards(await browser.folder(), undefined, "../test/mounted-markdown.tsx");
});

const show = (page: Page, text: string) =>
  page.evaluate((shown) => (globalThis as unknown as { show(text: string): void }).show(shown), text);

async function shown(text: string) {
  const { page, complaints } = await openCards(browser, folder, undefined, 0);
  await show(page, text);
  return { page, complaints, said: page.locator(".askwire-markdown") };
}

const rich = `# Plan

Some *words*, **strong** and ~~old~~, \`code\` and [a link](https://example.com/a?b=1&c=2).

### Deeper than one

1. first
2. second
   - [x] done
   - [ ] open

> quoted

| a | b |
| - | :-: |
| 1 | **2** |

\`\`\`sh
rm -r build && ${"long ".repeat(60)}
\`\`\`

---

Tom &amp; Ann, see [the guide][guide].

[guide]: https://example.com/guide
`;

describe("Markdown of an agent", () => {
  test("Markdown becomes elements, under a policy that forbids markup from text", async () => {
    const { page, complaints, said } = await shown(rich);
    const headings = await said.getByRole("heading").evaluateAll((all) => all.map(({ tagName }) => tagName));
    expect(headings).toEqual(["H3", "H4"]);
    expect(await said.getByRole("listitem").count()).toBe(4);
    expect(await said.getByRole("cell").allInnerTexts()).toEqual(["1", "2"]);
    expect(await said.getByText("Tom & Ann").count()).toBe(1);
    expect(await said.getByRole("link", { name: "the guide" }).getAttribute("href")).toBe(
      "https://example.com/guide",
    );
    await wantAccessible(page);
    expect(complaints).toEqual([]);
  });

  test("code in Markdown has a box that scrolls and takes the focus, with a name", async () => {
    const { said } = await shown(rich);
    const code = said.getByRole("group", { name: "Code, sh" });
    await code.focus();
    expect(await code.evaluate((box) => document.activeElement === box)).toBe(true);
    expect(await code.textContent()).toContain("rm -r build && long");
  });

  test("Markdown opens only links of the web and of mail, without an opener, and shows others as text", async () => {
    const { said } = await shown(
      "[a](javascript:alert(1)) [b](data:text/html,x) [c](./file.md) <b onclick=x>d</b> https://example.com me@example.com",
    );
    const links = await said
      .getByRole("link")
      .evaluateAll((all) =>
        all.map((link) => ["href", "rel", "target"].map((name) => link.getAttribute(name))),
      );
    expect(links).toEqual([
      ["https://example.com/", "noopener noreferrer", "_blank"],
      ["mailto:me@example.com", "noopener noreferrer", "_blank"],
    ]);
    expect(await said.textContent()).toContain(
      "a (javascript:alert(1)) b (data:text/html,x) c (./file.md) <b onclick=x>d</b>",
    );
  });

  test("Markdown shows images as links, and markup and control characters as text", async () => {
    const { page, said, complaints } = await shown(
      "![a chart](https://example.com/a.png) ![](data:image/png;base64,AA==)\n\n<img src=x onerror=alert(1)>\n\n<script>alert(1)</script>\n\n\u202egnp.exe and &#x202e; too",
    );
    expect(await page.getByRole("img").count()).toBe(0);
    expect(await said.getByRole("link").allInnerTexts()).toEqual(["a chart"]);
    expect(await said.textContent()).toContain("<img src=x onerror=alert(1)>");
    expect(await said.textContent()).toContain("<script>alert(1)</script>");
    expect(await said.textContent()).toContain("\\u{202e}gnp.exe and \\u{202e} too");
    expect(complaints).toEqual([]);
  });

  test("Markdown that grows changes only its last block", async () => {
    const { page, said } = await shown("One\n\nTwo");
    await said
      .locator("p")
      .first()
      .evaluate((first) => first.setAttribute("data-same", ""));
    await show(page, "One\n\nTwo and [three][x]\n\n# Four\n\n[x]: https://example.com");
    expect(await said.locator("p[data-same]").count()).toBe(1);
    await said.getByRole("link", { name: "three" }).waitFor();
    await said.getByRole("heading", { name: "Four" }).waitFor();
  });

  test.each([
    ["quotes within each other", ">".repeat(100_000)],
    ["stars", "a**b".repeat(25_000)],
    ["brackets", "[[a]".repeat(25_000)],
    ["list items", "- a\n".repeat(25_000)],
    ["one line", "word ".repeat(20_000)],
  ])("Markdown of 100 kB of %s is shown as it was written", async (_what, text) => {
    const { said, page } = await shown(text);
    await expect.poll(async () => (await said.textContent())?.length).toBe(text.length);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(800);
  });
});
