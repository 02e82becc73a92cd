import { fileURLToPath } from "node:url";

/**
 * A picture: the command, the keys, and the final screen. Each key waits until the screen matches the text before it.
 *
 * @typedef {object} Scene
 * @property {string} title description of the picture for readers who cannot see it
 * @property {string[]} args of the command
 * @property {number} [columns]
 * @property {number} [rows]
 * @property {Record<string, string>} [files] in the folder in which it runs, by name
 * @property {[RegExp, string][]} steps
 * @property {RegExp} until
 */

const script = (name) => fileURLToPath(new URL(`../examples/panel/${name}.json`, import.meta.url));
const example = (name) => fileURLToPath(new URL(`../examples/${name}`, import.meta.url));
const chat = (name) => ["chat", "--script", script(name), "--prompt", "Release it"];

const paintShop = {
  "package.json": `${JSON.stringify(
    {
      name: "paint-shop",
      scripts: { lint: "eslint .", test: "vitest run" },
      engines: { node: ">=20" },
    },
    undefined,
    2,
  )}\n`,
  "package-lock.json": "{}",
};

const [up, down, space, enter] = ["\u001b[A", "\u001b[B", " ", "\r"];
/** The panel takes keys once it names them. */
const KEYS = /Esc decline/;

/** @type {[RegExp, string][]} */
const toTheChecks = [
  [KEYS, "\r"],
  [/Which checks/, `${space}${down}${down}${space}${up}`],
  [/\[✔\] Licences/, "a smoke test"],
];

/** @type {Record<string, Scene>} */
export const scenes = {
  conversation: {
    title: "A conversation in askwire chat: a file read, a question answered, and a plan in Markdown",
    args: ["chat", "--", "node", example("database-agent.mjs")],
    files: paintShop,
    rows: 36,
    steps: [
      [/^>/m, `Keep the orders in a database${enter}`],
      [KEYS, enter],
    ],
    until: /Shall I begin[\s\S]*\n>/,
  },
  questions: {
    title: "askwire chat asks which Node.js versions should be tested",
    args: ["chat"],
    files: paintShop,
    rows: 24,
    steps: [[KEYS, `1${down}${down}3`]],
    until: /\[✔\] Node 20/,
  },
  file: {
    title: "askwire chat shows the file that it would write and asks for approval",
    args: ["chat"],
    files: paintShop,
    rows: 34,
    steps: [
      [KEYS, `1${enter}`],
      [/Which scripts/, ""],
      [KEYS, `1${enter}`],
      [/When should/, ""],
      [KEYS, "\r"],
    ],
    until: /Approve[\s\S]*Esc/,
  },
  single: {
    title: "A question with one choice, the first of four",
    args: chat("release"),
    rows: 20,
    steps: [[KEYS, down]],
    until: /❯ 2/,
  },
  multi: {
    title: "Two of three checks chosen, with own words beside them",
    args: chat("release"),
    rows: 20,
    steps: toTheChecks,
    until: /a smoke test/,
  },
  preview: {
    title: "What the chosen settings would look like, beside the options",
    args: ["chat", "--dialect", "klaude", "--script", script("preview"), "--prompt", "Go on"],
    rows: 22,
    steps: [[KEYS, down]],
    until: /"coats": 2/,
  },
  review: {
    title: "All answers before they are sent, one changed since it was confirmed",
    args: chat("release"),
    rows: 26,
    steps: [
      ...toTheChecks,
      [/a smoke test/, enter],
      [/❯ ✔ Submit/, enter],
      [/Who is told/, `${down}${enter}`],
      [/What is the version/, `${down}${up}\r`],
      [/Review your answers/, "\u001b[Z\u001b[Z\u001b[Z"],
      [/Which checks/, `${down}${down}${down}${space}\t\t\t`],
    ],
    until: /Review your answers/,
  },
  approval: {
    title: "An approval with the difference that it is about",
    args: chat("approval"),
    files: paintShop,
    rows: 26,
    steps: [[/Approve[\s\S]*Esc/, ""]],
    until: /Esc (?!cancels|取消)/,
  },
  fields: {
    title: "A value that the field does not take, with what is expected",
    args: ["chat", "--prompt", "Serve it", "--", "node", example("typed-fields.mjs")],
    rows: 16,
    steps: [
      [/8080[\s\S]*Esc clear/, "\u001580"],
      [/❯ 80\b/, enter],
    ],
    until: /Expected/,
  },
  narrow: {
    title: "The same question in a terminal of 34 columns",
    args: chat("release"),
    columns: 34,
    rows: 17,
    steps: [
      [KEYS, "\r"],
      [/Which checks/, `${space}${down}`],
    ],
    until: /❯ 2/,
  },
  chinese: {
    title: "A question in Chinese",
    args: ["chat", "--lang", "zh", "--script", script("chinese"), "--prompt", "发布"],
    rows: 18,
    steps: [
      [/Esc (?!cancels|取消)/, "\r"],
      [/哪些检查/, `${space}${down}`],
    ],
    until: /❯ 2/,
  },
};
