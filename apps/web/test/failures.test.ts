import { connectWebSocket } from "@askwire/client/websocket";
import { type Agent, createServer, defineTool, requireApproval } from "@askwire/server";
import { listenWebSocket } from "@askwire/server/websocket";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import {
  type Damage,
  failComponent,
  failHandler,
  plantedErrors,
  type Rest,
  shownComponents,
  shownHandlers,
} from "../../../examples/test/planted-errors.js";
import { untilPressable } from "../../../examples/test/pressable.js";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { memoryDevices } from "../../../packages/server/test/websocket/memory-devices.js";
import buildPage from "../build.mjs";
import { ask, results } from "./served-page.js";

const browser = testBrowser();
let files: string;
/** The components of the page and its packages. */
const components = new Set<string>();
/** Those in which an error was planted. */
const tried = new Set<string>();

beforeAll(async () => {
  files = await browser.folder();
  await buildPage(files, { plugins: [plantedErrors((name) => components.add(name))] });
});

const tool = defineTool({
  name: "WriteFile",
  description: "",
  parameters: { type: "object" },
  async run(_params, run) {
    run.printed("built\n");
    await requireApproval({
      action: "edit file",
      description: "a.ts",
      display: [
        { type: "diff", path: "a.ts", old_text: "1\n", new_text: "2\n" },
        { type: "shell", command: "ls", language: "bash" },
        { type: "brief", text: "in short" },
      ],
      edit: { content: "2\n", max_length: 1_000 },
    } as Parameters<typeof requireApproval>[0]);
    return "done";
  },
});
/** A call whose row has a sub-agent's work and counts the changed lines. */
const edit = defineTool({
  name: "StrReplaceFile",
  description: "",
  parameters: { type: "object" },
  async run(_params, { subagent }) {
    await subagent({ type: "scout", input: "go", agent: { run: async (inner) => inner.say("Found.") } });
    const display = [{ type: "diff" as const, path: "a.ts", old_text: "1\n", new_text: "2\n" }];
    return { is_error: false as const, output: "done", message: "", display };
  },
});
const plan = defineTool({
  name: "SetTodoList",
  description: "",
  parameters: { type: "object" },
  async run() {
    const display = [{ type: "todo" as const, items: [{ title: "To do", status: "pending" as const }] }];
    return { is_error: false as const, output: "planned", message: "", display };
  },
});
const agent: Agent = {
  async run(turn) {
    turn.step();
    turn.emit("PlanDisplay", { content: "# A plan", file_path: "plan.md" });
    turn.emit("ContentPart", { type: "think", think: "thinking", encrypted: null });
    // Texts enough, since each that fails stays as it was written.
    for (let step = 0; step < 20; step++) {
      turn.step();
      turn.say("A **word**, and\n\n```\ncode\n```\n");
    }
    await turn.callTool(edit, { path: "a.ts" });
    await turn.callTool(plan, {});
    await turn.callTool(tool, { path: "a.ts" });
  },
};

/** Opens the page on a session in which much is open, and much is typed. */
async function open() {
  const server = createServer({ agent });
  const { devices, revoke } = memoryDevices({ CODE: "any" });
  const gateway = await listenWebSocket(server, { page: files, pageServers: [], devices });
  browser.ends.push(
    () => server.close(),
    () => gateway.close(),
  );
  const session = server.createSession({ stay: true });
  const wire = gateway.address(session);
  const { host, hash } = new URL(wire);
  const other = await connectWebSocket(wire);
  browser.ends.push(() => other.close());
  const { page } = await browser.newPage({ viewport: { width: 1_000, height: 900 } });
  page.setDefaultTimeout(10_000);
  await page.addInitScript(() => {
    const forbid = {
      get: () => {
        throw new DOMException("forbidden", "SecurityError");
      },
    };
    Object.defineProperties(window, { localStorage: forbid, sessionStorage: forbid });
  });
  const address = `http://${host}/#token=${hash.slice(1)}&session=${session.id}`;
  return { page, other, address, wire, gateway, revoke, origin: `http://${host}` };
}

const parts = {
  connection: ".line > p",
  settings: "header > button",
  conversation: ".askwire-transcript",
  question: ".askwire-card textarea",
  approval: ".askwire-approval .askwire-main",
  prompt: ".askwire-prompt-box textarea",
};

/** The frame of the page, without which nothing is shown until it is drawn anew. */
const frame = /:(Page|There|OverPage|SessionPage|InboxPage|EntrancePage|EntryPage|PagePart)$/;
/** Shown as it was written instead, without a word about it: also the colours of a code block, and its button to copy. */
const written = /markdown|later\.tsx:Loaded|looks\/(coloured|copied)/;
/** Shows the failures of the others. */
const apart = /failures\/|:WholePage$/;
/** Of push messages, which need a device that was paired. */
const push = ["PushSettings", "Hindered", "PushSwitch", "HomeScreen", "PushChoicesPart"];
/** Of another server, of a device that was paired, of a desk, of a turn that failed, with a deadline, or in no part of this page. */
const elsewhere = [
  // Goes with its first failure, since a row that is drawn anew is closed.
  "Menu",
  ...push,
  // In the sheet that adds a phone, which belongs to the part of the settings.
  ...["PhoneSheet", "CodePart", "Left", "QrCode"],
  // The list of what was decided, which belongs to the part of the inbox.
  ...["DecidedExport", "Said", "DecidedRow", "Whole", "Shown", "Choice", "Decided", "List", "Filter"],
  "FailedRow",
  "InboxColumn",
  "InboxFilter",
  // In the place of a file that did not come.
  "Missing",
  "Elsewhere",
  "HowToAdd",
  "NextWaiting",
  "OpenList",
  "PairedLine",
  "RequestLine",
  "Requests",
  "SafeRequestLine",
  "SaidRow",
  "TimeLeft",
];
/** Handlers that the browser calls by itself, or for nothing but a look. */
const quiet = /on(PointerEnter|Toggle|DragOver|Select)$/;

/** Fails all components and handlers that are shown and were not yet, and finds what is then amiss. */
async function plantAll(page: Page, rest: Rest): Promise<string[]> {
  const wrong: string[] = [];
  const found = (name: string, { isThrown, told, missing, left }: Damage) => {
    const isOne = missing.length < 2 || missing.join() === "question,approval";
    if (!isThrown) wrong.push(`${name} was not made to fail`);
    else if (!told.includes("planted in") && !written.test(name)) wrong.push(`${name} fails in silence`);
    if (!isOne && !frame.test(name.split(" ")[0] ?? "")) wrong.push(`${name} takes away ${missing}`);
    if (left !== "") wrong.push(`${name} leaves behind ${left}`);
  };
  for (const name of await shownComponents(page)) {
    if (apart.test(name)) continue;
    for (const kind of ["drawing", "effect"] as const) {
      const damage = tried.has(`${name} ${kind}`) ? null : await failComponent(page, { name, kind, ...rest });
      if (damage === null) continue;
      tried.add(`${name} ${kind}`);
      found(`${name} ${kind}`, damage);
    }
  }
  for (const name of await shownHandlers(page)) {
    if (tried.has(name) || quiet.test(name) || apart.test(name)) continue;
    tried.add(name);
    found(name, await failHandler(page, { name, ...rest }));
  }
  return wrong;
}

describe("an error planted in a component", () => {
  test("a planted error leaves the rest of the session's page usable, and loses no typed word", async () => {
    const { page, other, address, gateway } = await open();
    await page.goto(address);
    await page.getByText("Connected", { exact: true }).waitFor();
    const option = (label: string) => ({ label, description: `${label}.` });
    const withdrawn = new AbortController();
    const asked = [
      {
        ...{ question: "Which?", header: "One", body: "**Body**" },
        options: [{ ...option("A"), preview: "# P" }, option("B")],
      },
      { question: "And?", header: "Two", options: [option("C"), option("D")] },
    ];
    void ask(other, asked, withdrawn.signal);
    const told = results(other);
    told.catch(() => {});
    const dock = page.locator(".dock");
    await dock.getByText("asks to edit file").first().waitFor();
    await untilPressable(page);
    const question = dock.locator(".askwire-card").first();
    await question.getByLabel("In your own words").last().fill("own words");
    await question.getByText("Add a note").click();
    await question.getByRole("textbox", { name: "Note" }).fill("a note");
    await question.getByRole("button", { name: "Discuss first" }).click();
    await question.getByLabel("What to talk about first").fill("to talk about");
    await page.getByRole("textbox", { name: "Message" }).fill("a prompt");
    const first = ["own words", "a note", "to talk about", "a prompt"];
    const wrong = await plantAll(page, { parts, words: first });
    await dock.getByRole("button", { name: "Edit first" }).click();
    await dock.getByLabel("The text that is approved").fill("changed");
    await untilPressable(page);
    await dock.getByRole("button", { name: "Reject…" }).click();
    await dock.getByLabel("Why not?").fill("because");
    await page.locator(".askwire-fold > summary, .askwire-thought > summary").first().click();
    const words = ["own words", "a note", "to talk about", "changed", "because", "a prompt"];
    const picture = await page.screenshot();
    await question
      .locator("input[type=file]")
      .setInputFiles({ name: "a.png", mimeType: "image/png", buffer: picture });
    await question.getByRole("img").waitFor();
    wrong.push(...(await plantAll(page, { parts, words })));
    await question.getByRole("tab", { name: "Two" }).click();
    const { question: _, ...rest } = parts;
    wrong.push(...(await plantAll(page, { parts: rest, words: words.slice(2) })));
    await question.getByRole("tab").last().click();
    wrong.push(...(await plantAll(page, { parts: rest, words: words.slice(2) })));
    await question.getByRole("button", { name: "Back", exact: true }).click();
    await question.getByRole("button", { name: "Decline" }).click();
    wrong.push(...(await plantAll(page, { parts: rest, words: words.slice(3) })));
    // A card that is drawn anew shows the kept words again.
    await question.getByRole("button", { name: "Back", exact: true }).click();
    await question.getByRole("button", { name: "Decline" }).click();
    wrong.push(...(await plantAll(page, { parts: rest, words: words.slice(3) })));
    withdrawn.abort();
    await question.getByRole("button", { name: "Close" }).waitFor();
    wrong.push(...(await plantAll(page, { parts: rest, words: words.slice(3) })));
    expect(wrong).toEqual([]);
    await untilPressable(page);
    await dock.getByRole("button", { name: "Reject with these words" }).click();
    expect((await told).join()).toContain("because");
    const { prompt, connection } = parts;
    // Until the turn is over rows come, and one that failed opens itself.
    await page.locator(".askwire-end, .askwire-failed-turn").waitFor();
    // A row that is drawn anew is folded again: each round reaches what the one before closed.
    for (let round = 0; round < 5; round++) {
      const folds = await page.locator(".askwire-transcript details:not([open]) > summary").all();
      // From the last on, since one that opens is no longer among those that the others are counted by.
      for (const fold of folds.reverse()) await fold.click();
      wrong.push(...(await plantAll(page, { parts: { prompt, connection }, words: words.slice(5) })));
    }
    await gateway.close();
    await page.getByRole("button", { name: "Try now" }).waitFor();
    const message = page.getByRole("textbox", { name: "Message" });
    await message.press("Enter");
    await page.locator(".askwire-not-yet").waitFor();
    await message.fill("a prompt");
    wrong.push(...(await plantAll(page, { parts: { prompt, connection }, words: words.slice(5) })));
    expect(wrong).toEqual([]);
  });

  test("a planted error leaves the rest of the inbox usable", async () => {
    const { page, other, address, wire } = await open();
    // The page is in no session: without somebody there who can show it, the question would end unattended.
    const person = await connectWebSocket(wire, { handlers: { question: () => new Promise(() => {}) } });
    browser.ends.push(() => person.close());
    void ask(other, [{ question: "Which?", header: "One", options: [{ label: "A" }, { label: "B" }] }]);
    await page.goto(address.replace(/&session=.*/, ""));
    await page.getByRole("region", { name: "Waiting for you" }).getByText("Which?").waitFor();
    const parts = {
      connection: ".line > p",
      settings: "header > button",
      begin: ".inbox > main > .buttons > button",
      row: ".askwire-waiting",
    };
    expect(await plantAll(page, { parts, words: [] })).toEqual([]);
    await page.setViewportSize({ width: 1_300, height: 900 });
    const side = page.getByRole("complementary");
    const more = side.getByRole("button", { name: /^More on/, expanded: false }).first();
    // The side column has the button that begins a session.
    const { begin: _, ...wide } = parts;
    expect(await plantAll(page, { parts: wide, words: [] })).toEqual([]);
    // A row that is drawn anew has closed its menu.
    await more.click();
    expect(await plantAll(page, { parts: wide, words: [] })).toEqual([]);
  });

  test("a planted error leaves a page whose device was revoked usable, with the words that were not sent", async () => {
    const { page, origin, revoke, address } = await open();
    const [, session] = /session=(.+)/.exec(address) ?? [];
    const paired = page.waitForResponse(`${origin}/pair`);
    await page.goto(`${origin}/#code=CODE&session=${session}`);
    const { token } = (await (await paired).json()) as { token: string };
    await page.getByText("Connected", { exact: true }).waitFor();
    await page.getByRole("textbox", { name: "Message" }).fill("not sent");
    revoke(token);
    await page.getByRole("heading", { name: "This device was revoked." }).waitFor();
    const parts = { heading: "h1", words: ".over textarea", enter: ".over > button" };
    expect(await plantAll(page, { parts, words: ["not sent"] })).toEqual([]);
  });

  test("a planted error leaves the entrance usable, with what was typed there", async () => {
    const { page, origin } = await open();
    await page.goto(origin);
    await page.getByRole("textbox").fill("a part of a token");
    const parts = { heading: "h1", entry: "#entry" };
    expect(await plantAll(page, { parts, words: ["a part of a token"] })).toEqual([]);
  });

  test("an error was planted in every component except those of other places", () => {
    const left = [...components].filter(
      (name) => !apart.test(name) && !["drawing", "effect"].every((kind) => tried.has(`${name} ${kind}`)),
    );
    // A row of words under way may be gone before its turn: it is shown for as long as the agent has not read them.
    expect(left.map((name) => name.replace(/.*:/, "")).filter((name) => !elsewhere.includes(name))).toEqual(
      [],
    );
  });
});
