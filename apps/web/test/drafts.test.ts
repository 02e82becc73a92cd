import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { wantAccessible } from "../../../examples/test/accessible.js";
import { untilPressable } from "../../../examples/test/pressable.js";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { ask, backOnline, calls, database, openPage, results } from "./served-page.js";

const browser = testBrowser();
const open = (script?: readonly string[]) => openPage(browser, script);
const button = (page: Page | Locator, name: string) => page.getByRole("button", { name, exact: true });
const words = (page: Page) => page.getByRole("textbox", { name: "In your own words" });
const asking = [calls("AskUserQuestion", { questions: [database] }), "text: Thanks."];
const kept = (page: Page) =>
  page.evaluate(() => [...Object.keys(sessionStorage), ...Object.keys(localStorage)].join());

/** From now on the server is told nothing of unsent work, which would come back from there. */
const keptHereAlone = (page: Page) =>
  page.evaluate(() => {
    const { send } = WebSocket.prototype;
    WebSocket.prototype.send = function (text) {
      if (!String(text).includes('"keep_draft"')) send.call(this, text);
    };
  });

/** A kept draft, as this version writes it. */
interface Kept {
  readonly form: object;
}

describe("the work on a question", () => {
  test("the work on a question survives a reload, and is forgotten once it is sent", async () => {
    const { page, other } = await open(asking);
    const told = results(other);
    await words(page).fill("MariaDB, for");
    await page.reload();
    await expect.poll(() => words(page).inputValue()).toBe("MariaDB, for");
    await words(page).fill("MariaDB");
    await button(page.locator(".dock"), "Send answer").click();
    expect(await told).toEqual(['{"answers": {"Which database?": "MariaDB"}}']);
    await expect.poll(() => kept(page)).not.toContain("draft");
  });

  test("the work on a question is forgotten once somebody else answers, and can still be read on the page", async () => {
    const { page, other } = await open();
    const withdrawn = new AbortController();
    void ask(other, [database], withdrawn.signal);
    await words(page).fill("half a sen");
    expect(await kept(page)).toContain("draft");
    withdrawn.abort();
    await page.getByText("No longer open").waitFor();
    await page.getByText("half a sen").filter({ visible: true }).waitFor();
    expect(await kept(page)).not.toContain("draft");
  });

  test("the work on a question is forgotten by a page that was not there when somebody else answered", async () => {
    const { page, address, other } = await open();
    const withdrawn = new AbortController();
    void ask(other, [database], withdrawn.signal);
    await words(page).fill("half a sen");
    await page.goto("about:blank");
    withdrawn.abort();
    await page.goto(address);
    await page.getByText("Connected", { exact: true }).waitFor();
    await expect.poll(() => kept(page)).not.toContain("draft");
  });

  test("the work on a question includes the words to talk about first, which a reload restores and nothing drops unasked", async () => {
    const { page, other } = await open();
    const asked = ask(other, [database]);
    await button(page, "Discuss first").click();
    await page.keyboard.type("why any?");
    await page.reload();
    const talk = page.getByLabel("What to talk about first");
    await expect.poll(() => talk.inputValue()).toBe("why any?");
    await button(page, "Back").click();
    await button(page, "Decline").click();
    await page.getByText("Decline, and lose what you entered?").waitFor();
    await button(page, "Keep").click();
    await button(page, "Discuss first").click();
    await button(page, "Discuss first").click();
    expect((await asked).outcome).toMatchObject({ status: "declined", reason: "discuss", note: "why any?" });
    await expect.poll(() => kept(page)).not.toContain("draft");
  });

  test("the work on a question survives the death of the server and a reload, and is sent to the next server", async () => {
    const { page, other, told, kill, again, session } = await open(asking);
    other.prompt("go").result.catch(() => {});
    await words(page).fill("MariaDB");
    await kill();
    await page.getByText("The connection is lost.").waitFor();
    await wantAccessible(page);
    await again(["text: Thanks."], ["--session", session]);
    await backOnline(page);
    await page.getByText("Connected", { exact: true }).waitFor();
    expect(await words(page).inputValue()).toBe("MariaDB");
    await page.reload();
    await expect.poll(() => words(page).inputValue()).toBe("MariaDB");
    await expect.poll(() => other.connection).toBe("connected");
    await button(page.locator(".dock"), "Send answer").click();
    await expect.poll(() => told).toEqual(['{"answers": {"Which database?": "MariaDB"}}']);
  });

  test("the work finished without a network is sent once the network is back", async () => {
    const { page, other, cut, mend } = await open(asking);
    const told = results(other);
    await page.getByLabel("SQLite").check();
    cut();
    await page.getByText("The connection is lost.").waitFor();
    await button(page.locator(".dock"), "Send answer").click();
    mend();
    await backOnline(page);
    expect(await told).toEqual(['{"answers": {"Which database?": "SQLite"}}']);
    await page.getByText("Connected", { exact: true }).waitFor();
  });

  test("the work on a question is forgotten with the token where the person leaves, even by a remembered device", async () => {
    const { page, other } = await open();
    void ask(other, [database]);
    await button(page, "Settings").click();
    await page.getByLabel("Remember this device after").check();
    await button(page.getByRole("dialog"), "Close").click();
    await words(page).fill("MariaDB");
    expect(await page.evaluate(() => Object.keys(localStorage).join())).toContain("draft");
    await button(page, "Settings").click();
    await page.getByLabel("Remember this device after").uncheck();
    expect(await page.evaluate(() => Object.keys(localStorage).join())).not.toContain("draft");
    expect(await kept(page)).toContain("draft");
    await button(page, "Forget the token and leave").click();
    await page.getByLabel("Address or pairing code").waitFor();
    expect(await kept(page)).toBe("");
  });

  test.each([
    ["drafts of another shape", (draft: Kept) => ({ ...draft, form: { ...draft.form, drafts: [null] } })],
    [
      "fields of other types",
      (draft: Kept) => ({
        ...{ ...draft, discuss: 7 },
        form: {
          ...draft.form,
          tab: 9,
          drafts: [{ row: 99, text: "MariaDB", chosen: "a", confirmed: { selected: 1 }, note: [] }],
        },
      }),
    ],
    ["nothing of a form", () => ({ form: null })],
    ["no draft at all", () => undefined],
  ])(
    "the work of another version or damaged, with %s, leaves the card on the page, which says so",
    async (_what, changed) => {
      const { page, other, complaints } = await open();
      await keptHereAlone(page);
      const asked = ask(other, [database]);
      await words(page).fill("MariaDB");
      const texts = () => page.evaluate(() => Object.values(sessionStorage).join());
      await expect.poll(texts).toContain("MariaDB");
      const stored = await page.evaluate(() => Object.entries(sessionStorage));
      for (const [name, text] of stored.filter(([name]) => name.includes("draft"))) {
        const { at, draft } = JSON.parse(text);
        const damaged = JSON.stringify({ at, draft: changed(draft) });
        await page.evaluate(([name = "", text = ""]) => sessionStorage.setItem(name, text), [name, damaged]);
      }
      await page.reload();
      await page.getByText("Not all that you had entered here could be read again").waitFor();
      await page.getByRole("radio", { name: "SQLite" }).check();
      await untilPressable(page);
      await page.locator(".dock").getByRole("button", { name: "Send answer", exact: true }).click();
      expect((await asked).items).toEqual([{ question_id: "q1", selected: ["q1_o1"] }]);
      expect(complaints).toEqual([]);
    },
  );

  test("the work of the first version, without the later fields, is restored in full", async () => {
    const { page, other } = await open();
    const asked = ask(other, [database]);
    await words(page).fill("MariaDB");
    await expect.poll(() => kept(page)).toContain("draft");
    await page.evaluate(() => {
      for (const [name, text] of Object.entries(sessionStorage).filter(([name]) => name.includes("draft"))) {
        const { at, draft } = JSON.parse(text);
        const [{ row, chosen, text: typed }] = draft.form.drafts;
        const form = { questions: draft.form.questions, drafts: [{ row, chosen, text: typed }] };
        sessionStorage.setItem(name, JSON.stringify({ at, draft: { form } }));
      }
    });
    await page.reload();
    await expect.poll(() => words(page).inputValue()).toBe("MariaDB");
    expect(await page.getByText("Not all that you had entered").count()).toBe(0);
    await untilPressable(page);
    await button(page.locator(".dock"), "Send answer").click();
    expect((await asked).items).toEqual([{ question_id: "q1", selected: [], own_text: "MariaDB" }]);
  });

  test("the work that is too large to be kept says so", async () => {
    const { page, other } = await open();
    void ask(other, [{ question: "Which text?", options: [], field: { type: "text" } }]);
    await page.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException("full", "QuotaExceededError");
      };
    });
    await page.locator(".dock textarea").first().fill("much");
    await page.getByText("The browser does not keep all that you entered here").waitFor();
  });

  test("the work on a question is not restored to one that asks something else", async () => {
    const { page, other } = await open();
    await keptHereAlone(page);
    void ask(other, [database]);
    await words(page).fill("MariaDB");
    await page.evaluate(() => {
      for (const [name, text] of Object.entries(sessionStorage)) {
        if (name.includes("draft")) sessionStorage.setItem(name, text.replaceAll("SQLite", "DuckDB"));
      }
    });
    await page.reload();
    await words(page).waitFor();
    expect(await words(page).inputValue()).toBe("");
  });
});

test("the work on an approval survives a reload: the words, and the changed text", async () => {
  const { page, other } = await open([calls("Shell", { command: "echo one" }), "text: Done."]);
  const told = results(other);
  await button(page, "Edit first").click();
  await page.getByLabel("The text that is approved").fill("echo two");
  await button(page, "Reject…").click();
  await page.getByLabel("Why not?").fill("rather two");
  await page.reload();
  await expect.poll(() => page.getByLabel("Why not?").inputValue()).toBe("rather two");
  await untilPressable(page);
  await button(page, "Back").click();
  await untilPressable(page);
  await button(page, "Approve my version").click();
  expect((await told).join()).toContain("two\n");
});

test("a lost connection is retried at once where the person asks for it", async () => {
  const { page, cut, mend } = await open();
  // Timers of 200 ms and more never fire, so that only the button opens the connection.
  await page.evaluate(() => {
    const { setTimeout } = window;
    Object.assign(window, {
      setTimeout: (act: () => void, ms = 0) => (ms < 200 ? setTimeout(act, ms) : 0),
    });
  });
  cut();
  await page.getByText(/^Next try in \d+ s$|^Trying again…$/).waitFor();
  mend();
  await button(page, "Try now").click();
  await page.getByText("Connected", { exact: true }).waitFor();
});

test("a session that a restarted command has kept is offered, with its question and the work on it", async () => {
  const { page, other, kill, again } = await open(asking);
  other.prompt("go").result.catch(() => {});
  await words(page).fill("MariaDB");
  await kill();
  await again([]);
  await backOnline(page);
  await page.getByText("The server was started anew. It has kept this session.").waitFor();
  await wantAccessible(page);
  await button(page, "Go on with it").click();
  await page.getByText("Connected", { exact: true }).waitFor();
  expect(await words(page).inputValue()).toBe("MariaDB");
  await page.reload();
  await expect.poll(() => words(page).inputValue()).toBe("MariaDB");
});

test("a missing session says so, and leads to a new one", async () => {
  const { page, kill, again, home } = await open();
  await kill();
  await rm(join(home, "sessions"), { recursive: true });
  await again([]);
  await backOnline(page);
  await page.getByText("The server does not have this session any more.").waitFor();
  await wantAccessible(page);
  await button(page, "Begin a new session").click();
  await page.getByText("Connected", { exact: true }).waitFor();
});
