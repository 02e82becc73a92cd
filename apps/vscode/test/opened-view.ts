import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import type { TestBrowser } from "../../../examples/test/test-browser.js";
import buildExtension from "../build.mjs";
import { readMessage, type ToHost, toHost } from "../src/messages.js";
import { viewPolicy } from "../src/surfaces/view-policy.js";
import type { ToView } from "../src/view-state.js";

/** A message with the fields that the tests read. */
type Told = {
  readonly type: string;
  readonly chat?: string;
  readonly drafts?: string;
  readonly call?: number;
};

const policy = viewPolicy("'unsafe-inline'", "n");

/** The built view, for the tests of a file: it opens with a stub of the editor, which keeps the state as the editor does. */
export function openViews(browser: TestBrowser) {
  let folder: string;
  let files: { script: string; style: string };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "askwire-view-"));
    await buildExtension(folder);
    const read = (name: string) => readFile(join(folder, "webview", name), "utf8");
    files = { script: await read("main.js"), style: await read("view.css") };
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /**
   * Opens the view.
   *
   * @param kept the state that the editor has kept of an earlier view.
   * @param options.before called with the page before it is loaded.
   * @param options.hear called with each message to the host.
   */
  return async function open(
    kept: unknown = null,
    {
      size = { width: 320, height: 700 },
      isTouch = false,
      before = async (_page: Page): Promise<void> => {},
      hear = (_message: ToHost): void => {},
    } = {},
  ) {
    const { page, complaints } = await browser.newPage({ viewport: size, hasTouch: isTouch });
    const messages: ToHost[] = [];
    let state = kept;
    await page.exposeFunction("heard", (message: unknown) => {
      const read = readMessage(toHost, message);
      if (read === undefined) throw new Error(`the host would refuse ${JSON.stringify(message)}`);
      messages.push(read);
      hear(read);
    });
    await page.exposeFunction("keep", (next: unknown) => {
      state = next;
    });
    const stub = () => `globalThis.told = []; globalThis.acquireVsCodeApi = () => ({
      postMessage: (message) => { told.push(message); heard(message); }, setState: (state) => keep(state), getState: () => (${JSON.stringify(state).replaceAll("</", "<\\/")}),
    });`;
    await page.route("http://view.test/", (route) =>
      route.fulfill({
        contentType: "text/html; charset=utf-8",
        body: `<!DOCTYPE html><html lang="en"><head><title>Askwire</title>
          <meta http-equiv="Content-Security-Policy" content="${policy}"><style>${files.style}</style></head>
          <body><div id="view"></div><script nonce="n">${stub()}</script>
          <script nonce="n">${files.script.replaceAll("</script", "<\\/script")}</script></body></html>`,
      }),
    );
    await before(page);
    await page.goto("http://view.test/");
    await expect.poll(() => [...complaints, ...messages.map(({ type }) => type)]).toContain("ready");
    /** The messages until now, as the view gave them to the editor. */
    const told = (): Promise<Told[]> => page.evaluate("told");
    return { page, complaints, messages, told, kept: () => state };
  };
}

/** Tells the view what the host would. */
export const tell = (page: Page, message: ToView) =>
  page.evaluate((data) => window.postMessage(data, "*"), message as never);

/** The parts of the state of a session with these cards. */
export const parts = (cards: readonly unknown[], drafts = "") => ({
  ...{
    language: "en",
    chat: "c",
    line: { is: "connected" },
    held: "",
    chats: [],
    commands: [],
    attachments: [],
  },
  ...{ talk: { isRunning: true, isComing: false, isCut: false, planMode: false }, abilities: {}, drafts },
  cards,
});

/** A message with that state. */
export const state = (cards: readonly unknown[], seq = 0, drafts = "") =>
  ({
    type: "state",
    seq,
    parts: parts(cards, drafts),
    entries: { from: 0, to: -1, changed: [] },
  }) as unknown as ToView;
