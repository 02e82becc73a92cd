// Lines of a scripted model, and the questions and texts of the scenes in each language.

export const says = (/** @type {string} */ text) => `text: ${JSON.stringify(text)}`;
export const calls = (/** @type {string} */ name, /** @type {object} */ input, id = "call-1") =>
  `tool_call: ${JSON.stringify({ id, name, arguments: JSON.stringify(input) })}`;
export const asks = (/** @type {object[]} */ ...questions) => calls("AskUserQuestion", { questions });

/** A file of the project before the agent changes it. */
export const cart = `import { type Goods, priceOf } from "./goods.js";

/** The carts of all visitors, by their id. */
const carts = new Map<string, Goods[]>();

export function add(id: string, goods: Goods): void {
  carts.set(id, [...(carts.get(id) ?? []), goods]);
}

export const total = (id: string): number =>
  (carts.get(id) ?? []).reduce((sum, goods) => sum + priceOf(goods), 0);
`;
export const cartEdit = {
  old: `/** The carts of all visitors, by their id. */
const carts = new Map<string, Goods[]>();

export function add(id: string, goods: Goods): void {
  carts.set(id, [...(carts.get(id) ?? []), goods]);
}
`,
  new: `/** The carts of all visitors, which are kept in a table. */
const carts = openTable<Goods>("carts");

export async function add(id: string, goods: Goods): Promise<void> {
  await carts.insert(id, goods);
}
`,
};
/** A file of hundreds of lines, each of them new. */
export const prices = Array.from(
  { length: 300 },
  (_, at) => `export const price${at} = { goods: ${at}, cents: ${at * 25 + 99} };\n`,
).join("");
export const checkScript = "#!/bin/sh\nset -e\nnpx biome check\nnpx tsc --noEmit\nnpx vitest run\n";

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

const en = {
  intro:
    "I have read the project. It has **no database** yet: `src/cart.ts` keeps carts in a `Map`, and the tests begin with an empty one.",
  prompt: "Set up the shop",
  thanks: "Thanks.",
  database,
  checks,
  names: {
    question: "How should the tables be named?",
    header: "Names",
    options: [
      { label: "Singular", description: "cart, visitor" },
      { label: "Plural", description: "carts, visitors" },
    ],
  },
  note: "The stock is to be connected later.",
  words: "A key-value store that we run already",
  colour: {
    question: "Which colour has the button that pays?",
    header: "Colour",
    options: [{ label: "Green" }, { label: "Blue" }],
  },
  preview: {
    question: "How should the cart be kept?",
    header: "Cart",
    options: [
      {
        label: "A table",
        description: "One row for each of the goods",
        preview: "## A table\n\n| column | type |\n| --- | --- |\n| id | integer |\n| goods | text |",
      },
      { label: "A file", description: "JSON, one for each cart", preview: "One JSON file for each cart." },
    ],
  },
  port: "Which port should the shop listen on?",
  portHeader: "Port",
  many: { question: "Which time zone do the reports use?", header: "Time zone" },
  command: "I add the driver, and see that the tests still pass.",
  change: "The carts move into a table.",
  script: "I add a script that runs all checks.",
  why: "Use the database that runs already",
  plan: ["Read the cart", "Move carts into a table", "Write a test of the table"],
  reading: "First I read how carts are kept, then I move them.",
  read: "Carts are in `src/cart.ts`. I run the tests before I change anything.",
  done: "The carts are kept in a table now: `add` waits until the row is written, and the total still comes from `priceOf`. The tests of the reports fail for another reason: they expect a **time zone** that this machine lacks.",
  meanwhile: "Keep the old function until the tests pass",
  otherPrompts: ["Make the reports faster", "Write the release notes", "Rename the goods"],
};
/** The texts that people and agents write, in one language. @typedef {typeof en} Texts */

/** @type {Texts} */
const zh = {
  intro:
    "我看过这个项目：它还**没有数据库**，`src/cart.ts` 把购物车放在一个 `Map` 里，测试从空的购物车开始。",
  prompt: "搭建商店",
  thanks: "谢谢。",
  database: {
    question: "商店应该使用哪种数据库？",
    header: "数据库",
    options: [
      { label: "SQLite（推荐）", description: "一个文件，无需运行服务" },
      { label: "PostgreSQL", description: "独立的服务器，可供多台机器使用" },
      { label: "暂不使用", description: "所有数据都留在内存中" },
    ],
  },
  checks: {
    question: "发布前运行哪些检查？",
    header: "发布",
    multi_select: true,
    options: [
      { label: "代码风格", description: "风格和常见错误" },
      { label: "类型", description: "编译器" },
      { label: "测试", description: "全部测试，两分钟" },
    ],
  },
  names: {
    question: "表应该如何命名？",
    header: "命名",
    options: [
      { label: "单数", description: "cart、visitor" },
      { label: "复数", description: "carts、visitors" },
    ],
  },
  note: "以后还要接入仓库系统。",
  words: "我们已经在运行的键值存储",
  colour: {
    question: "付款按钮用什么颜色？",
    header: "颜色",
    options: [{ label: "绿色" }, { label: "蓝色" }],
  },
  preview: {
    question: "购物车应该如何保存？",
    header: "购物车",
    options: [
      {
        label: "一张表",
        description: "每件商品一行",
        preview: "## 一张表\n\n| 列 | 类型 |\n| --- | --- |\n| id | integer |\n| goods | text |",
      },
      { label: "一个文件", description: "每个购物车一个 JSON", preview: "每个购物车一个 JSON 文件。" },
    ],
  },
  port: "商店应该监听哪个端口？",
  portHeader: "端口",
  many: { question: "报表使用哪个时区？", header: "时区" },
  command: "我来添加驱动，并确认测试仍然通过。",
  change: "购物车移入一张表。",
  script: "我添加一个运行所有检查的脚本。",
  why: "请使用已经在运行的数据库",
  plan: ["阅读购物车代码", "把购物车移入表中", "为这张表编写测试"],
  reading: "我先看购物车如何保存，然后再移动。",
  read: "购物车在 `src/cart.ts` 中。改动之前我先运行测试。",
  done: "购物车现在保存在一张表中：`add` 会等到这一行写入，总价仍然来自 `priceOf`。报表的测试因另一个原因失败：它们需要这台机器没有的**时区**。",
  meanwhile: "测试通过之前请保留旧函数",
  otherPrompts: ["让报表更快", "编写发布说明", "给商品改名"],
};

/** @type {Readonly<Record<"en" | "zh", Texts>>} */
export const textsIn = { en, zh };
