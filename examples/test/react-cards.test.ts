import { connectWebSocket } from "@askwire/client/websocket";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { touchedText } from "../../scripts/touched-texts.js";
import { buildCards } from "../react/build.mjs";
import { wantAccessible } from "./accessible.js";
import { type Approval, ask, openCards } from "./cards-page.js";
import { inputMethod } from "./input-method.js";
import { untilPressable } from "./pressable.js";
import { testBrowser } from "./test-browser.js";

const browser = testBrowser();
let folder: string;

beforeAll(async () => {
  folder = await buildCards(await browser.folder());
});

const open = (size?: { width: number; height: number }) => openCards(browser, folder, size);
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const send = (page: Page) => button(page, "Send answer").click();
/** The text of the element that has the focus; empty where nobody has it. */
const focused = (page: Page) =>
  page.evaluate(() => (document.activeElement === document.body ? "" : document.activeElement?.textContent));

const database = {
  question: "Which <b>database</b>?",
  header: "DB",
  options: [
    { label: "SQLite", description: "One file", recommended: true },
    { label: "PostgreSQL", description: "A server" },
  ],
};
const checks = {
  question: "Which checks?",
  header: "Checks",
  multi_select: true,
  options: [{ label: "Lint, all of it" }, { label: "Types" }, { label: "Tests" }],
};

describe("a question in a browser", () => {
  test("a question is answered by a click that chooses and a button that sends", async () => {
    const { page, complaints, other } = await open();
    const { ended } = await ask(page, other, { questions: [database] });
    await wantAccessible(page);
    await page.getByLabel("PostgreSQL").click();
    await page.getByLabel("SQLite").click();
    expect(await page.getByRole("radio", { checked: true }).count()).toBe(1);
    await send(page);
    expect((await ended).told).toEqual([{ question_id: "q1", selected: ["q1_o1"] }]);
    await page.locator("section").waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
  });

  test("a question shows markup and control characters of the agent as text", async () => {
    const { page, other } = await open();
    await ask(page, other, {
      questions: [
        { question: "<img src=x onerror=alert(1)> \u202egnp.exe", options: [{ label: "ok\u0007" }] },
      ],
    });
    await page.getByText("<img src=x onerror=alert(1)> \\u{202e}gnp.exe").waitFor();
    expect(await page.getByRole("img").count()).toBe(0);
    await page.getByLabel("ok\\u{7}").waitFor();
  });

  test("a question takes own words, which set a choice aside, and a choice that sets the words aside", async () => {
    const { page, other } = await open();
    const { ended } = await ask(page, other, { questions: [database] });
    await page.getByLabel("SQLite").click();
    await page.getByRole("textbox", { name: "In your own words" }).fill("MariaDB\non a disk");
    expect(await page.getByLabel("SQLite").isChecked()).toBe(false);
    expect(await page.getByRole("radio", { name: "In your own words" }).isChecked()).toBe(true);
    await page.getByLabel("SQLite").click();
    await page.getByText("These words are not sent").waitFor();
    await page.getByRole("radio", { name: "In your own words" }).click();
    await send(page);
    expect((await ended).told).toEqual([{ question_id: "q1", selected: [], own_text: "MariaDB\non a disk" }]);
  });

  test("a multiple choice takes several options, own words and a note", async () => {
    const { page, other } = await open();
    const { ended } = await ask(page, other, { questions: [checks] });
    await page.getByLabel("Tests").click();
    await page.getByLabel("Lint").click();
    await page.getByRole("textbox", { name: "In your own words" }).fill("a spell check");
    await page.getByText("Add a note").click();
    await page.getByRole("textbox", { name: "Note" }).fill("for now");
    await wantAccessible(page);
    await send(page);
    expect((await ended).told).toEqual([
      { question_id: "q1", selected: ["q1_o1", "q1_o3"], own_text: "a spell check", note: "for now" },
    ]);
  });

  test("a question without a choice is not sent, and says why", async () => {
    const { page, other } = await open();
    await ask(page, other, { questions: [database] });
    await send(page);
    await page.getByRole("status").getByText("Choose an option or write an answer first").waitFor();
    await wantAccessible(page);
  });

  test("several questions have tabs, may be left out, and are reviewed before they are sent", async () => {
    const { page, other } = await open();
    const { ended } = await ask(page, other, { questions: [database, checks] });
    await wantAccessible(page);
    await button(page, "Leave out").click();
    expect(await focused(page)).toContain("Which checks?");
    await page.getByLabel("Types").click();
    await page.getByLabel("Lint, all of it").click();
    await button(page, "Next").click();
    await page.getByRole("heading", { name: "Your answers" }).waitFor();
    // A label may have a comma: each choice is an element of its own.
    expect(await page.getByRole("definition").getByRole("listitem").allTextContents()).toEqual([
      "Lint, all of it",
      "Types",
    ]);
    await wantAccessible(page);
    await button(page, "Which checks? Change").click();
    expect(await focused(page)).toContain("Lint");
    await page.getByRole("tab", { name: "DB" }).focus();
    await page.keyboard.press("Enter");
    expect(await focused(page)).toContain("DB");
    await page.getByLabel("SQLite").click();
    await button(page, "Next").click();
    await button(page, "Send 2 answers").click();
    expect((await ended).told).toEqual([
      { question_id: "q1", selected: ["q1_o1"] },
      { question_id: "q2", selected: ["q2_o1", "q2_o2"] },
    ]);
  });

  test("a question with a field takes its value, and says what is expected of another text", async () => {
    const { page, other } = await open();
    const port = {
      question: "Which port?",
      options: [],
      field: { type: "integer" as const, bounds: { min: 1024 } },
    };
    const { ended } = await ask(page, other, { questions: [port] });
    const input = page.getByRole("textbox", { name: "Your answer" });
    await input.fill("80");
    await send(page);
    await page.getByRole("status").getByText("Expected:").waitFor();
    expect(await input.getAttribute("aria-invalid")).toBe("true");
    await wantAccessible(page);
    await input.fill("8080");
    await page.keyboard.press("Enter");
    expect((await ended).told).toEqual([{ question_id: "q1", selected: [], own_text: "8080" }]);
  });

  test("a question comes back with the person's words and the reason where the server refuses the answer", async () => {
    const { page, other } = await open();
    const name = {
      question: "Which name?",
      options: [],
      field: { type: "text" as const, pattern: "^[a-z]+$" },
    };
    const { ended } = await ask(page, other, { questions: [name] });
    const input = page.getByRole("textbox", { name: "Your answer" });
    await input.fill("Shop 1");
    await send(page);
    await page.getByRole("status").getByText("Not accepted").waitFor();
    expect(await input.inputValue()).toBe("Shop 1");
    await input.fill("shop");
    await send(page);
    expect((await ended).told).toEqual([{ question_id: "q1", selected: [], own_text: "shop" }]);
  });

  test("a question shows the preview of the option under the pointer", async () => {
    const { page, other } = await open({ width: 1_200, height: 800 });
    const options = database.options.map((option) => ({ ...option, preview: `# Use ${option.label}` }));
    await ask(page, other, { questions: [{ ...database, options }] });
    await page.getByLabel("PostgreSQL").hover();
    await page.getByRole("region", { name: "Preview of PostgreSQL" }).getByText("# Use PostgreSQL").waitFor();
    await wantAccessible(page);
  });

  test("a question has a deadline until the person begins", async () => {
    const { page, other } = await open();
    const deadline = { ms: 600_000, on_expiry: "default" as const };
    const { ended } = await ask(page, other, { questions: [{ ...database, default: ["q1_o1"] }], deadline });
    await page.getByRole("timer").getByText("min left, then the default counts").waitFor();
    await wantAccessible(page);
    await page.getByLabel("PostgreSQL").click();
    await page.getByText("The time stands still").waitFor();
    await send(page);
    expect((await ended).told).toEqual([{ question_id: "q1", selected: ["q1_o2"] }]);
  });

  test("a question is declined at once, or in a second step where work would be lost", async () => {
    const { page, other } = await open();
    const first = await ask(page, other, { questions: [database] });
    await button(page, "Decline").click();
    expect(await first.ended).toMatchObject({ status: "declined", reason: "dismissed" });
    const second = await ask(page, other, { questions: [database] });
    await page.getByLabel("SQLite").click();
    await button(page, "Decline").click();
    await page.getByText("Decline, and lose what you entered?").waitFor();
    await wantAccessible(page);
    await button(page, "Keep").click();
    expect(await focused(page)).toBe("Decline");
    expect(await page.getByLabel("SQLite").isChecked()).toBe(true);
    await button(page, "Decline").click();
    await button(page, "Decline").click();
    expect(await second.ended).toMatchObject({ status: "declined", reason: "dismissed" });
  });

  test("a question can be talked about first, in the person's words", async () => {
    const { page, other } = await open();
    const { ended } = await ask(page, other, { questions: [database] });
    await button(page, "Discuss first").click();
    await button(page, "Back").click();
    expect(await focused(page)).toBe("Discuss first");
    await page.keyboard.press("Enter");
    await page.keyboard.type("why a database?");
    await wantAccessible(page);
    await button(page, "Discuss first").click();
    expect(await ended).toMatchObject({ status: "declined", reason: "discuss", note: "why a database?" });
  });

  test("several questions can be paged after their end, and an emptied note stays open under the fingers", async () => {
    const { page, other } = await open();
    const { ended } = await ask(page, other, { questions: [database, { question: "Why?", options: [] }] });
    await untilPressable(page);
    await page.getByText("Add a note").click();
    const note = page.getByLabel("Note", { exact: true });
    await note.fill("a");
    await note.press("Backspace");
    await note.pressSequentially("again");
    expect(await note.inputValue()).toBe("again");
    await other.cancel();
    await ended.catch(() => {});
    await button(page, "Close").waitFor();
    await page.getByRole("tab", { name: /Question 2/ }).click();
    await page.getByRole("group", { name: "Why?" }).waitFor();
    expect(await page.getByRole("tab", { name: /Question 2/ }).getAttribute("aria-selected")).toBe("true");
  });

  test("a question that somebody else answers can still be read, and says who answered", async () => {
    const { page, other, wire } = await open();
    let answer: (() => void) | undefined;
    const mayAnswer = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const rival = await connectWebSocket(wire, {
      client: { name: "terminal" },
      handlers: {
        async question({ questions: [item] }) {
          await mayAnswer;
          return { answers: { [item?.question ?? ""]: "PostgreSQL" } };
        },
      },
    });
    browser.ends.push(() => rival.close());
    const { ended } = await ask(page, other, { questions: [database] });
    await page.getByRole("textbox", { name: "In your own words" }).fill("half a sen");
    answer?.();
    await ended;
    await page.getByText("Somebody in terminal answered it.").waitFor();
    expect(await page.getByRole("textbox").first().inputValue()).toBe("half a sen");
    expect(await page.getByLabel("SQLite").isDisabled()).toBe(true);
    await wantAccessible(page);
    await button(page, "Close").click();
    await page.locator("section").waitFor({ state: "detached" });
  });
});

test("a card whose request changes its question starts again, without the earlier words", async () => {
  const mounted = await buildCards(await browser.folder(), undefined, "../test/mounted-card.tsx");
  const { page } = await openCards(browser, mounted, undefined, 0);
  const words = page.getByRole("group", { name: "Which fruit?" }).getByRole("textbox", { name: "In your" });
  await words.fill("all of them");
  await page.getByRole("button", { name: "Ask otherwise" }).click();
  const anew = page.getByRole("group", { name: "Which file may I delete?" });
  expect(await anew.getByRole("textbox", { name: "In your" }).inputValue()).toBe("");
});

test("a date that its box cannot show is shown as text", async () => {
  const mounted = await buildCards(await browser.folder(), undefined, "../test/mounted-card.tsx");
  const { page } = await openCards(browser, mounted, undefined, 0);
  const box = page.getByRole("group", { name: "Since when?" }).getByRole("textbox", { name: "Your answer" });
  expect(await box.inputValue()).toBe("last March");
});

test("a restarted deadline learns of the person's next act, and a screen reader hears of its end once", async () => {
  const mounted = await buildCards(await browser.folder(), undefined, "../test/mounted-card.tsx");
  const { page } = await openCards(browser, mounted, undefined, 0);
  const timed = page.locator("#timed");
  await timed.getByText("The time stands still.", { exact: true }).waitFor();
  const words = timed.getByRole("textbox", { name: "In your" });
  await words.pressSequentially("now");
  await timed.getByText("The time stands still: you have begun.").waitFor();
  await timed.getByText("told 1 times").waitFor();
  await page.evaluate(() => {
    const heard: string[] = [];
    const status = () => document.querySelector("#timed .askwire-unseen[role=status]")?.textContent ?? "";
    new MutationObserver(() => {
      if (status() !== "" && status() !== heard.at(-1)) heard.push(status());
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
    Object.assign(window, { heard });
  });
  await timed.getByRole("button", { name: "They leave" }).click();
  await words.pressSequentially(" or never");
  await timed.getByText("told 2 times").waitFor();
  await timed.getByText("56 s left").waitFor();
  expect(await page.evaluate("heard")).toEqual(["58 s left, then it is given up"]);
});

test("a card that stays on its page opens again when its answer is refused, in Chinese too, and replies once each time", async () => {
  const mounted = await buildCards(await browser.folder(), undefined, "../test/mounted-card.tsx");
  const { page } = await openCards(browser, mounted, undefined, 0);
  const words = page.getByRole("textbox", { name: "自行填写" });
  await words.fill("a long name");
  await button(page, "发送回答").click();
  await page.getByRole("status").getByText("expected a shorter name").waitFor();
  expect(await words.inputValue()).toBe("a long name");
  await words.fill("shop");
  await button(page, "发送回答").click();
  await expect.poll(() => page.title()).toContain('"own_text":"shop"');
  expect(await words.isDisabled()).toBe(true);
  await button(page, "拒绝…").waitFor();
  await untilPressable(page);
  await button(page, "拒绝…").click();
  await page.getByLabel(/^为什么拒绝/).fill("not now");
  const reject = button(page, "附上原因并拒绝");
  await reject.click();
  await page.getByText("expected words in English").waitFor();
  await reject.click();
  await expect.poll(() => reject.isDisabled()).toBe(true);
  expect(await page.title()).toBe('{"response":"reject","feedback":"not now"}');
  await wantAccessible(page);
});

describe("keys at a question in a browser", () => {
  test("keys outside a question answer nothing, and its card takes no focus", async () => {
    const { page, other } = await open();
    const { ended } = await ask(page, other, { questions: [database] });
    await page.keyboard.type("1 2");
    await page.keyboard.press("Enter");
    expect(await page.getByRole("radio", { checked: true }).count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
    await send(page);
    await button(page, "Decline").click();
    expect(await ended).toMatchObject({ status: "declined" });
  });

  test("digits and arrows inside a card choose, and Ctrl-Enter sends", async () => {
    const { page, other } = await open();
    const { ended } = await ask(page, other, { questions: [database] });
    await untilPressable(page);
    await page.keyboard.press("Tab");
    await page.keyboard.press("2");
    expect(await page.getByLabel("PostgreSQL").isChecked()).toBe(true);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Control+Enter");
    expect((await ended).told).toEqual([{ question_id: "q1", selected: ["q1_o2"] }]);
  });

  test("keys are text in own words, digits among them", async () => {
    const { page, other } = await open();
    const { ended } = await ask(page, other, { questions: [database] });
    await page.getByRole("textbox", { name: "In your own words" }).focus();
    await page.keyboard.type("1 or 2");
    await untilPressable(page);
    await page.keyboard.press("Control+Enter");
    expect((await ended).told).toEqual([{ question_id: "q1", selected: [], own_text: "1 or 2" }]);
  });

  test("keys of an input method answer nothing, and its words arrive in full", async () => {
    const { page, other } = await open();
    const port = {
      question: "Which address?",
      options: [],
      field: { type: "email" as const, required: false },
    };
    const { ended } = await ask(page, other, { questions: [port, database] });
    await page.getByRole("textbox", { name: "Your answer" }).focus();
    const keys = await inputMethod(page);
    await keys.compose("ni");
    await keys.enter();
    expect(await page.getByRole("tab", { selected: true }).textContent()).toContain("Question 1");
    await keys.choose("你@例.cn");
    await page.getByRole("tab", { name: "DB" }).click();
    await page.getByRole("tab", { name: "Question 1" }).click();
    expect(await page.getByRole("textbox", { name: "Your answer" }).inputValue()).toBe("你@例.cn");
    await button(page, "Decline").click();
    await button(page, "Decline").click();
    expect(await ended).toMatchObject({ status: "declined" });
  });
});

/** `LINE_ENDS_FILES` asks for more. */
const FILES = Number(process.env.LINE_ENDS_FILES ?? 6);

describe("an approval in a browser", () => {
  const approval: Approval = {
    ...{ sender: "WriteFile", action: "edit file", description: "Edits a.txt" },
    display: [
      {
        type: "diff",
        path: "a.txt",
        old_text: "one\ntwo\n",
        new_text: "one\n<b>2</b>\n",
        old_start: 7,
        new_start: 7,
      },
      { type: "shell", language: "sh", command: "rm -r build" },
    ],
  };

  test("an approval shows the whole difference with its lines and changed line ends, and a command in full", async () => {
    const { page, complaints, other } = await open();
    const ends = { type: "diff" as const, path: "b.txt", old_text: "x\r\n", new_text: "x\n" };
    const display = [...(approval.display ?? []), { ...ends, old_start: 1, new_start: 1 }];
    const { ended } = await ask(page, other, { ...approval, display });
    const rows = await page.getByRole("row").allInnerTexts();
    expect(rows.map((row) => row.split(/\s+/).filter(Boolean).join(" "))).toEqual([
      "7 7 one",
      "8 - removed: two",
      "8 + added: <b>2</b>",
      "1 1 x",
    ]);
    await page.getByText("Line ends change: CR LF before, LF after.").waitFor();
    await page.getByText("rm -r build").waitFor();
    await wantAccessible(page);
    await button(page, "Approve once").click();
    expect(await ended).toMatchObject({ told: { response: "approve", feedback: "" } });
    expect(complaints).toEqual([]);
  });

  test("an approval is rejected with the reason", async () => {
    const { page, other } = await open();
    const { ended } = await ask(page, other, approval);
    await untilPressable(page);
    await button(page, "Reject…").click();
    await page.getByLabel("Why not?").fill("keep it");
    await untilPressable(page);
    await button(page, "Reject with these words").click();
    expect(await ended).toMatchObject({ told: { response: "reject", feedback: "keep it" } });
  });

  test("the step that rejects has a row for each extent, goes back without a word lost, and sends by Ctrl-Enter alone", async () => {
    const { page, other } = await open();
    const { ended } = await ask(page, other, {
      ...approval,
      options: [
        { id: "never", label: "Never", kind: "reject", scope: { kind: "action", text: "every edit" } },
        { id: "once", label: "Send it", kind: "allow" },
        { id: "no", label: "Do not", kind: "reject" },
      ],
    });
    await untilPressable(page);
    await page.getByText("every edit").waitFor({ state: "detached" });
    await button(page, "Reject…").click();
    const why = page.getByLabel("Why not?");
    await expect.poll(() => why.evaluate((box) => box.matches(":focus"))).toBe(true);
    expect(await page.getByRole("radio", { name: "Do not" }).isChecked()).toBe(true);
    await page.keyboard.type("not now\nnor later");
    await page.keyboard.press("Escape");
    await expect
      .poll(() => button(page, "Reject…").evaluate((element) => element.matches(":focus")))
      .toBe(true);
    await untilPressable(page);
    await button(page, "Reject…").click();
    expect(await why.inputValue()).toBe("not now\nnor later");
    await untilPressable(page);
    await page.getByRole("radio", { name: "Never" }).check();
    await wantAccessible(page);
    await why.press("Enter");
    expect(await page.locator("fieldset.askwire-page:enabled").count()).toBe(1);
    await why.press("Control+Enter");
    expect(await ended).toMatchObject({ told: { option: "never", feedback: "not now\nnor later" } });
  });

  test("a second press where the step that rejects has come decides nothing", async () => {
    const { page, other } = await open();
    const { ended } = await ask(page, other, approval);
    await untilPressable(page);
    await button(page, "Reject…").dblclick();
    await page.getByLabel("Why not?").waitFor();
    expect(await page.locator("fieldset.askwire-page:enabled").count()).toBe(1);
    await untilPressable(page);
    await button(page, "Reject").click();
    expect(await ended).toMatchObject({ told: { response: "reject", feedback: "" } });
  });

  test("a text that is changed first stands in place of the agent's, is counted, and can be undone and seen as a difference", async () => {
    const { page, other } = await open();
    const old_text = "one\ntwo\nthree\n";
    const content = "one\n2\nthree\n";
    const { ended } = await ask(page, other, {
      ...approval,
      display: [{ type: "diff", path: "a.txt", old_text, new_text: content, old_start: 1, new_start: 1 }],
      edit: { content, path: "a.txt" },
    });
    await untilPressable(page);
    await button(page, "Edit first").click();
    const box = page.getByLabel("What is written to a.txt");
    await expect.poll(() => box.evaluate((element) => element.matches(":focus"))).toBe(true);
    expect(await page.getByRole("row").count()).toBe(0);
    expect(await box.evaluate((element) => getComputedStyle(element).fontFamily)).toContain("mono");
    await box.fill("one\n22\nthree\n");
    await page.getByText("1 line differs from the agent's").waitFor();
    await button(page, "Undo my changes").click();
    expect(await box.inputValue()).toBe(content);
    expect(await button(page, "Approve once").count()).toBe(1);
    await button(page, "Have my changes again").click();
    await wantAccessible(page);
    await button(page, "See the difference").click();
    const rows = await page.getByRole("row").allInnerTexts();
    expect(rows.map((row) => row.split(/\s+/).filter(Boolean).join(" "))).toEqual([
      "1 1 one",
      "2 - removed: two",
      "2 + added: 22",
      "3 3 three",
    ]);
    await expect
      .poll(() => button(page, "Edit first").evaluate((element) => element.matches(":focus")))
      .toBe(true);
    await button(page, "Approve my version").click();
    expect(await ended).toMatchObject({ told: { response: "approve", edited: "one\n22\nthree\n" } });
  });

  test("the end of a long text that is changed first has to be in sight before it is approved", async () => {
    const { page, other } = await open();
    const content = Array.from({ length: 200 }, (_, line) => `line ${line}`).join("\n");
    const { ended } = await ask(page, other, { ...approval, display: [], edit: { content } });
    await untilPressable(page);
    await button(page, "Edit first").click();
    const box = page.getByLabel("The text that is approved");
    expect(await box.evaluate((area) => area.scrollHeight <= area.clientHeight)).toBe(true);
    await box.press("Control+Home");
    await page.keyboard.type("a ");
    // A press from the keyboard scrolls nothing.
    await button(page, "Approve my version").evaluate((element: HTMLButtonElement) => element.click());
    await page.getByText("All of it is shown now").waitFor();
    await untilPressable(page);
    await button(page, "Approve my version").click();
    expect(await ended).toMatchObject({ told: { response: "approve", edited: `a ${content}` } });
  });

  test("an approval with custom options and a changeable text is approved as it was changed", async () => {
    const { page, other } = await open();
    const { ended } = await ask(page, other, {
      ...approval,
      options: [
        { id: "once", label: "Send it", kind: "allow" },
        { id: "no", label: "Do not", kind: "reject" },
      ],
      edit: { content: "Dear all" },
    });
    // The card shows the text before the person presses "Edit first".
    await page.locator("pre").getByText("Dear all").waitFor();
    await button(page, "Edit first").click();
    await page.keyboard.press("Control+A");
    await page.keyboard.type("Dear Ada");
    await wantAccessible(page);
    await button(page, "Send it").click();
    expect(await ended).toMatchObject({ told: { response: "approve", option: "once", edited: "Dear Ada" } });
  });

  test("the only way to allow says how far it goes, and a description with more than its command stays", async () => {
    const { page, other } = await open();
    const description = "careful: `ls /`";
    await ask(page, other, {
      ...approval,
      description,
      display: [{ type: "shell", language: "sh", command: "ls /" }],
      options: [
        {
          ...{ id: "all", label: "Go on", kind: "allow" },
          scope: { kind: "session", text: "whatever it asks in this session" },
        },
        { id: "no", label: "Do not", kind: "reject" },
      ],
    });
    await page.getByText("whatever it asks in this session").waitFor();
    await page.getByText(description).waitFor();
  });

  test("an approval stays open with all of a changed text that is too long", async () => {
    const { page, other } = await open();
    const edit = { content: "Dear all", max_length: 20 };
    const { ended } = await ask(page, other, { ...approval, edit });
    await button(page, "Edit first").click();
    const box = page.getByLabel("The text that is approved");
    await box.press("End");
    await page.keyboard.insertText(" and everybody else");
    expect(await box.inputValue()).toBe("Dear all and everybody else");
    await page.getByText("7 characters too long: shorten it first.").waitFor();
    await button(page, "Approve my version").click();
    await box.fill("Dear everybody");
    await button(page, "Approve my version").click();
    expect((await ended).told).toMatchObject({ response: "approve", edited: "Dear everybody" });
  });

  test(`an approval keeps the untouched parts of a changeable text byte for byte, with line ends of any kind, in ${FILES} texts (P-XAO-9)`, {
    timeout: 60_000 + FILES * 2_000,
  }, async () => {
    const { page, other } = await open();
    for (let seed = 1; seed <= FILES; seed += 1) {
      const { text, touches, problemOf } = touchedText(seed);
      const { ended } = await ask(page, other, { ...approval, display: [], edit: { content: text } });
      await button(page, "Edit first").click();
      for (const { from, to, typed } of touches) {
        const box = page.getByLabel("The text that is approved");
        await box.evaluate((area: HTMLTextAreaElement, [from, to]) => area.setSelectionRange(from, to), [
          from,
          to,
        ] as const);
        for (const [line, words] of typed.split("\n").entries()) {
          if (line > 0) await page.keyboard.press("Enter");
          if (words !== "") await page.keyboard.insertText(words);
        }
        if (typed === "" && to > from) await page.keyboard.press("Delete");
      }
      // On a slow machine the card may not know yet that all of it is in sight: it then shows the rest, and a second
      // press counts, as it does for a person.
      const approve = page.locator(".askwire-approval .askwire-allow");
      await approve.click();
      const presses = async () => {
        const isAsked = (await page.getByText("All of it is shown now").count()) > 0;
        if (isAsked) await approve.click({ timeout: 1_000 }).catch(() => {});
        return page.locator("section.askwire-card").count();
      };
      await expect.poll(presses, { timeout: 30_000 }).toBe(0);
      const { told } = (await ended) as { told: { edited?: string } };
      expect(problemOf(told.edited ?? text), `seed ${seed}`).toBeUndefined();
    }
  });

  test("an approval is answered by no key until the focus is on its button", async () => {
    const { page, other } = await open();
    const { ended } = await ask(page, other, approval);
    await untilPressable(page);
    await page.keyboard.type("y1 ");
    await page.keyboard.press("Enter");
    await button(page, "Approve once").focus();
    await page.keyboard.press("Enter");
    expect(await ended).toMatchObject({ told: { response: "approve" } });
  });
});
