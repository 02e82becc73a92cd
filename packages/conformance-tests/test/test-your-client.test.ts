import { execFile, spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mavenIsUnreachable } from "../../../examples/test/editors/maven-build.js";
import { clientSuite } from "../src/client/client-suite.js";
import { isWhole, python } from "./python-mutants.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const page = await readFile(join(root, "docs/test-your-client.md"), "utf8");

interface Line {
  readonly text: string;
  readonly exitCode: number;
}

/** The text below a heading, up to the next one. */
function section(heading: string): string {
  const [, text] = page.split(`\n${heading}\n`);
  if (text === undefined) throw new Error(`docs/test-your-client.md has no ${heading}`);
  return text.split(/^##/m)[0] ?? "";
}

/** The command lines in a text, with the exit code that is noted behind each; 0 where there is none. */
function linesOf(text: string): Line[] {
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, body = ""]) => body.trim());
  return blocks.flatMap((block) =>
    block
      .split("\n")
      .filter((line) => !/^(#|$)/.test(line))
      .map((line) => {
        const [words = "", code = "0"] = line.split(/ {2}# exit code /);
        return { text: words, exitCode: Number(code) };
      }),
  );
}

/** The environment of a person's shell. The registry may be reached by the machine's own certificates. */
const { XDG_CACHE_HOME: _cache, npm_command: _npx, PATH: path, ...rest } = process.env;
/** Python itself comes before scripts that look for it. */
const env = { ...rest, PATH: [dirname(python), path].join(delimiter) };
const certificates = { NODE_EXTRA_CA_CERTS: rest.CERTIFICATES_TO_INSTALL_WITH };

/** Runs a line as a shell does, and wants its exit code. Returns what it printed. */
function run({ text, exitCode }: Line, cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd, env: { ...env, ...(text.startsWith("npm ") && certificates) }, maxBuffer: 1e9 };
    execFile("sh", ["-c", text], options, (error, stdout, stderr) => {
      if ((error?.code ?? 0) === exitCode) resolve(stdout);
      else reject(new Error(`${text}: ended with ${error?.code}, not ${exitCode}\n${stdout}\n${stderr}`));
    });
  });
}

const [, pack, install] = linesOf(section("## 1. Install the suite"));
const yaml = /^ {2}run: (.*)$/m.exec(section("## 8. Run it in CI"))?.[1] ?? "";
const [red = ""] = section("## 4. Read a red line").match(/(?<=^```\n)FAIL[\s\S]*?(?=^```$)/m) ?? [];

/** For what never ends: each client is run more than fifty times, which a busy machine takes minutes for. */
const TIMEOUT_MS = 600_000;

let work = "";
beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), "askwire-ten-minutes-"));
  // The archives hold the bundles as built: other tests run programs from there.
  const line = `${pack?.text.replace("/tmp/askwire", work)} --config.ignore-scripts=true`;
  await run({ text: line, exitCode: 0 }, root);
  const archives = (await readdir(work))
    .filter((name) => name.endsWith(".tgz"))
    .map((name) => join(work, name));
  expect(archives).toHaveLength(2);
  await mkdir(join(work, "installed"));
  const text = install?.text.replace("/tmp/askwire/*.tgz", archives.join(" "));
  await run({ text: `${text} --no-audit --no-fund --prefer-offline`, exitCode: 0 }, join(work, "installed"));
}, TIMEOUT_MS);

test("the suite installs from its archive with the protocol and nothing else of ours", async () => {
  const ours = await readdir(join(work, "installed/node_modules/@askwire"));
  expect(ours.sort()).toEqual(["conformance-tests", "protocol"]);
});

afterAll(() => rm(work, { recursive: true, force: true }));

/** Follows a line in a folder. The compiler of this repository stands for the newest of the registry. */
async function follow(line: Line, folder: string): Promise<string> {
  if (!line.text.startsWith("npm install")) return run(line, folder);
  for (const name of ["typescript", "@types", ".bin/tsc"])
    await symlink(join(root, "node_modules", name), join(folder, "node_modules", name));
  return "";
}

/** Skips where Maven cannot be reached for Kotlin's compiler. */
function skipUnreachable(error: Error, skip: (note: string) => void): void {
  if (!error.message.startsWith("mvn ") || !mavenIsUnreachable(error.message)) throw error;
  skip("the repository of Maven does not answer");
}

const has = (program: string, argument = "--version") => spawnSync(program, [argument]).status === 0;

/** The command of each client, and whether the tools that make it are here. */
const languages: Readonly<Record<string, readonly [program: string, isThere: boolean]>> = {
  Python: ["python3 client.py", has("python3")],
  TypeScript: ["node client.mjs", true],
  Go: ["./client", has("go", "version")],
  Rust: ["target/debug/client", has("cargo")],
  Lua: ["nvim --clean --headless -S client.lua", has("nvim")],
  Java: ["java Client", has("javac")],
  Kotlin: ["java -cp 'target/classes:target/dependency/*' ClientKt", has("mvn") && has("javac")],
};

const [claim, ...claimMore] = linesOf(section("## 5. Claim what the client has"));
const acts = linesOf(section("## 7. Let the person act"));

/** The checks of the levels that a template claims. */
const claimed = clientSuite.checks.filter(
  ({ profile, level }) => profile === "wire-1.10" && ["core", "questions", "approvals"].includes(level),
);
/** Checks of a person's acts, which the template in TypeScript alone reads. */
const needActs = ["C31", "C49", "C52", "C53"];

/**
 * A line that runs a part of its checks, unless `ASKWIRE_MUTANTS=all` asks for all: of one level a few, and of all
 * levels the share of a language. The templates are one program, in words of its own in each language.
 */
function inPart(line: Line, nth: number): Line {
  if (isWhole || !/ --claims? (questions|claims)/.test(line.text)) return line;
  const share = claimed.map(({ id }) => id).filter((id, n) => n % 8 === nth || needActs.includes(id));
  const ids = line.text.includes("--claim questions") ? ["C24", "C28", "C30"] : share;
  return { ...line, text: line.text.replace(/ -- (?!.* -- )/, ` --only ${ids} -- `) };
}

describe.skipIf(process.platform === "win32")("the page Test your client in ten minutes", () => {
  test.concurrent.for(Object.entries(languages))(
    "the page leads from an empty folder to a client in %s that is green at all levels of its template",
    { timeout: TIMEOUT_MS },
    async ([language, [program, isThere]], { skip, expect }) => {
      const nth = Object.keys(languages).indexOf(language);
      if (!isThere) skip(`the tools of ${language} are not installed`);
      const folder = join(work, language);
      await cp(join(work, "installed"), folder, { recursive: true, verbatimSymlinks: true });
      const claims = language === "TypeScript" ? acts : [claim];
      for (const line of [...linesOf(section(`### ${language}`)), ...claims].flatMap((line) => line ?? []))
        await follow(
          inPart({ ...line, text: line.text.replace("python3 client.py", program) }, nth),
          folder,
        ).catch((error: Error) => skipUnreachable(error, skip));
      if (language !== "Python") return;
      // The other commands are written for Python, and are the same for any client.
      const printed: string[] = [];
      for (const line of linesOf(section("## 4. Read a red line"))) printed.push(await follow(line, folder));
      expect(red).toMatch(/^FAIL C28 /);
      expect(printed.join("")).toContain(red);
      const faults = linesOf(section("## 6. Look for faults of timing"));
      for (const line of [...claimMore, ...faults]) await follow(inPart(line, nth), folder);
      await follow({ text: yaml.replace(" -- ", " --only C24 -- "), exitCode: 0 }, folder);
      expect(await readFile(join(folder, "conformance.xml"), "utf8")).toContain('name="C24');
    },
  );
});
