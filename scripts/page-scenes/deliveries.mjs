// The scenes of the way of an answer.
import { asks, says } from "./lines.mjs";
import { main, option, promptForCard } from "./scene.mjs";

/** @typedef {import("./scene.mjs").Scene} Scene */
/** @typedef {import("./scene.mjs").Stage} Stage */
/** @typedef {import("./scene.mjs").Texts} Texts */

const asksOne = (/** @type {Texts} */ { intro, database, thanks }) => [
  `${says(intro)}\n${asks(database)}`,
  says(thanks),
];

/** Chooses PostgreSQL. @param {Stage} stage */
async function choose(stage) {
  await promptForCard(stage);
  await option(stage, 1).check();
}

/**
 * Leads all that the page says through `change`, in order, and opens the page anew for it.
 *
 * @param {Stage} stage
 * @param {(text: string) => Promise<string>} change
 */
async function sayThrough({ page }, change) {
  await page.routeWebSocket(/\/wire\//, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage(async (text) => server.send(await change(String(text))));
  });
  await page.reload();
  await page.locator("[data-askwire-link=up]").waitFor({ state: "attached" });
}

/** @type {readonly Scene[]} */
export const deliveryScenes = [
  {
    name: "delivery-sending",
    script: asksOne,
    async act(stage) {
      await choose(stage);
      stage.pause();
      await main(stage).click();
      await stage.page.getByText(stage.words.card.sending, { exact: true }).waitFor();
    },
  },
  {
    name: "delivery-offline",
    script: asksOne,
    async act(stage) {
      await choose(stage);
      await stage.kill();
      await main(stage).click();
      await stage.page.locator("[data-delivery=undelivered]").waitFor();
    },
  },
  {
    name: "delivery-late",
    async act(stage) {
      const { page, texts } = stage;
      const second = await stage.person("Pixel 9");
      await stage.ask([texts.database]);
      await page.locator(".askwire-own textarea").first().fill(texts.words);
      second.answer(0);
      await page.locator(".askwire-settled").waitFor();
    },
  },
  {
    // Somebody else's answer was taken while this person's was on its way.
    name: "delivery-taken",
    async act(stage) {
      const { page, texts } = stage;
      let way = Promise.resolve();
      await sayThrough(stage, (text) => way.then(() => text));
      const second = await stage.person("Pixel 9");
      const asked = stage.other.ask({ questions: [texts.database] });
      await page.locator(".askwire-own textarea").first().fill(texts.words);
      way = asked.then(() => {});
      await stage.pressable();
      await main(stage).click();
      second.answer(0);
      await page.locator(".askwire-settled").waitFor();
    },
  },
  {
    // The server refuses what the page let through, as it does where it knows more than the page.
    name: "delivery-refused",
    async act(stage) {
      const { page, texts } = stage;
      await sayThrough(stage, async (text) => text.replaceAll('"8080"', '"80"'));
      const field = { type: "integer", bounds: { min: 1024, max: 65_535 } };
      await stage.ask([{ question: texts.port, header: texts.portHeader, field }]);
      await page.locator(".askwire-card input").first().fill("8080");
      await main(stage).click();
      await page.locator(".askwire-card input[aria-invalid=true]").waitFor();
    },
  },
  {
    name: "delivery-withdrawn",
    async act(stage) {
      const { page, texts } = stage;
      const end = await stage.ask([texts.database]);
      await page.locator(".askwire-own textarea").first().fill(texts.words);
      end();
      await page.locator(".askwire-settled").waitFor();
    },
  },
];
