import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { answerLimits } from "@askwire/protocol";
import { expect, test } from "vitest";
import { root, sources } from "./imports.js";

const page = readFileSync(join(root, "docs/limits.md"), "utf8");

test("docs/limits.md has the limits of an answer in the code", () => {
  const rows = [...page.matchAll(/^\| [^|]+ \| ([\d,]+) \| [^|]+ \| `(\w+)` \|/gm)];
  const told = Object.fromEntries(rows.map(([, most = "", name = ""]) => [name, numberOf(most)]));
  expect(told).toEqual(answerLimits);
});

/** A number as the page writes it, in plain units. */
function numberOf(written: string): number {
  const [number = "", unit = ""] = written.split(" ");
  return Number(number.replaceAll(",", "")) * (unit.startsWith("Mi") ? 1_048_576 : 1);
}

/** The bounds of what waits or is kept, as the page has them. */
const bounds = [...page.matchAll(/^\| [^|]+ \| ([\d,–]+) \| ([\d,]+ [^|]+) \| `([^`|]+)` ([^|]+) \|/gm)].map(
  ([, most = "", together = "", file = "", names = ""]) => ({
    ...{ most, together, file },
    names: [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name as string),
  }),
);

/** The numbers of a constant in a file: of both bounds, or of one. */
function constantIn(text: string, name: string): number[] {
  const written = new RegExp(`^const ${name} = (\\{[^}]+\\}|[\\d_ *]+);`, "m").exec(text)?.[1] ?? "";
  return [...written.matchAll(/[\d_]+(?: \* [\d_]+)*/g)].map(([product]) =>
    product
      .replaceAll("_", "")
      .split(" * ")
      .reduce((all, factor) => all * Number(factor), 1),
  );
}

test.each(bounds)("docs/limits.md has the bound of $file in the code", ({ most, together, file, names }) => {
  const text = readFileSync(join(root, file), "utf8");
  const told = [...(most === "–" ? [] : [numberOf(most)]), numberOf(together)];
  expect(names.flatMap((name) => constantIn(text, name))).toEqual(told);
});

const folders = ["packages", "apps"].flatMap((group) =>
  readdirSync(join(root, group)).map((name) => `${group}/${name}/src`),
);

test("whatever holds things by number and size is in docs/limits.md", () => {
  const rooms = folders
    .flatMap(sources)
    .filter((file) => /new Room\(/.test(readFileSync(join(root, file), "utf8")));
  const listed = bounds.map(({ file }) => file);
  expect(rooms.length).toBeGreaterThan(10);
  expect(rooms.filter((file) => !listed.includes(file))).toEqual([]);
});
