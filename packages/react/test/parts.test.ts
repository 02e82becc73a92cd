import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const source = new URL("../src/", import.meta.url);
const theme = new URL("../theme/", import.meta.url);

const filesOf = (folder: URL, ending: RegExp): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => ending.test(name));
const textOf = (folder: URL, ending: RegExp) =>
  filesOf(folder, ending)
    .map((name) => readFileSync(new URL(name, folder), "utf8"))
    .join("\n");

const code = textOf(source, /\.tsx?$/);
const css = textOf(theme, /\.css$/);
const page = readFileSync(new URL("../../../docs/react-parts.md", import.meta.url), "utf8");

const sorted = (names: Iterable<string>) => [...new Set(names)].sort();
const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = ""]) => name);

/** Classes that are made of a word of the data. */
const made: Readonly<Record<string, readonly string[]>> = {
  "${align[index]}": ["askwire-left", "askwire-center", "askwire-right"],
  "${kind}": ["word", "text", "num", "name", "note"].map((kind) => `askwire-syn-${kind}`),
};

/** The classes that the components give to elements, by the texts of their sources. */
const classes = sorted([
  ...found(code, /(?<![\w/@-]|--|#)(askwire(?:-[a-z]+)*)(?![\w/-])/g),
  ...found(code, /askwire-(?:syn-)?(\$\{[^}]+\})/g).flatMap((word) => made[word] ?? [`askwire-${word}`]),
]);
const attributes = sorted(found(code, /(?<=[\s"'[{(])(data-[a-z-]+)(?=[=":\]]|"\s*:)/g));

/** The rows of the page's tables, by what stands in their first cell. */
const named = found(page, /^\| (`.+?`(?:, `.+?`)*) \|/gm).flatMap((cell) => found(cell, /`([^`]+)`/g));

describe("the parts that docs/react-parts.md lists", () => {
  test("the page names each class that a component renders, and no other", () => {
    const rows = named.filter((name) => name.startsWith("askwire"));
    expect(sorted(rows)).toEqual(sorted([...classes, "askwire-tokens"]));
  });

  test("the page names each attribute that a component renders, and no other", () => {
    expect(sorted(named.filter((name) => name.startsWith("data-")))).toEqual(attributes);
  });

  test("docs/react.md has the props of each component", () => {
    const faces = textOf(source, /^(index|approval|cards|inbox|markdown.index)\.ts$/);
    const props = sorted(found(faces, /\b(\w+Props)\b/g));
    const manual = readFileSync(new URL("../../../docs/react.md", import.meta.url), "utf8");
    expect(sorted(found(manual, /<!-- props: (\w+) -->/g))).toEqual(props);
  });

  test("each token changes something in the theme, or is said to be for what is the page's own", () => {
    const used = new Set(found(css, /var\((--askwire-[\w-]+)\)/g));
    const rows = [...page.matchAll(/^\| `(--askwire-[\w-]+)` .*\| (.+?) \|$/gm)];
    const idle = rows.filter(
      ([, name = "", says = ""]) => !used.has(name) && !/of your (own|page)/.test(says),
    );
    expect(rows.length).toBeGreaterThan(40);
    expect(idle.map(([, name]) => name)).toEqual([]);
  });

  test("the theme styles nothing that no component renders", () => {
    const styled = sorted(found(css, /\.(askwire(?:-[a-z]+)*)/g));
    expect(styled.filter((name) => name !== "askwire-tokens" && !classes.includes(name))).toEqual([]);
  });
});
