/** @import { Measure } from "../contract.js" */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { connectWebSocket } from "@askwire/client/websocket";
import buildPage from "../../apps/web/build.mjs";
import { launchChromium } from "../../examples/test/chromium.mjs";

/** Events of the long conversation: pieces of text and thoughts in turns. */
const EVENTS = 10_000;
/** Keys that are typed, one after the other. */
const KEYS = 100;
/** The longest wait for a page, in milliseconds: a busy machine is slow. */
const LONGEST_MS = 300_000;
/** @typedef {Awaited<ReturnType<typeof launchChromium>>} Browser */

const command = fileURLToPath(new URL("../../apps/cli/bin/askwire.js", import.meta.url));

/**
 * Serves a model that says so many pieces, for as long as the work takes.
 *
 * @template T
 * @param {number} events
 * @param {(address: string, other: Awaited<ReturnType<typeof connectWebSocket>>) => Promise<T>} work
 * @returns {Promise<T>}
 */
async function withServer(events, work) {
  const folder = mkdtempSync(join(tmpdir(), "askwire-bench-page-"));
  const piece = (/** @type {unknown} */ _, /** @type {number} */ at) =>
    `${at % 2 ? "think" : "text"}: piece ${at}`;
  writeFileSync(
    join(folder, "script.json"),
    JSON.stringify([Array.from({ length: events + 1 }, piece).join("\n")]),
  );
  const args = [command, "serve", "--listen", "127.0.0.1:0", "--script", "script.json"];
  const child = spawn(process.execPath, args, { cwd: folder, env: { ...process.env, ASKWIRE_HOME: folder } });
  try {
    const [wire, address] = await /** @type {Promise<[string, string]>} */ (
      new Promise((resolve, reject) => {
        let printed = "";
        child.stdout.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
          printed += text;
          const [, wire, address] = /^(ws:\S+)$[\s\S]*^ +(http:\S+)$/m.exec(printed) ?? [];
          if (wire !== undefined && address !== undefined) resolve([wire, address]);
        });
        child.once("close", () => reject(new Error(`serve ended: ${printed}`)));
      })
    );
    const other = await connectWebSocket(wire);
    try {
      return await work(address, other);
    } finally {
      await other.close();
    }
  } finally {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Milliseconds from the navigation until a card is painted. @param {Browser} browser */
const loadToQuestion = (browser) =>
  withServer(0, async (address, other) => {
    const asked = other.ask({
      questions: [{ question: "Which?", options: [{ label: "One" }, { label: "Two" }] }],
    });
    asked.catch(() => {});
    const page = await browser.newPage();
    await page.addInitScript(() => {
      new MutationObserver((_records, observer) => {
        if (document.querySelector("[data-askwire-request] input") === null) return;
        observer.disconnect();
        requestAnimationFrame(() =>
          setTimeout(() => {
            document.documentElement.dataset.shown = String(performance.now());
          }),
        );
      }).observe(document, { childList: true, subtree: true });
    });
    await page.goto(address);
    const shown = await page.waitForFunction(() => document.documentElement.dataset.shown);
    const ms = Number(await shown.jsonValue());
    await page.close();
    return ms;
  });

/**
 * Milliseconds from a key in the prompt until it is painted, of 95 of 100 keys, and the memory of the page's scripts after
 * that, in megabytes of 1,000,000 bytes.
 *
 * @param {Browser} browser
 * @param {number} events
 */
const inConversation = (browser, events) =>
  withServer(events, async (address, other) => {
    await other.prompt("go").result;
    const page = await browser.newPage();
    page.setDefaultTimeout(LONGEST_MS);
    await page.goto(address);
    await page
      .getByRole("log")
      .getByText(`piece ${events - (events % 2)}`, { exact: true })
      .last()
      .waitFor();
    const box = page.getByRole("textbox", { name: "Message" });
    await box.focus();
    await page.evaluate(() => {
      /** @type {number[]} */
      const times = [];
      Object.assign(globalThis, { times });
      document.addEventListener(
        "keydown",
        () => {
          const since = performance.now();
          // A task behind the frame begins once the frame is painted.
          requestAnimationFrame(() => setTimeout(() => times.push(performance.now() - since)));
        },
        true,
      );
    });
    for (let key = 1; key <= KEYS; key += 1) {
      await page.keyboard.press("a");
      await page.waitForFunction((count) => Reflect.get(globalThis, "times").length === count, key);
    }
    /** @type {number[]} */
    const times = await page.evaluate(() => Reflect.get(globalThis, "times"));
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("HeapProfiler.collectGarbage");
    const { usedSize } = await devtools.send("Runtime.getHeapUsage");
    await page.close();
    const key = times.sort((a, b) => a - b)[Math.floor(KEYS * 0.95)] ?? 0;
    return { key, memory: usedSize / 1_000_000 };
  });

async function firstSize() {
  const folder = mkdtempSync(join(tmpdir(), "askwire-bench-built-"));
  const first = await buildPage(folder);
  const bytes = first.map((name) => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length);
  rmSync(folder, { recursive: true });
  return bytes.reduce((sum, size) => sum + size, 0) / 1_000;
}

/** @type {Measure<Browser>} */
export const page = {
  name: "page",
  title: "The page in a browser",
  note: `From the navigation until the first question is painted, with the server on the same machine and nothing cached; from a key in the prompt until it is painted, the 95th of ${KEYS} keys, in an empty conversation and after ${EVENTS} events; the memory of its scripts in both, once what is unused is collected, MB of 1,000,000 bytes; scripts and styles of the first question, gzip, kB of 1,000 bytes. Not pinned.`,
  columns: () => [
    { key: "load", label: "first question, ms" },
    { key: "empty", label: "a key, empty, ms" },
    { key: "long", label: "a key, long, ms" },
    { key: "ratio", label: "long to empty" },
    { key: "memory_empty", label: "memory, empty, MB" },
    { key: "memory_long", label: "memory, long, MB" },
    { key: "gzip", label: "first, gzip kB" },
  ],
  reps: ({ quick }) => (quick ? 1 : 5),
  open: () => launchChromium(),
  async sample(_peer, _settings, browser) {
    const load = await loadToQuestion(browser);
    const empty = await inConversation(browser, 0);
    const long = await inConversation(browser, EVENTS);
    return {
      ...{ load, empty: empty.key, long: long.key, ratio: long.key / empty.key },
      ...{ memory_empty: empty.memory, memory_long: long.memory, gzip: await firstSize() },
    };
  },
  close: (browser) => void browser.close(),
};
