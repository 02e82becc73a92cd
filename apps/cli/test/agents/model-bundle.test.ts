import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { askwire, colourScript, folderWith } from "../askwire.js";

const dist = fileURLToPath(new URL("../../dist/", import.meta.url));
const files = readdirSync(dist).filter((name) => name.endsWith(".cjs"));

/** A file that loads at once, or `later`, by what esbuild makes of `import()`. */
const required = /(?<later>then\(\(\)=>[\w$]+\()?require\("\.\/(?<name>[^"]+)"\)/g;

/** The files that load when this one does. */
function loaded(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const text = readFileSync(`${dist}${file}`, "utf8");
  for (const { groups } of text.matchAll(required)) {
    if (groups?.later === undefined) loaded(groups?.name ?? "", seen);
  }
  return seen;
}

test("the AI SDK and TOML are loaded only where a model is called or a file is read", () => {
  const heavy = (file: string) => [...loaded(file)].filter((name) => /^chunk-(ai\.|dist-)/.test(name));
  const entries = files.filter((name) =>
    /^askwire|^chunk-(chat|serve|wire|ask|named-agent)[.-](?!completions)/.test(name),
  );
  expect(entries.length).toBeGreaterThanOrEqual(6);
  expect(entries.flatMap(heavy)).toEqual([]);
  const [model = ""] = files.filter((name) => name.startsWith("chunk-chat-completions"));
  expect(heavy(model)).toEqual(["chunk-ai.cjs"]);
});

test("a server of a scripted or configured model starts from few files", () => {
  const own = (file: string) => [...loaded(file)].map((name) => name.replace(/-[A-Z0-9]{8}\.cjs$/, ""));
  expect(own("chunk-serve.cjs")).toEqual(["chunk-serve.cjs", "chunk-base.cjs"]);
  // Three more than before other vendors' agents: modules that their start shares with this one. One more for the mark of
  // a cut output, which tools write and a terminal reads.
  expect(own("chunk-wire.cjs").length).toBeLessThanOrEqual(8);
});

test("nothing is loaded as an ECMAScript module, which takes longer and is not kept compiled", () => {
  const modules = files.filter((file) =>
    /\bimport\(|^(?:import|export)[ {"*]/m.test(readFileSync(`${dist}${file}`, "utf8")),
  );
  expect(modules).toEqual([]);
});

test("a start creates no text segmenter, of which the first takes 7 ms", async () => {
  const folder = await folderWith({ "without.cjs": "delete Intl.Segmenter;", "colour.json": colourScript });
  const env = { NODE_OPTIONS: `--require ${join(folder, "without.cjs")}`, ASKWIRE_HOME: folder };
  for (const command of [["serve", "--stdio"], ["chat"]]) {
    const { status, stderr } = await askwire([...command, "--script", join(folder, "colour.json")], { env });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  }
});
