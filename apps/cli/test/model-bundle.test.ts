import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));
const files = readdirSync(dist).filter((name) => name.endsWith(".js"));

/** The files that load when this one does. */
function loaded(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const text = readFileSync(`${dist}${file}`, "utf8");
  for (const [, name = ""] of text.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) loaded(name, seen);
  return seen;
}

test("the AI SDK and TOML load only where a model is called and a file is read", () => {
  const heavy = (file: string) => [...loaded(file)].filter((name) => /^chunk-(ai\.|dist-)/.test(name));
  const entries = files.filter((name) =>
    /^askwire|^chunk-(chat|serve|wire|ask|named-agent)[.-](?!completions)/.test(name),
  );
  expect(entries.length).toBeGreaterThanOrEqual(6);
  expect(entries.flatMap(heavy)).toEqual([]);
  const [model = ""] = files.filter((name) => name.startsWith("chunk-chat-completions"));
  expect(heavy(model)).toEqual(["chunk-ai.js"]);
});

test("a server of a scripted or configured model starts from few files", () => {
  const own = (file: string) => [...loaded(file)].map((name) => name.replace(/-[A-Z0-9]{8}\.js$/, ""));
  expect(own("chunk-serve.js")).toEqual(["chunk-serve.js", "chunk-base.js"]);
  expect(own("chunk-wire.js").length).toBeLessThanOrEqual(4);
});

test("nothing that loads at the start imports Node's own modules: an import reads all that they have", () => {
  const started = ["askwire.js", "chunk-serve.js", "chunk-wire.js"].flatMap((file) => [...loaded(file)]);
  const imported = started.flatMap((file) => [
    ...readFileSync(`${dist}${file}`, "utf8").matchAll(/import[^;"]*from"(node:[^"]+)"/g),
  ]);
  expect(new Set(imported.map(([, name]) => name))).toEqual(new Set(["node:module"]));
});
