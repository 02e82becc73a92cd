// The names of the packages on the registry. Until they are claimed, whoever claims one runs code where a page says to
// install it: no page and no help text does, each says what works from a checkout.
//   node scripts/names.mjs --check
import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The one switch: true once the names are ours. Then run `node scripts/sync-snippets.mjs`. */
export const areClaimed = false;

/** The version that pages name: a later one that breaks is asked for. */
const RANGE = "0.1";

/** The packages of ours that one needs, itself last. @param {string} name @returns {string[]} */
function neededBy(name) {
  const file = join(root, "packages", name.replace("@askwire/", ""), "package.json");
  const { dependencies = {}, peerDependencies = {} } = JSON.parse(readFileSync(file, "utf8"));
  const ours = Object.keys({ ...dependencies, ...peerDependencies }).filter(isOurs);
  return [...ours.flatMap(neededBy), name];
}

const isOurs = (/** @type {string} */ name) => name.startsWith("@askwire/");

/**
 * The commands that install packages, ours among them.
 *
 * @param {string} words what follows `npm install`.
 * @param {boolean} [claimed]
 * @returns {string} lines for a shell.
 */
export function installation(words, claimed = areClaimed) {
  const names = words.split(" ").filter((word) => word !== "");
  const given = names.map((name) => (isOurs(name) ? `${name}@${RANGE}` : name));
  if (claimed) return `npm install ${given.join(" ")}\n`;
  const needed = [...new Set(names.filter(isOurs).flatMap(neededBy))];
  const filters = needed.map((name) => `--filter ${name}`).join(" ");
  const options = names.filter((name) => name.startsWith("-"));
  const others = names.filter((name) => !isOurs(name) && !options.includes(name));
  return `# In a checkout of this repository:
npm run setup && npm run build
node_modules/.bin/pnpm ${filters} pack --pack-destination /tmp/askwire

# In your own folder:
${["npm install", ...options, "/tmp/askwire/*.tgz", ...others].join(" ")}
`;
}

/** A command that has a registry give a package of ours by its name. `npx --no --` takes what is installed, or nothing. */
export const fetching =
  /\b(?:npx(?! --no -- )|npm (?:exec|install|i|add|create|init)|pnpm (?:add|dlx|create)|yarn (?:add|dlx)|bunx|bun add)\b[^\n`|;&]*?(?<=[\s"'])(?:@askwire\/|(?:create-)?askwire\b(?![\w./]))/;

/** Packages of others, what is built, tests, and the pages that a package is given when it is packed. */
const isOfOthers = /(^|\/)(node_modules|dist|test)\/|^[\w-]+\/docs\//;

/** The files that people read, and those with the texts that our programs print. */
async function texts() {
  const found = ["README.md", "CONTRIBUTING.md"];
  for (const folder of ["docs", "packages", "apps", "examples"])
    for (const name of await readdir(join(root, folder), { recursive: true }))
      if (/\.(md|[cm]?js|tsx?|json|ya?ml|html|sh)$/.test(name) && !isOfOthers.test(name))
        found.push(`${folder}/${name.replaceAll("\\", "/")}`);
  return found;
}

if (process.argv[1] === fileURLToPath(import.meta.url) && process.argv.includes("--check") && !areClaimed) {
  for (const name of await texts()) {
    for (const [index, line] of (await readFile(join(root, name), "utf8")).split("\n").entries()) {
      if (!fetching.test(line)) continue;
      process.stderr.write(`${name}:${index + 1}: ${line.trim().slice(0, 120)}\n`);
      process.exitCode = 1;
    }
  }
}
