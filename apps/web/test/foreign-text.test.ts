import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { connectWebSocket } from "@askwire/client/websocket";
import { type Agent, createServer, defineTool, requireApproval, type Subagent } from "@askwire/server";
import { listenWebSocket } from "@askwire/server/websocket";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { allEmoji } from "../../../scripts/all-emoji.js";
import buildPage from "../build.mjs";
import { ask, openPage } from "./served-page.js";

const browser = testBrowser();
let files: string;
let workDir: string;

const markup = (name: string) => `${name}<script>alert(1)<img src=x>\u202e${name}\u2066`;
/** Foreign text as a person sees it. */
const shown = (name: string) => `${name}<script>alert(1)<img src=x>\\u{202e}${name}\\u{2066}`;
/** Foreign text, and a line that no screen has room for. */
const foreign = (name: string) => `${markup(name)} ${"w".repeat(100_000)}`;

beforeAll(async () => {
  files = await browser.folder();
  await buildPage(files);
  // No name of a file is longer than 255 bytes.
  workDir = join(await browser.folder(), markup("folder"));
  await mkdir(workDir);
});

const scout: Subagent = {
  type: foreign("sub-agent"),
  input: "go",
  agent: { run: async (turn) => turn.say(foreign("said inside")) },
};
const tool = defineTool({
  name: markup("tool"),
  description: "",
  parameters: { type: "object" },
  async run(_args, { subagent }) {
    await subagent(scout);
    await requireApproval({
      action: foreign("action"),
      description: foreign("description"),
      display: [
        { type: "diff", path: foreign("path"), old_text: foreign("old"), new_text: foreign("new") },
        { type: "shell", command: foreign("command line"), language: "bash" },
        { type: "todo", items: [{ title: foreign("to do"), status: "done" }] },
        { type: "brief", text: foreign("brief") },
      ],
      options: [
        { id: "yes", label: foreign("way"), kind: "allow", scope: { kind: "own", text: foreign("scope") } },
      ],
    });
    return foreign("output");
  },
});
const agent: Agent = {
  commands: [{ name: markup("command"), description: foreign("what it does"), run: async () => {} }],
  async run(turn) {
    turn.step();
    turn.emit("Notification", {
      ...{ id: "n", category: "c", type: "t", source_kind: "s", source_id: "i", created_at: 0, payload: {} },
      ...{ title: foreign("notice"), body: foreign("its body"), severity: foreign("severity") },
    });
    turn.emit("PlanDisplay", { content: foreign("plan"), file_path: foreign("plan path") });
    turn.emit("HookResolved", {
      ...{ event: foreign("hook"), target: foreign("target"), action: "block", reason: foreign("reason") },
      duration_ms: 1,
    });
    await turn.callTool(tool, { [markup("argument")]: foreign("value") });
    turn.say("It is over.");
  },
};

/** Signs that foreign text is more than plain text to a person: elements, characters that reorder, a page too wide. */
const harm = (page: Page) =>
  page.evaluate(() => {
    const root = document.querySelector("#page") as Element;
    const hidden = /[\u202a-\u202e\u2066-\u2069]/;
    const attributes = [...root.querySelectorAll("*")].flatMap((element) =>
      [...element.attributes].filter(({ value }) => hidden.test(value)).map(({ name }) => name),
    );
    return {
      elements: root.querySelectorAll("img, script, style, iframe").length,
      reordered: hidden.test(root.textContent ?? "") || hidden.test(document.title),
      attributes,
      isTooWide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
    };
  });
const harmless = { elements: 0, reordered: false, attributes: [], isTooWide: false };

test("markup, characters that reorder text and lines of 100 kB stay text in every place, on a phone too", async () => {
  const server = createServer({ agent, workDir, host: foreign("host") });
  const gateway = await listenWebSocket(server, { page: files, pageServers: [] });
  browser.ends.push(
    () => server.close(),
    () => gateway.close(),
  );
  const session = server.createSession({ stay: true });
  session.title = "TITLE";
  const wire = gateway.address(session);
  const { host, hash } = new URL(wire);
  const { page, complaints } = await browser.newPage({ viewport: { width: 390, height: 760 } });
  // Titles are made safe by our server, but not by each.
  await page.routeWebSocket(/wire/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((text) =>
      socket.send(String(text).replaceAll('"TITLE"', JSON.stringify(foreign("title")))),
    );
  });
  await page.goto(`http://${host}/#token=${hash.slice(1)}&session=${session.id}`);
  await page.getByText("Connected", { exact: true }).waitFor();
  const sees = async (...names: readonly string[]) => {
    const missing = async () => {
      const text = (await page.locator("#page").textContent()) ?? "";
      return names.filter((name) => !text.includes(shown(name)));
    };
    // A fold shows what is in it a moment after the click.
    await expect.poll(missing).toEqual([]);
    expect(await harm(page)).toEqual(harmless);
  };

  await page.getByRole("button", { name: "Sessions", exact: true }).click();
  const list = page.getByRole("dialog");
  await list.getByRole("button", { name: /^More on / }).click();
  await list.getByText("on host").waitFor();
  await sees("title", "host", "folder");
  await list.getByRole("button", { name: "Back" }).click();
  await page.getByRole("textbox", { name: "Message" }).fill("/");
  await page.getByRole("option").waitFor();
  await sees("command", "what it does");

  const other = await connectWebSocket(wire);
  browser.ends.push(() => other.close());
  const option = { label: foreign("label"), description: foreign("told"), preview: foreign("preview") };
  const texts = { header: foreign("header"), body: foreign("body"), other_label: foreign("other") };
  const asked = ask(other, [
    {
      ...texts,
      question: foreign("question"),
      options: [option, { label: "No" }],
      placeholder: foreign("hold"),
    },
    { question: foreign("field"), field: { type: "text" }, options: [], other_label: foreign("of a field") },
  ]);
  const dock = page.locator(".dock");
  await dock.getByRole("radio", { name: "label" }).check();
  await sees("header", "question", "body", "label", "told", "preview", "other");
  await dock.getByRole("button", { name: "Next", exact: true }).click();
  await sees("field", "of a field");
  await dock.getByRole("textbox").fill(markup("answer"));
  await dock.getByRole("button", { name: "Next", exact: true }).click();
  await sees("answer");
  await page.getByRole("button", { name: "Put aside to read" }).click();
  await sees("question");
  await page.getByRole("button", { expanded: false }).click();
  await dock.getByRole("button", { name: "Send 2 answers", exact: true }).click();
  await asked;

  const turn = other.prompt(foreign("prompt"));
  turn.result.catch(() => {});
  await dock.getByText("asks to action").first().waitFor();
  await sees("action", "description", "path", "old", "new", "command line", "to do", "brief", "way", "scope");
  await sees(
    "prompt",
    "notice",
    "its body",
    "severity",
    "plan",
    "plan path",
    "hook",
    "target",
    "reason",
    "tool",
  );
  await page.locator(".askwire-fold > summary").last().click();
  await page.locator(".askwire-fold > summary").first().click();
  await sees("sub-agent", "said inside", "argument", "value");
  await dock.getByRole("button", { name: "way" }).click();
  await dock.getByText("Part of this was out of sight.").waitFor();
  await dock.getByRole("button", { name: "way" }).click();
  await page.getByRole("log").getByText("It is over.").waitFor();
  await sees("output");
  // The led connection passes on what is said in the moment in which the server's side has closed.
  expect(complaints.filter((text) => !text.includes("already in CLOSING or CLOSED state"))).toEqual([]);
});

test("all emoji of Unicode are shown unchanged", async () => {
  const { page, other, complaints } = await openPage(browser, [`text: ${allEmoji.join(" ")}`]);
  await other.prompt("Show them.").result;
  const said = page.getByRole("log").getByText(allEmoji.at(-1) as string);
  await said.waitFor();
  const text = (await said.textContent()) ?? "";
  expect(text.split(" ").filter((emoji, at) => emoji !== allEmoji[at])).toEqual([]);
  expect(complaints).toEqual([]);
});
