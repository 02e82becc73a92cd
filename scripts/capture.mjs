// Runs the command in a terminal, scene by scene, and keeps its screen: docs/captures/NAME.txt and NAME.svg. With
// --check nothing is written, and any difference from the texts fails. Names choose scenes.
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { scenes } from "./capture-scenes.mjs";
import { svgOf, textOf } from "./terminal-picture.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const captures = join(root, "docs", "captures");
// The terminal and its screen are tools of the command's own tests.
const requireFromCommand = createRequire(join(root, "apps/cli/package.json"));
const { spawn } = requireFromCommand("@lydell/node-pty");
const { Terminal } = requireFromCommand("@xterm/headless");

/** The time limit of a scene's wait, in milliseconds. */
const PATIENCE_MS = 10_000;

/** Plays a scene and resolves with its screen at the end. @param {import("./capture-scenes.mjs").Scene} scene */
async function play({ args, columns = 90, rows = 30, files = {}, steps, until }) {
  const folder = await mkdtemp(join(tmpdir(), "askwire-capture-"));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const home = await mkdtemp(join(tmpdir(), "askwire-capture-home-"));
  const terminal = new Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 1_000 });
  const env = { ...process.env, ASKWIRE_HOME: home, ASKWIRE_LOG: "error", LC_ALL: "C.UTF-8" };
  delete env.NO_COLOR;
  const child = spawn(process.execPath, [join(root, "apps/cli/bin/askwire.js"), ...args], {
    name: "xterm-256color",
    cols: columns,
    rows,
    cwd: folder,
    env: { ...env, TERM: "xterm-256color" },
  });
  terminal.onData((answer) => child.write(answer));
  const waiting = [...steps, [until, ""]];
  try {
    await new Promise((resolve, reject) => {
      const give = (problem) => reject(new Error(`${problem}; the screen:\n${textOf(terminal)}`));
      const late = () => give(`no ${waiting[0]?.[0]} after ${PATIENCE_MS} ms`);
      let timer = setTimeout(late, PATIENCE_MS);
      const look = () => {
        const [pattern, keys] = waiting[0] ?? [];
        if (pattern === undefined || !pattern.test(textOf(terminal))) return;
        clearTimeout(timer);
        waiting.shift();
        if (waiting.length === 0) return resolve();
        timer = setTimeout(late, PATIENCE_MS);
        if (keys === "") look();
        else child.write(keys);
      };
      child.onData((data) => terminal.write(data, look));
      child.onExit(() =>
        terminal.write("", () => {
          look();
          if (waiting.length > 0) give(`the command ended before ${waiting[0][0]}`);
          clearTimeout(timer);
        }),
      );
    });
  } finally {
    child.kill("SIGKILL");
    for (const gone of [folder, home]) await rm(gone, { recursive: true, force: true });
  }
  return terminal;
}

const names = process.argv.slice(2).filter((word) => !word.startsWith("-"));
const unknown = names.find((name) => !Object.hasOwn(scenes, name));
if (unknown !== undefined)
  throw new Error(`no scene is called ${unknown}: ${Object.keys(scenes).join(", ")}`);
await mkdir(captures, { recursive: true });
for (const [name, scene] of Object.entries(scenes)) {
  if (names.length > 0 && !names.includes(name)) continue;
  const terminal = await play(scene);
  const text = textOf(terminal);
  const file = join(captures, `${name}.txt`);
  if (!process.argv.includes("--check")) {
    await writeFile(file, text);
    await writeFile(join(captures, `${name}.svg`), svgOf(terminal, scene.title));
  } else if ((await readFile(file, "utf8")) !== text) {
    process.stderr.write(
      `docs/captures/${name}.txt is not what the command shows: node scripts/capture.mjs\n${text}`,
    );
    process.exitCode = 1;
  }
}
process.exit();
