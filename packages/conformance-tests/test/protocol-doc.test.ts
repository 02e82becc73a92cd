import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as protocol from "@askwire/protocol";
import { describe, expect, test } from "vitest";
import { sentencesOf } from "../src/contract/sentences.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const page = readFileSync(join(root, "docs/protocol.md"), "utf8");
const sentences = [...page.matchAll(/^- (.*)\*\*(P-[A-Z]+-\d+)\*\* /gm)].map(([, anchor = "", id = ""]) => ({
  anchor,
  id,
}));

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (["node_modules", "dist"].includes(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? sources(path) : /\.(ts|mjs)$/.test(entry.name) ? [path] : [];
  });
}

/** Ids that a text cites; `P-ENV-1 to P-ENV-3` cites all between. */
function citedIn(text: string): string[] {
  return [...text.matchAll(/P-([A-Z]+)-(\d+)(?:\s+(?:\*\s+)?to\s+(?:\*\s+)?P-\1-(\d+))?/g)].flatMap(
    ([, group, first, last]) => {
      const count = last === undefined ? 1 : Number(last) - Number(first) + 1;
      return Array.from({ length: count }, (_, index) => `P-${group}-${Number(first) + index}`);
    },
  );
}

const files = ["packages", "apps", "examples"].flatMap((folder) => sources(join(root, folder)));
const cited = (where: (path: string) => boolean) =>
  new Set(files.filter(where).flatMap((path) => citedIn(readFileSync(path, "utf8"))));

describe("docs/protocol.md", () => {
  test("docs/protocol.md gives every sentence a weight, a profile and a place, and says whose it is", () => {
    const read = new Set(sentencesOf(page).map(({ id }) => id));
    expect(sentences.filter(({ id }) => !read.has(id))).toEqual([]);
  });

  test("docs/protocol.md numbers its sentences once each, without a gap", () => {
    const counts = new Map<string, number>();
    const expected = sentences.map(({ id }) => {
      const group = id.replace(/\d+$/, "");
      counts.set(group, (counts.get(group) ?? 0) + 1);
      return `${group}${counts.get(group)}`;
    });
    expect(sentences.map(({ id }) => id)).toEqual(expected);
  });

  test("docs/protocol.md can be linked to at every sentence; if this fails, run `node scripts/sentence-anchors.mjs`", () => {
    expect(sentences.filter(({ anchor, id }) => anchor !== `<a id="${id}"></a>`)).toEqual([]);
  });

  test("docs/protocol.md has every sentence that another page links to", () => {
    const pages = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
    const links = ["README.md", ...pages.map((name) => join("docs", name))].flatMap((name) =>
      [...readFileSync(join(root, name), "utf8").matchAll(/protocol\.md#(P-\w+-\d+)/g)].map(([, id]) => id),
    );
    const known = sentences.map(({ id }) => id);
    expect(links.filter((id = "") => !known.includes(id))).toEqual([]);
  });

  test("docs/protocol.md has every sentence that the code cites", () => {
    const known = new Set(sentences.map(({ id }) => id));
    const missing = [...cited((path) => path.includes("/src/"))].filter((id) => !known.has(id));
    expect(missing).toEqual([]);
  });

  test("docs/protocol.md has no sentence that neither code nor test cites", () => {
    const used = cited((path) => !path.endsWith("protocol-doc.test.ts"));
    expect(sentences.map(({ id }) => id).filter((id) => !used.has(id))).toEqual([]);
  });

  test("docs/protocol.md has the tables of the code; if this fails, build and run `node scripts/protocol-tables.mjs` (P-ERR-1, P-ERR-2, P-LIM-1, P-MSG-1 to P-MSG-3, P-OUT-1, P-VER-2, P-WHO-2, P-XAN-4)", async () => {
    const { protocolPage } = await import(pathToFileURL(join(root, "scripts/protocol-tables.mjs")).href);
    expect(protocolPage(page, protocol)).toBe(page);
  });

  test("docs/protocol.md has numbered sentences of at most 40 words: a longer one becomes several, or a list of items below it", () => {
    const said = [...page.matchAll(/\*\*(P-[A-Z]+-\d+)\*\* \([^)]*\) (.*(?:\n {2,}.*)*)/g)];
    expect(said).toHaveLength(sentences.length);
    const tooLong = said.flatMap(([, id, text = ""]) =>
      text
        .split("\n")
        .map((line) => line.replace(/^ *- /, "").split(/\s+/).length)
        .filter((words) => words > 40)
        .map((words) => `docs/protocol.md: ${id} has ${words} words in one item`),
    );
    expect(tooLong).toEqual([]);
  });
});
