import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  agentMethods,
  closeCodes,
  defaultLimits,
  eventIntroduced,
  events,
  outcomeReasons,
  requests,
  wireErrorCodes,
} from "@askwire/protocol";
import { describe, expect, test } from "vitest";
import { sentencesOf } from "../src/sentences.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const page = readFileSync(join(root, "docs/protocol.md"), "utf8");
const sentences = [...page.matchAll(/^- (.*)\*\*(P-[A-Z]+-\d+)\*\* (.*)$/gm)].map(
  ([, anchor = "", id = "", text = ""]) => ({ anchor, id, text }),
);

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

/** The rows of the table below a sentence: its cells, without backticks. */
function tableBelow(id: string): string[][] {
  const [, after = ""] = page.split(`**${id}**`);
  const lines = after.split("\n").slice(1);
  const start = lines.findIndex((line) => line.startsWith("|"));
  const end = lines.findIndex((line, index) => index > start && !line.startsWith("|"));
  return lines.slice(start + 2, end).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll("`", "")),
  );
}

const sentence = (id: string) => sentences.find((candidate) => candidate.id === id)?.text ?? "";

describe("docs/protocol.md", () => {
  test("gives every sentence a weight, a profile and a place, and says whose it is", () => {
    const read = new Set(sentencesOf(page).map(({ id }) => id));
    expect(sentences.filter(({ id }) => !read.has(id))).toEqual([]);
  });

  test("numbers its sentences once each, without a gap", () => {
    const counts = new Map<string, number>();
    const expected = sentences.map(({ id }) => {
      const group = id.replace(/\d+$/, "");
      counts.set(group, (counts.get(group) ?? 0) + 1);
      return `${group}${counts.get(group)}`;
    });
    expect(sentences.map(({ id }) => id)).toEqual(expected);
  });

  test("can be linked to at every sentence; if this fails, run `node scripts/sentence-anchors.mjs`", () => {
    expect(sentences.filter(({ anchor, id }) => anchor !== `<a id="${id}"></a>`)).toEqual([]);
  });

  test("has every sentence that another page links to", () => {
    const pages = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
    const links = ["README.md", ...pages.map((name) => join("docs", name))].flatMap((name) =>
      [...readFileSync(join(root, name), "utf8").matchAll(/protocol\.md#(P-\w+-\d+)/g)].map(([, id]) => id),
    );
    const known = sentences.map(({ id }) => id);
    expect(links.filter((id = "") => !known.includes(id))).toEqual([]);
  });

  test("has every sentence that the code cites", () => {
    const known = new Set(sentences.map(({ id }) => id));
    const missing = [...cited((path) => path.includes("/src/"))].filter((id) => !known.has(id));
    expect(missing).toEqual([]);
  });

  test("has no sentence that neither code nor test cites", () => {
    const used = cited((path) => !path.endsWith("protocol-doc.test.ts"));
    expect(sentences.map(({ id }) => id).filter((id) => !used.has(id))).toEqual([]);
  });

  test("lists the error codes and close codes of the code (P-ERR-1, P-ERR-2)", () => {
    const rows = (id: string) => tableBelow(id).map(([code, name]) => [name, Number(code)]);
    expect(rows("P-ERR-1")).toEqual(Object.entries(wireErrorCodes));
    expect(rows("P-ERR-2")).toEqual(Object.entries(closeCodes));
  });

  test("lists the limits of the code (P-LIM-1)", () => {
    const rows = tableBelow("P-LIM-1").map(([name, value]) => [name, Number(value)]);
    expect(rows).toEqual(Object.entries(defaultLimits));
  });

  test("lists the outcomes of the code (P-OUT-1)", () => {
    const rows = tableBelow("P-OUT-1").map(([status, reasons = ""]) => [
      status,
      reasons === "–" ? [] : reasons.split(", "),
    ]);
    expect(rows).toEqual(Object.entries(outcomeReasons));
  });

  test("names every event, request and method of the code (P-MSG-1 to P-MSG-3)", () => {
    const names = (id: string, after: string) => sentence(id).split(after)[1]?.split(/[.;]/)[0]?.trim();
    expect(names("P-MSG-1", "Types:")).toBe(Object.keys(events).join(", "));
    expect(names("P-MSG-2", "depending on the type:")).toBe(Object.keys(requests).join(", "));
    const methods = [...sentence("P-MSG-3").matchAll(/`([a-z_]+)`/g)].map(([, name]) => name);
    expect(methods).toEqual(Object.keys(agentMethods));
  });

  test("names the events that an older version takes away (P-VER-2)", () => {
    const text = sentence("P-VER-2");
    const [, listed = ""] = text.split("only these events:");
    const [list = ""] = listed.split(". It takes");
    const named = Object.fromEntries(
      list.split(";").flatMap((part) => {
        const [types = "", version = ""] = part.split(" below ");
        return types.split(/, | and /).map((type) => [type.trim(), version.trim()]);
      }),
    );
    expect(named).toEqual(eventIntroduced);
  });
});
