// Every check that needs no test run, at the same time: style, types, dead code, and the packages as published.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { published } from "./published.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const bin = join(root, "node_modules", ".bin");
/** For each package the hash of the archive that passed last. */
const passed = join(root, "node_modules", ".cache", "askwire-archives");
// Certificates of the machine triple what a start of Node costs, and no check reaches the network.
const env = {
  ...process.env,
  PATH: `${bin}${delimiter}${process.env.PATH}`,
  NO_COLOR: "1",
  NODE_EXTRA_CA_CERTS: "",
};

/** Runs a tool of node_modules/.bin and resolves with its exit code and everything that it printed. */
function run(command, args, cwd = root) {
  return new Promise((resolve) => {
    const shell = process.platform === "win32";
    const child = spawn(command, args, { cwd, env, shell, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    }
    child.on("error", (error) => resolve({ ok: false, output: error.message }));
    child.on("close", (code) => resolve({ ok: code === 0, output }));
  });
}

/** Packs a library as for publishing and looks at the archive with publint and attw, unless the same one has passed. */
async function lintArchive(name) {
  const folder = await mkdtemp(join(tmpdir(), "askwire-pack-"));
  try {
    const args = ["pack", "--pack-destination", folder, "--config.ignore-scripts=true"];
    const packed = await run("pnpm", args, join(root, "packages", name));
    const archive = (await readdir(folder)).find((file) => file.endsWith(".tgz"));
    if (!packed.ok || !archive) return { ...packed, ok: false };
    const hash = createHash("sha256").update(await readFile(join(root, "pnpm-lock.yaml")));
    const seen = hash.update(await readFile(join(folder, archive))).digest("hex");
    const mark = join(passed, name);
    if ((await readFile(mark, "utf8").catch(() => "")) === seen) return { ok: true, output: "" };
    const results = await Promise.all([
      run("publint", ["run", join(folder, archive), "--strict"]),
      run("attw", [join(folder, archive), "--profile", "esm-only", "--no-emoji"]),
    ]);
    const ok = results.every((result) => result.ok);
    if (ok) {
      await mkdir(passed, { recursive: true });
      await writeFile(mark, seen);
    }
    return { ok, output: results.map(({ output }) => output).join("\n") };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

let failures = 0;

async function check(name, nextStep, work) {
  const start = performance.now();
  const { ok, output } = await work;
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  process.stdout.write(`${ok ? "ok    " : "FAILED"} ${name} (${seconds} s)\n`);
  if (ok) return;
  failures += 1;
  process.stdout.write(`${output.trimEnd()}\n→ ${nextStep}\n\n`);
}

const compiled = run("tsc", ["-b", "--pretty", "false"]);
const bundled = compiled.then(() => run("node", ["scripts/bundle.mjs"]));

await Promise.all([
  check("style", "pnpm fix", run("biome", ["check", "--error-on-warnings"])),
  check(
    "effects",
    "give each effect of the lines above braces, and return nothing or an arrow function that ends it",
    run("node", ["scripts/check-effects.mjs"]),
  ),
  check(
    "functions",
    "make it a class with methods of a few lines, or give its parts names: see scripts/functions.mjs",
    run("node", ["scripts/functions.mjs"]),
  ),
  check(
    "test titles",
    "write a sentence with its subject, which says what holds when the test passes",
    run("node", ["scripts/test-titles.mjs"]),
  ),
  check(
    "turns of phrase",
    "say it the plainer way that stands behind each line",
    run("node", ["scripts/tics.mjs"]),
  ),
  check(
    "exported names",
    "give it another name where it means a second thing",
    run("node", ["scripts/name-clashes.mjs"]),
  ),
  check("snippets", "node scripts/sync-snippets.mjs", run("node", ["scripts/sync-snippets.mjs", "--check"])),
  check(
    "names",
    "say what works from a checkout, such as by <!-- install: … -->: nobody owns these names yet",
    run("node", ["scripts/names.mjs", "--check"]),
  ),
  check(
    "dialects page",
    "node scripts/dialects-page.mjs",
    bundled.then(() => run("node", ["scripts/dialects-page.mjs", "--check"])),
  ),
  check(
    "protocol tables",
    "node scripts/protocol-tables.mjs",
    bundled.then(() => run("node", ["scripts/protocol-tables.mjs", "--check"])),
  ),
  check(
    "pages of the components",
    "node scripts/react-pages.mjs",
    run("node", ["scripts/react-pages.mjs", "--check"]),
  ),
  check("types", "fix the lines above, then: pnpm exec tsc -b", compiled),
  check("bundles", "correct scripts/bundle.mjs, then: pnpm build", bundled),
  check(
    "dead code",
    "use or remove what is listed (pnpm exec knip --fix removes it)",
    run("knip", ["--no-progress", "--no-config-hints", "--cache"]),
  ),
  ...published.map((name) =>
    check(
      `package ${name}`,
      `correct packages/${name}/package.json, then: pnpm check`,
      bundled.then(() => lintArchive(name)),
    ),
  ),
]);
process.exitCode = failures === 0 ? 0 : 1;
