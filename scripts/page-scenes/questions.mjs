// The scenes of questions.
import { asks, says } from "./lines.mjs";
import { main, option, promptForCard } from "./scene.mjs";

/** @typedef {import("./scene.mjs").Scene} Scene */
/** @typedef {import("./scene.mjs").Stage} Stage */
/** @typedef {import("./scene.mjs").Texts} Texts */

const asksOne = (/** @type {Texts} */ { intro, database, thanks }) => [
  `${says(intro)}\n${asks(database)}`,
  says(thanks),
];
const asksThree = (/** @type {Texts} */ { intro, database, checks, names, thanks }) => [
  `${says(intro)}\n${asks(database, checks, names)}`,
  says(thanks),
];

/** Answers the first question of three. @param {Stage} stage */
async function answerFirst(stage) {
  await promptForCard(stage);
  await option(stage, 0).check();
  await main(stage).click();
  await stage.pressable();
}

/** Questions whose fields say what they take. @param {Texts} texts */
const fields = ({ port, portHeader }) => [
  {
    question: port,
    header: portHeader,
    options: [],
    field: { type: "integer", bounds: { min: 1024, max: 65535 }, prefill: "8080" },
  },
];

const zones =
  "Africa/Cairo America/Bogota America/Chicago America/Lima Asia/Dubai Asia/Seoul Asia/Shanghai Asia/Tokyo Europe/Berlin Europe/London Europe/Madrid Europe/Paris Europe/Rome Pacific/Auckland".split(
    " ",
  );

/** @type {readonly Scene[]} */
export const questionScenes = [
  {
    name: "question",
    script: asksOne,
    async act(stage) {
      await promptForCard(stage);
      await option(stage, 1).check();
    },
  },
  {
    name: "question-tabs",
    script: asksThree,
    async act(stage) {
      await answerFirst(stage);
      await option(stage, 1).check();
      await option(stage, 2).check();
    },
  },
  {
    name: "question-many",
    async act(stage) {
      const options = zones.map((label) => ({ label }));
      await stage.ask([{ ...stage.texts.many, options }]);
      await option(stage, 6).check();
      await stage.page.locator(".askwire-search input").fill("europe");
    },
  },
  {
    name: "question-own",
    script: asksOne,
    async act(stage) {
      const { page, texts, words } = stage;
      await promptForCard(stage);
      await page.locator(".askwire-own textarea").first().fill(texts.words);
      await option(stage, 1).check();
      await page.getByText(words.card.addNote, { exact: true }).click();
      await page.getByRole("textbox", { name: words.card.note, exact: true }).fill(texts.note);
    },
  },
  {
    name: "question-preview",
    async act(stage) {
      await stage.ask([stage.texts.preview]);
      await option(stage, 0).check();
      await stage.page.locator(".askwire-preview table").waitFor();
    },
  },
  {
    name: "question-fields",
    async act(stage) {
      await stage.ask(fields(stage.texts));
      await stage.page.locator(".askwire-own input").fill("80");
      await main(stage).click();
      await stage.page.locator("[aria-invalid=true]").first().waitFor();
    },
  },
  {
    name: "question-review",
    script: asksThree,
    async act(stage) {
      await answerFirst(stage);
      await option(stage, 1).check();
      await stage.page.getByRole("tab").last().click();
      await stage.page.getByText(stage.words.card.reviewHeading, { exact: true }).waitFor();
      await stage.pressable();
    },
  },
  {
    name: "question-deadline",
    async act(stage) {
      const { options, ...rest } = stage.texts.database;
      const [first, ...others] = options;
      await stage.ask([{ ...rest, options: [{ ...first, id: "first" }, ...others], default: ["first"] }], {
        deadline: { ms: 600_000, on_expiry: "default" },
      });
    },
  },
  {
    name: "question-aside",
    script: asksOne,
    async act(stage) {
      await promptForCard(stage);
      await option(stage, 1).check();
      await stage.page.locator(".askwire-card-fold > button").click();
    },
  },
  {
    name: "question-menu",
    script: asksThree,
    async act(stage) {
      await promptForCard(stage);
      await option(stage, 0).check();
      await stage.page.getByText(stage.words.card.discuss, { exact: true }).click();
    },
  },
  {
    name: "question-decline",
    script: asksOne,
    async act(stage) {
      await promptForCard(stage);
      await option(stage, 0).check();
      await stage.button(stage.words.card.decline).click();
    },
  },
  {
    name: "rtl",
    direction: "rtl",
    async act(stage) {
      await stage.ask([
        {
          question: "أي قاعدة بيانات يستخدم المتجر؟",
          header: "قاعدة البيانات",
          options: [
            { label: "SQLite", description: "ملف واحد في src/data، لا خادم" },
            { label: "PostgreSQL", description: "خادم لعدة أجهزة" },
          ],
        },
      ]);
      await option(stage, 0).check();
    },
  },
];
