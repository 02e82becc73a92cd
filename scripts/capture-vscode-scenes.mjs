// The scenes of the pictures of the extension: what its agent does, and what the person does in the editor.
import { fileURLToPath } from "node:url";
import { runCommand } from "../examples/test/run-command.mjs";
import { asks, calls, checks, database, says } from "./page-scenes/lines.mjs";

/** @typedef {import("./page-scenes/scene.mjs").Page} Page */

/**
 * @typedef {object} Scene
 * @property {string} name
 * @property {string} theme the name of the editor's theme.
 * @property {string} [locale] the language of the editor and of the browser. Default: English.
 * @property {readonly string[]} [script] the lines of each call of the scripted model.
 * @property {string} [program] an agent in JavaScript instead of the model.
 * @property {(page: Page) => Promise<unknown>} act
 */

const [light, dark, contrast] = ["Default Light Modern", "Default Dark Modern", "Default High Contrast"];

const cart = `"""The carts of the shop."""

carts: dict[str, list[str]] = {}


def add(cart: str, goods: str) -> None:
    """Puts goods into a cart, which begins empty."""
    carts.setdefault(cart, []).append(goods)


def goods_of(cart: str) -> list[str]:
    """The goods of a cart, in the order in which they came."""
    return carts.get(cart, [])
`;

const keptCart = cart
  .replace(
    "carts: dict[str, list[str]] = {}\n",
    `import json
from pathlib import Path

kept = Path("carts.json")
carts: dict[str, list[str]] = json.loads(kept.read_text())
`,
  )
  .replace(
    ".append(goods)\n",
    `.append(goods)
    kept.write_text(json.dumps(carts))
`,
  );

/** The files of the folder that is open. */
export const shop = {
  "README.md": "# Shop\n",
  "pyproject.toml": '[project]\nname = "shop"\n',
  "shop/cart.py": cart,
  "shop/prices.py": "prices: dict[str, int] = {}\n",
};

const intro = says("The shop has **no database** yet: `shop/cart.py` keeps carts in a `dict`.");

const english = { start: "Askwire: Start the Agent", message: "Message", send: "Send" };
const chinese = { start: "Askwire: 启动智能体", message: "消息", send: "发送" };

/** The view of the extension. */
const viewOf = (/** @type {Page} */ page) =>
  page
    .frameLocator('iframe.webview.ready[src*="extensionId=askwire.askwire-vscode"]')
    .frameLocator("#active-frame");

/** Opens a file beside the view. */
async function open(/** @type {Page} */ page) {
  await page.locator("[id='askwire.askwire-vscode.askwire.status']").waitFor();
  await page.locator(".explorer-folders-view .monaco-list-row", { hasText: /^shop$/ }).click();
  await page.locator(".explorer-folders-view .monaco-list-row", { hasText: "cart.py" }).dblclick();
  await page.locator(".monaco-editor .view-line").first().waitFor();
}

/** Starts the agent in the view, beside a file, and says something to it. */
async function begin(/** @type {Page} */ page, words = "Set up the shop", labels = english) {
  await open(page);
  await runCommand(page, labels.start);
  const view = viewOf(page);
  await view.getByRole("textbox", { name: labels.message }).fill(words);
  await view.getByRole("button", { name: labels.send, exact: true }).click();
  await view.locator(".askwire-card").first().waitFor();
  return view;
}

/** @type {readonly Scene[]} */
export const scenes = [
  {
    name: "question",
    theme: light,
    script: [`${intro}\n${asks(database)}`, says("Thanks.")],
    async act(page) {
      const view = await begin(page);
      await view.getByLabel("SQLite").check();
    },
  },
  {
    name: "approval",
    theme: dark,
    script: [
      `${says("I keep the carts in a file, so that they outlive a restart.")}\n${calls("WriteFile", {
        path: "shop/cart.py",
        content: keptCart,
      })}`,
      says("Done."),
    ],
    async act(page) {
      await begin(page, "Keep the carts in a file");
      await page.locator(".monaco-diff-editor .line-insert").first().waitFor();
    },
  },
  {
    name: "pick",
    theme: light,
    script: [`${intro}\n${asks(database, checks)}`, says("Thanks.")],
    async act(page) {
      await begin(page);
      await runCommand(page, "Askwire: Answer by Quick Pick");
      const row = page.locator(".quick-input-list .monaco-list-row");
      const types = row.filter({ hasText: "Types" });
      // In the moment in which a pick comes no press counts.
      while (!(await types.isVisible())) {
        await row.filter({ hasText: "SQLite" }).click();
        await page.waitForTimeout(200);
      }
      await types.click();
      await row.filter({ hasText: "Tests" }).click();
      await page.getByText("2 Selected").waitFor();
    },
  },
  {
    name: "fields",
    theme: dark,
    program: fileURLToPath(new URL("../examples/typed-fields.mjs", import.meta.url)),
    async act(page) {
      const view = await begin(page);
      await view.getByRole("textbox", { name: "Your answer" }).first().fill("80");
      await view.getByRole("button", { name: "Next", exact: true }).click();
      await view.getByText("Expected:").first().waitFor();
    },
  },
  {
    name: "notice",
    theme: light,
    script: [`${intro}\n${asks(database)}`, says("Thanks.")],
    async act(page) {
      await open(page);
      await runCommand(page, "Askwire: Write to the Agent");
      await page.locator(".quick-input-title", { hasText: "Write to the agent" }).waitFor();
      await page.keyboard.type("Set up the shop");
      await page.keyboard.press("Enter");
      await page.locator(".notification-toast", { hasText: database.question }).waitFor();
    },
  },
  {
    name: "chinese",
    theme: dark,
    locale: "zh-CN",
    script: [
      `${says("这家商店还**没有数据库**：`shop/cart.py` 把购物车放在一个 `dict` 里。")}\n${asks({
        question: "商店应该使用哪种数据库？",
        header: "数据库",
        options: [
          { label: "SQLite（推荐）", description: "一个文件，无需运行服务" },
          { label: "PostgreSQL", description: "独立的服务器，可供多台机器使用" },
          { label: "暂不使用", description: "所有数据都留在内存中" },
        ],
      })}`,
      says("谢谢。"),
    ],
    async act(page) {
      const view = await begin(page, "搭建商店", chinese);
      await view.getByLabel("PostgreSQL").check();
    },
  },
  {
    name: "contrast",
    theme: contrast,
    script: [`${intro}\n${asks(database, checks)}`, says("Thanks.")],
    async act(page) {
      const view = await begin(page);
      await view.getByLabel("SQLite").check();
      await view.getByRole("button", { name: "Next", exact: true }).click();
      await view.getByLabel("Types").check();
    },
  },
];
