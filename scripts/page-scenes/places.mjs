// The scenes of the inbox, the sessions, the settings, and the ways into the page.
import { asks, says } from "./lines.mjs";
import { option, promptForCard } from "./scene.mjs";

/** @typedef {import("./scene.mjs").Scene} Scene */
/** @typedef {import("./scene.mjs").Stage} Stage */
/** @typedef {import("./scene.mjs").Texts} Texts */

const asksOne = (/** @type {Texts} */ { intro, database, thanks }) => [
  `${says(intro)}\n${asks(database)}`,
  says(thanks),
];

/** Fills the server with sessions of which some wait. @param {Stage} stage */
async function fill({ other, texts, another, ask }) {
  await other.prompt(texts.prompt).result;
  const [first = "", second = "", third = ""] = texts.otherPrompts;
  const reports = await another("askwire-cli");
  const notes = await another("askwire-cli");
  const goods = await another("askwire-cli");
  await reports.other.prompt(first).result;
  await notes.other.prompt(second).result;
  await goods.other.prompt(third).result;
  await ask([texts.database]);
  await reports.ask(
    [texts.many && { ...texts.many, options: [{ label: "UTC" }, { label: "Europe/Berlin" }] }],
    {
      deadline: { ms: 600_000, on_expiry: "cancel" },
      origin: { tool: "reports" },
    },
  );
  await notes.ask([texts.colour]);
}

const saysOnly = ({ thanks }) => Array.from({ length: 4 }, () => says(thanks));

/** @type {readonly Scene[]} */
export const placeScenes = [
  {
    name: "inbox",
    script: saysOnly,
    inInbox: true,
    async act(stage) {
      await fill(stage);
      await stage.ask([stage.texts.names]);
      await stage.ask([stage.texts.checks]);
      await stage.page.locator(".askwire-inbox li").nth(4).waitFor();
      if (stage.isPhone) return;
      await stage.page.locator(".askwire-waiting").first().click();
      await stage.page.locator(".askwire-card").waitFor();
      await stage.pressable();
    },
  },
  {
    name: "inbox-empty",
    inInbox: true,
    act: ({ page, words }) => page.getByText(words.inbox.emptyNext).waitFor(),
  },
  {
    name: "sessions",
    script: saysOnly,
    async act(stage) {
      await fill(stage);
      const way = stage.page.getByRole("button", { name: stage.words.page.sessions(2), exact: true });
      if (stage.isPhone) await way.click();
      await stage.page.locator(".askwire-session").nth(3).waitFor();
    },
  },
  {
    name: "servers",
    script: asksOne,
    otherScript: ({ thanks }) => [says(thanks)],
    async act(stage) {
      const { page, button, words, there, texts, isPhone } = stage;
      await promptForCard(stage);
      if (isPhone) await button(words.page.sessions(0)).click();
      await button(words.page.addServer).click();
      await page.getByLabel(words.entry.entry).fill(there);
      await button(words.entry.connect).click();
      await page.locator("[data-askwire-link=up]").first().waitFor({ state: "attached" });
      await stage.prompt(texts.otherPrompts[0]);
      await page.getByRole("log").getByText(texts.thanks).waitFor();
      if (isPhone) await button(words.page.sessions(1)).click();
      await page.locator(".askwire-session").nth(1).waitFor();
    },
  },
  {
    name: "settings",
    async act({ page, button, words }) {
      await button(words.page.settings).click();
      await page.getByText(words.push.heading).waitFor();
    },
  },
  {
    name: "notify",
    async act({ page, button, words }) {
      await button(words.page.settings).click();
      await page.getByText(words.push.heading).scrollIntoViewIfNeeded();
    },
  },
  {
    name: "pair",
    options: ["--public-url", "http://workbench.lan:4180"],
    async act({ page, button, words }) {
      await button(words.pairing.title).click();
      await page.locator(".add-phone .qr").waitFor();
    },
  },
  {
    name: "pair-phone",
    async act(stage) {
      const { page, origin, words } = stage;
      await stage.leave(`${origin}/`);
      await page.getByLabel(words.entry.entry).fill("7KQM-2XHA");
    },
  },
  {
    name: "error-token",
    async act(stage) {
      const { page, origin } = stage;
      await stage.leave(`${origin}/#token=a-token-that-the-server-never-made`);
      await page.locator(".over button").first().waitFor();
    },
  },
  {
    name: "error-session",
    script: asksOne,
    async act(stage) {
      await promptForCard(stage);
      await option(stage, 1).check();
      await stage.kill();
      await stage.again();
      await stage.page.getByRole("button", { name: stage.words.connection.openKept, exact: true }).waitFor();
    },
  },
];
