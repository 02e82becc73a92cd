import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const css = readFileSync(new URL("../theme/tokens.css", import.meta.url), "utf8");
const tokens = new Map(
  [...css.matchAll(/--askwire-([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(
    ([, name = "", light = "", dark = ""]) => [name, { light, dark }] as const,
  ),
);

/** The relative luminance of a colour (WCAG 2). */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** The grounds on which each colour of a text stands. */
const texts: Readonly<Record<string, readonly string[]>> = {
  ink: [
    "ground",
    "paper",
    "raised",
    "sunken",
    "tint",
    "bubble",
    "warn-tint",
    "wrong-tint",
    "added",
    "removed",
  ],
  quiet: ["ground", "paper", "raised", "sunken", "tint", "bubble", "warn-tint", "wrong-tint"],
  faint: ["ground", "paper", "raised", "sunken", "added", "removed"],
  accent: ["ground", "paper", "raised", "tint"],
  "on-accent": ["accent", "accent-strong"],
  good: ["ground", "paper", "raised", "sunken"],
  warn: ["ground", "paper", "raised", "warn-tint"],
  wrong: ["ground", "paper", "raised", "wrong-tint"],
  "added-ink": ["added"],
  "removed-ink": ["removed"],
  ...Object.fromEntries(
    ["word", "text", "num", "name", "note"].map((kind) => [`syn-${kind}`, ["sunken", "added", "removed"]]),
  ),
};

const pairs = (of: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(of).flatMap(([front, grounds]) => grounds.map((ground) => [front, ground] as const));

/** The pairs whose contrast is below a bound, in either theme. */
const faint = (of: ReturnType<typeof pairs>, least: number) =>
  of.flatMap(([front, ground]) =>
    (["light", "dark"] as const).flatMap((theme) => {
      const found = contrast(tokens.get(front)?.[theme] ?? "", tokens.get(ground)?.[theme] ?? "");
      return found >= least ? [] : [`${front} on ${ground}, ${theme}: ${found.toFixed(2)}`];
    }),
  );

describe("the colours of the theme", () => {
  test("text has a contrast of 4.5 and more on each of its grounds, in light and dark", () => {
    expect(faint(pairs(texts), 4.5)).toEqual([]);
  });

  test("the edges of controls have a contrast of 3 and more on each of their grounds, in light and dark", () => {
    const edges = {
      edge: ["ground", "paper", "raised", "sunken", "wrong-tint"],
      accent: ["paper", "raised", "tint"],
    };
    expect(faint(pairs(edges), 3)).toEqual([]);
  });

  test("the nine names that hosts set since the first theme are still there", () => {
    const names = ["ink", "quiet", "paper", "edge", "accent", "on-accent", "added", "removed", "wrong"];
    expect(names.filter((name) => !tokens.has(name))).toEqual([]);
  });
});

test.each(["prompt", "lists", "inbox"])("all spaces of %s.css follow the tokens that a host sets", (name) => {
  const text = readFileSync(new URL(`../theme/${name}.css`, import.meta.url), "utf8");
  const fixed = [
    ...text.matchAll(/^ *(?:padding|margin|gap|row-gap|column-gap)[a-z-]*: .*[\d.](?:rem|px).*;$/gm),
  ];
  const lines = fixed.map(([line]) => line.trim());
  expect(lines.filter((line) => !line.includes("var(--askwire-space-"))).toEqual([]);
});
