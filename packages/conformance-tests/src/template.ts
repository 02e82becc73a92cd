import { access, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { WrongUse } from "./wrong-use.js";

interface Template {
  /** Commands that make a program of the files. */
  readonly build: readonly string[];
  /** The program, as words behind `--`. */
  readonly run: string;
}

/** A client to start from, in each of these languages. */
export const templates: Readonly<Record<string, Template>> = {
  python: { build: [], run: "python3 client.py" },
  go: { build: ["go build -o client ."], run: "./client" },
  rust: { build: ["cargo build"], run: "target/debug/client" },
  typescript: {
    build: ["npm install --save-dev typescript @types/node", "npx tsc"],
    run: "node client.mjs",
  },
  lua: { build: [], run: "nvim --clean --headless -S client.lua" },
  java: { build: ["javac *.java"], run: "java Client" },
  kotlin: {
    build: ["mvn -q compile dependency:copy-dependencies"],
    run: "java -cp 'target/classes:target/dependency/*' ClientKt",
  },
};

/** The words of a command line behind `template`. */
export interface TemplateWish {
  readonly language: string | undefined;
  /** Default: the current folder. */
  readonly folder?: string | undefined;
}

/** Files with a folder for each language: the folder of those, or their contents by path, such as `lua/client.lua`. */
export type TemplateSource = URL | ReadonlyMap<string, Uint8Array>;

/**
 * Writes the files of a template.
 *
 * @param name the command as it was typed, for the next steps.
 * @param source as {@link TemplateSource}.
 * @returns what was written and the next commands, for a person.
 * @throws WrongUse where the language has no template, or a file is already there.
 */
export async function writeTemplate(
  name: string,
  { language = "", folder = "." }: TemplateWish,
  source: TemplateSource,
): Promise<string> {
  const template = Object.hasOwn(templates, language) ? templates[language] : undefined;
  if (template === undefined)
    throw new WrongUse(`template ${language}: expected one of ${Object.keys(templates).join(", ")}`);
  const contents = await contentsOf(source, language);
  const files = [...contents.keys()];
  for (const file of files)
    if (await exists(join(folder, file)))
      throw new WrongUse(`template ${language}: ${join(folder, file)} is already there; name another folder`);
  for (const [file, content] of contents) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), content);
  }
  const enter = relative(".", folder) === "" ? [] : [`cd ${folder}`];
  const check = `${name} client --claims claims.txt -- ${template.run}`;
  const next = [...enter, ...template.build, check].map((line) => `  ${line}\n`);
  return `Wrote ${files.join(", ")}. Next:\n\n${next.join("")}`;
}

/** The files of one language by their path. */
async function contentsOf(
  source: TemplateSource,
  language: string,
): Promise<ReadonlyMap<string, Uint8Array>> {
  if (source instanceof URL) {
    const from = join(fileURLToPath(source), language);
    const paths = await filesIn(from);
    return new Map(
      await Promise.all(paths.map(async (path) => [path, await readFile(join(from, path))] as const)),
    );
  }
  const start = `${language}/`;
  const own = [...source].filter(([path]) => path.startsWith(start));
  return new Map(own.map(([path, content]) => [path.slice(start.length), content]));
}

/** The paths of all files, from this folder. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const nested = entries.map(async (entry) =>
    entry.isDirectory()
      ? (await filesIn(join(folder, entry.name))).map((file) => join(entry.name, file))
      : [entry.name],
  );
  return (await Promise.all(nested)).flat();
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
