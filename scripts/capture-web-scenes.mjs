// The scenes of the pictures of the page: what the scripted model does, and what the person does in the browser.
/** @typedef {Awaited<ReturnType<typeof import("../examples/test/chromium.mjs").launchChromium>>} Browser */
/** @typedef {Awaited<ReturnType<Browser["newPage"]>>} Page */

/**
 * @typedef {object} Scene
 * @property {string} name
 * @property {readonly string[]} script the lines of each call of the model.
 * @property {readonly string[]} [otherScript] the script of another server that the page may reach. Default: none.
 * @property {readonly object[]} [questions] questions that a program asks. Default: none.
 * @property {number} [width]
 * @property {number} [height]
 * @property {"light" | "dark"} [colorScheme]
 * @property {boolean} [hasTouch]
 * @property {string} [locale] the language of the browser. Default: English.
 * @property {(page: Page, other: string) => Promise<unknown>} act given the address of the other server, where there is one.
 */

export const says = (/** @type {string} */ text) => `text: ${JSON.stringify(text)}`;
export const calls = (/** @type {string} */ name, /** @type {object} */ input, id = "call-1") =>
  `tool_call: ${JSON.stringify({ id, name, arguments: JSON.stringify(input) })}`;
export const asks = (/** @type {object[]} */ ...questions) => calls("AskUserQuestion", { questions });

export const database = {
  question: "Which database should the shop use?",
  header: "Database",
  options: [
    { label: "SQLite (Recommended)", description: "One file, nothing to run" },
    { label: "PostgreSQL", description: "A server, for several machines" },
    { label: "None yet", description: "Everything stays in memory" },
  ],
};
export const checks = {
  question: "Which checks run before a release?",
  header: "Checks",
  multi_select: true,
  options: [
    { label: "Lint", description: "Style and common mistakes" },
    { label: "Types", description: "The compiler" },
    { label: "Tests", description: "All of them, two minutes" },
  ],
};
const intro = says(
  "I have read the project. It has **no database** yet: `src/cart.ts` keeps carts in a `Map`, and the tests begin with an empty one.",
);

/** Types a prompt into the page. @param {Page} page */
async function prompt(page, text = "Set up the shop") {
  const box = page.getByRole("textbox", { name: "Message" });
  await box.fill(text);
  await box.press("Enter");
}

/** @type {readonly Scene[]} */
export const scenes = [
  {
    name: "question",
    script: [`${intro}\n${asks(database)}`, says("Thanks.")],
    async act(page) {
      await prompt(page);
      await page.getByLabel("PostgreSQL").check();
    },
  },
  {
    name: "several",
    script: [`${intro}\n${asks(database, checks)}`, says("Thanks.")],
    async act(page) {
      await prompt(page);
      await page.getByLabel("SQLite").check();
      await page.getByRole("button", { name: "Next", exact: true }).click();
      await page.getByLabel("Types").check();
      await page.getByLabel("Tests").check();
    },
  },
  {
    name: "approval",
    script: [
      `${says("I add a script for the tests.")}\n${calls("WriteFile", {
        path: "check.sh",
        content: "#!/bin/sh\nset -e\nnpx biome check\nnpx tsc --noEmit\nnpx vitest run\n",
      })}`,
      says("Done."),
    ],
    async act(page) {
      await prompt(page, "Add a script that checks everything");
      await page.getByRole("button", { name: "Approve once", exact: true }).waitFor();
    },
  },
  {
    name: "phone",
    script: [`${intro}\n${asks(checks)}`, says("Thanks.")],
    ...{ width: 390, height: 760, hasTouch: true },
    async act(page) {
      await prompt(page);
      await page
        .getByRole("button", { name: "Send answer", exact: true })
        .first()
        .click()
        .catch(() => {});
      await page.getByLabel("Types").check();
    },
  },
  {
    name: "dark",
    script: [`${intro}\n${asks(database)}`, says("Thanks.")],
    colorScheme: "dark",
    async act(page) {
      await prompt(page);
      await page.getByLabel("SQLite").check();
    },
  },
  {
    name: "chinese",
    script: [
      `${says("我看过这个项目：它还**没有数据库**，`src/cart.ts` 把购物车放在一个 `Map` 里。")}\n${asks(
        {
          question: "商店应该使用哪种数据库？",
          header: "数据库",
          options: [
            { label: "SQLite（推荐）", description: "一个文件，无需运行服务" },
            { label: "PostgreSQL", description: "独立的服务器，可供多台机器使用" },
            { label: "暂不使用", description: "所有数据都留在内存中" },
          ],
        },
        {
          question: "发布前运行哪些检查？",
          header: "发布",
          multi_select: true,
          options: [{ label: "代码风格" }, { label: "类型" }, { label: "测试" }],
        },
      )}`,
      says("谢谢。"),
    ],
    locale: "zh-CN",
    async act(page) {
      const box = page.getByRole("textbox", { name: "消息" });
      await box.fill("搭建商店");
      await box.press("Enter");
      await page.getByLabel("PostgreSQL").check();
      await page.getByText("添加备注").click();
      await page.getByRole("textbox", { name: "备注" }).fill("以后还要接入仓库系统。");
    },
  },
  {
    name: "preview",
    script: [],
    width: 1_600,
    questions: [
      {
        question: "How should the cart be kept?",
        header: "Cart",
        options: [
          {
            label: "A table",
            preview: "## A table\n\n| column | type |\n| --- | --- |\n| id | integer |\n| goods | text |",
          },
          { label: "A file", preview: "One JSON file for each cart." },
        ],
      },
    ],
    async act(page) {
      await page.getByRole("radio", { name: "A table" }).check();
      await page.getByRole("table").waitFor();
    },
  },
  {
    name: "fields",
    script: [],
    questions: [
      {
        question: "Which port should the shop listen on?",
        header: "Port",
        options: [],
        field: { type: "integer", bounds: { min: 1024, max: 65535 }, prefill: "8080" },
      },
    ],
    async act(page) {
      await page.getByRole("textbox", { name: "Your answer" }).fill("80");
      await page.locator(".dock").getByRole("button", { name: "Send answer", exact: true }).click();
      await page.getByText("Expected:").first().waitFor();
    },
  },
  {
    name: "sessions",
    script: [`${intro}\n${asks(database)}`, says("Thanks.")],
    async act(page) {
      await prompt(page);
      await page.getByLabel("SQLite").waitFor();
      await page.getByRole("button", { name: "Sessions", exact: true }).click();
      await page.getByRole("button", { name: "New session", exact: true }).click();
      await page.getByRole("button", { name: "Sessions (1 waiting)", exact: true }).click();
      await page.getByText("Which database should the shop use?").waitFor();
    },
  },
  {
    name: "servers",
    script: [`${intro}\n${asks(database)}`, says("Thanks.")],
    otherScript: [says("All tests pass.")],
    async act(page, other) {
      await prompt(page);
      await page.getByLabel("SQLite").waitFor();
      await page.getByRole("button", { name: "Sessions", exact: true }).click();
      await page.getByRole("button", { name: "Add a server", exact: true }).click();
      await page.getByLabel("Address or pairing code").fill(other);
      await page.getByRole("button", { name: "Connect", exact: true }).click();
      await prompt(page, "Run the tests");
      await page.getByRole("log").getByText("All tests pass.").waitFor();
      await page.getByRole("button", { name: "Sessions (1 waiting)", exact: true }).click();
    },
  },
];
