// Makes the pictures of the page anew, docs/captures/web-NAME.png, from the built command in a browser. Names choose
// scenes.
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { launchChromium } from "../examples/test/chromium.mjs";
import { addFonts } from "./capture-fonts.mjs";
import { scenes } from "./capture-web-scenes.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const { resolve } = createRequire(join(root, "apps/cli/package.json"));
const { connectWebSocket } = await import(pathToFileURL(resolve("@askwire/client/websocket")).href);

/**
 * Serves a script, and resolves with the address of the page, that of the wire, and a function that ends all.
 *
 * @param {readonly string[]} script
 * @param {readonly string[]} options
 */
async function serve(script, port = 0, options = []) {
  const folder = await mkdtemp(join(tmpdir(), "shop-"));
  await writeFile(join(folder, "script.json"), JSON.stringify(script));
  const args = ["serve", "--listen", `127.0.0.1:${port}`, "--script", "script.json", ...options];
  const env = { ...process.env, ASKWIRE_HOME: folder, ASKWIRE_LOG: "error" };
  const child = spawn(process.execPath, [join(root, "apps/cli/bin/askwire.js"), ...args], {
    cwd: folder,
    env,
  });
  const addresses = await new Promise((resolve, reject) => {
    let printed = "";
    child.stdout.setEncoding("utf8").on("data", (piece) => {
      printed += piece;
      const found = /^(ws:\S+)$[\s\S]*^ +(http:\S+)$/m.exec(printed);
      if (found !== null) resolve({ wire: found[1], address: found[2] });
    });
    child.once("close", () => reject(new Error(`serve ended: ${printed}`)));
  });
  const end = async () => {
    child.kill("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  };
  return { ...addresses, end };
}

/** The server of a scene, and the other server that its page may reach: both at ports that each knows of the other. */
async function serveScene(/** @type {import("./capture-web-scenes.mjs").Scene} */ { script, otherScript }) {
  if (otherScript === undefined) return await serve(script);
  const other = await serve(otherScript, 8081, ["--allow-origin", "http://127.0.0.1:8080"]);
  try {
    const { end, ...served } = await serve(script, 8080, ["--page-server", "http://127.0.0.1:8081"]);
    return {
      ...served,
      other: other.address,
      end: async () => void (await Promise.all([end(), other.end()])),
    };
  } catch (error) {
    await other.end();
    throw error;
  }
}

const wanted = process.argv.slice(2);
const browser = await launchChromium();
try {
  for (const scene of scenes) {
    const {
      name,
      script: _,
      otherScript: _other,
      questions,
      width = 1_100,
      height = 800,
      act,
      ...context
    } = scene;
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const { address, wire, end, other: otherAddress = "" } = await serveScene(scene);
    try {
      const other = await connectWebSocket(wire);
      if (questions !== undefined) other.ask({ questions }).catch(() => {});
      const page = await browser.newPage({
        viewport: { width, height },
        reducedMotion: "reduce",
        ...context,
      });
      page.setDefaultTimeout(10_000);
      await addFonts(page, { chinese: context.locale === "zh-CN" });
      await page.goto(address);
      await act(page, otherAddress);
      await page.screenshot({ path: join(root, "docs/captures", `web-${name}.png`) });
      await page.close();
      await other.close();
    } finally {
      await end();
    }
    process.stdout.write(`docs/captures/web-${name}.png\n`);
  }
} finally {
  await browser.close();
}
