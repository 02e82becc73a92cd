// The stage of the scenes of the page: the built command with a scripted model, its page in a browser, and clients
// beside it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer as createListener } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { cart, textsIn } from "./page-scenes/lines.mjs";

/** @typedef {import("./page-scenes/scene.mjs").Page} Page */
/** @typedef {import("./page-scenes/scene.mjs").Scene} Scene */
/** @typedef {Awaited<ReturnType<typeof openScene>>["stage"]} Stage */

const root = fileURLToPath(new URL("..", import.meta.url));
const { resolve } = createRequire(join(root, "apps/cli/package.json"));
const load = (/** @type {string} */ name) => import(pathToFileURL(resolve(name)).href);
const { connectWebSocket } = await load("@askwire/client/websocket");
const all = await load("@askwire/client/words");
const { inboxWords } = await load("@askwire/client/words/inbox");
const { entryWords, pairingWords, pushWords } = await load("@askwire/client/push-words");

/** A token that every start of a server takes again. */
const TOKEN = "the-token-of-all-scenes-of-the-page";

/**
 * Starts `askwire serve` in a folder named shop, and resolves with the address of its page once it is printed.
 *
 * @param {string} folder
 * @param {readonly string[]} options
 */
async function startServer(folder, port = "0", options = []) {
  const args = ["serve", "--listen", `127.0.0.1:${port}`, "--script", "../script.json"];
  const child = spawn(
    process.execPath,
    [join(root, "apps/cli/bin/askwire.js"), ...args, "--token-file", "../token", ...options],
    {
      cwd: join(folder, "shop"),
      env: { ...process.env, ASKWIRE_HOME: join(folder, "home"), ASKWIRE_LOG: "error" },
    },
  );
  const ended = new Promise((resolve) => child.once("close", resolve));
  const isPublic = options.includes("--public-url");
  const { wire, address } = await new Promise((resolve, reject) => {
    let printed = "";
    child.stdout.setEncoding("utf8").on("data", (piece) => {
      printed += piece;
      const found = /^(ws:\S+)$[\s\S]*^ +(http:\S+)$/m.exec(printed);
      // A public address leads nowhere from here.
      const here = isPublic ? /^Listening at (\S+)$/m.exec(printed)?.[1] : "";
      if (found === null || here === undefined) return;
      const [wire, address] = found
        .slice(1)
        .map((one) => (isPublic ? one.replace(/\/\/[^/]+/, `//${here}`) : one));
      resolve({ wire, address });
    });
    child.once("close", () => reject(new Error(`serve ended: ${printed}`)));
  });
  const kill = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  return { child, kill, wire: String(wire), address: String(address) };
}

/** Makes the files that a server reads. */
async function furnish(/** @type {string} */ folder, /** @type {readonly string[]} */ script) {
  await mkdir(join(folder, "shop/src"), { recursive: true });
  await writeFile(join(folder, "shop/src/cart.ts"), cart);
  await writeFile(join(folder, "script.json"), JSON.stringify(script));
  await writeFile(join(folder, "token"), TOKEN, { mode: 0o600 });
}

/** Starts a server that lets in the page of another one, which is to start at `port`. */
async function startOther(/** @type {string} */ folder, /** @type {readonly string[]} */ script) {
  const listener = createListener().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (listener.address());
  await new Promise((resolve) => listener.close(resolve));
  await furnish(folder, script);
  const { address, kill } = await startServer(folder, "0", ["--allow-origin", `http://127.0.0.1:${port}`]);
  return { ...{ address, kill, port: String(port) }, origin: new URL(address).origin };
}

/**
 * Makes a state of the page.
 *
 * @param {Scene} scene
 * @param {{ page: Page, language: "en" | "zh", isPhone: boolean }} look of a page that is empty.
 */
export async function openScene(scene, { page, language, isPhone }) {
  const folder = await mkdtemp(join(tmpdir(), "askwire-scene-"));
  const { script = () => [], inInbox = false } = scene;
  const texts = textsIn[language];
  await furnish(folder, script(texts));
  const there = scene.otherScript && (await startOther(join(folder, "there"), scene.otherScript(texts)));
  const pageServer = there === undefined ? [] : ["--page-server", there.origin];
  const options = [...(scene.options ?? []), ...pageServer];
  let served = await startServer(folder, there?.port ?? "0", options);
  const { origin, port, hash } = new URL(served.address);
  const { wire } = served;
  /** @type {{ close(): Promise<void> }[]} */
  const clients = [];
  const end = async () => {
    await Promise.all(clients.map((client) => client.close().catch(() => {})));
    await Promise.all([served.kill(), there?.kill()]);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const connect = async (/** @type {string} */ address, options = {}) => {
      const client = await connectWebSocket(address, options);
      clients.push(client);
      return client;
    };
    const other = await connect(wire);
    await page.goto(inInbox ? `${origin}/#token=${TOKEN}` : `${origin}/${hash}`);
    await page.locator("[data-askwire-link=up]").waitFor({ state: "attached" });
    if (scene.direction !== undefined)
      await page.evaluate((direction) => {
        document.documentElement.dir = direction;
      }, scene.direction);
    const stage = {
      ...{ page, language, isPhone, texts, other, origin },
      /** The address of the page of the other server. */
      there: there?.address ?? "",
      words: {
        card: all.cardWords[language],
        page: all.pageWords[language],
        connection: all.connectionWords[language],
        inbox: inboxWords[language],
        push: pushWords[language],
        pairing: pairingWords[language],
        entry: entryWords[language],
      },
      button: (/** @type {string} */ name) => page.getByRole("button", { name, exact: true }).first(),
      /** Waits until the card takes presses. */
      pressable: () => page.locator(".askwire-page[aria-disabled]").waitFor({ state: "detached" }),
      /** Sends words in the page. */
      async prompt(text = texts.prompt) {
        const box = page.locator(".askwire-prompt-box");
        await box.locator("textarea").fill(text);
        await box.locator(".askwire-send").click();
      },
      ask: asker(other, page),
      /** A client of another, new session, beside one of this session that answers. */
      async another(/** @type {string} */ name) {
        const { id } = await other.createSession();
        const client = await connect(wire.replace(/\/wire\/[^#]+/, `/wire/${id}`), { client: { name } });
        return { other: client, ask: asker(client) };
      },
      /** A client of this session by a name, that answers what it is asked with an option once it is told to. */
      async person(/** @type {string} */ name) {
        /** @type {(at: number) => void} */
        let answer = () => {};
        const chosen = new Promise((resolve) => {
          answer = resolve;
        });
        const question = async (/** @type {any} */ { questions }) => {
          const at = await chosen;
          const [{ question: text, options }] = questions;
          return { answers: { [text]: options[at].label } };
        };
        await connect(wire, { client: { name }, handlers: { question } });
        return { answer };
      },
      /** Holds the server still: its connections stay, and nothing comes. */
      pause: () => served.child.kill("SIGSTOP"),
      kill: () => served.kill(),
      /** Starts the server again where it was. */
      async again() {
        served = await startServer(folder, port, options);
      },
      /** Leads the page elsewhere, as a browser does that was never here. */
      async leave(/** @type {string} */ address) {
        await page.evaluate(() => sessionStorage.clear());
        await page.goto("about:blank");
        await page.goto(address);
      },
    };
    await scene.act(stage);
    return { stage, end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Asks as a program, and resolves with a way to take that back, once the page shows it. @param {any} client */
const asker =
  (client, /** @type {Page | undefined} */ page = undefined) =>
  async (/** @type {readonly object[]} */ questions, rest = {}) => {
    const until = new AbortController();
    const asked = client.ask({ questions, signal: until.signal, ...rest });
    asked.catch(() => {});
    if (page !== undefined && (await page.locator(".inbox").count()) === 0) {
      await page.locator(".askwire-card").waitFor();
      await page.locator(".askwire-page[aria-disabled]").waitFor({ state: "detached" });
    }
    return () => until.abort();
  };
