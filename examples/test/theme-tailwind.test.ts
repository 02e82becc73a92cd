import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { compile } from "tailwindcss";
import { beforeAll, describe, expect, test } from "vitest";
import { testBrowser } from "./test-browser.js";

const browser = testBrowser();
const { resolve } = createRequire(import.meta.url);
const run = promisify(execFile);
const read = (path: string) => readFile(path, "utf8");
const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Every component as a server renders it. */
let markup: string;
/** The style sheets, by name. */
let sheets: Record<"theme" | "Tailwind 3" | "Tailwind 4" | "* { border: 0 }", string>;

/** The theme in one text, as a bundler makes it of its imports. */
async function bundledTheme(): Promise<string> {
  const theme = await read(resolve("@askwire/react/theme.css"));
  const parts = [...theme.matchAll(/@import "(.+?)";/g)].map(([, path = ""]) =>
    read(file(`../../packages/react/${path}`)),
  );
  return (await Promise.all(parts)).join("\n");
}

/** The utilities that the page of the test has beside its components. */
const utilities = ["p-4", "rounded-lg", "border"];

async function byTailwind3(): Promise<string> {
  const folder = await browser.folder();
  await writeFile(join(folder, "page.html"), `<main class="${utilities.join(" ")}"></main>`);
  const command = fileURLToPath(import.meta.resolve("tailwind-3/lib/cli.js"));
  const args = [command, "--content", "page.html", "--output", "page.css"];
  await run(process.execPath, args, { cwd: folder });
  return await read(join(folder, "page.css"));
}

async function byTailwind4(): Promise<string> {
  const loadStylesheet = async (id: string, base: string) => {
    const path = resolve(id === "tailwindcss" ? "tailwindcss/index.css" : id);
    return { path, base, content: await read(path) };
  };
  const { build } = await compile('@import "tailwindcss";', { base: file("."), loadStylesheet });
  return build(utilities);
}

beforeAll(async () => {
  const { stdout } = await run(process.execPath, [file("markup.mjs")]);
  markup = stdout.replaceAll(/^\w+ /gm, "");
  sheets = {
    theme: await bundledTheme(),
    "Tailwind 3": await byTailwind3(),
    "Tailwind 4": await byTailwind4(),
    "* { border: 0 }": "*, ::before, ::after { border: 0 }",
  };
}, 120_000);

/** The looks of each element of each component, in a line. */
async function looks(page: Page, css: readonly string[]): Promise<string[]> {
  // The margin of the page around the components is not theirs.
  const styles = ["body { margin: 0 !important }", ...css].map((sheet) => `<style>${sheet}</style>`).join("");
  await page.setContent(`<!doctype html><html lang="en"><head>${styles}</head><body>${markup}</body></html>`);
  return page.evaluate(() => {
    const sides = ["block-start", "block-end", "inline-start", "inline-end"];
    const properties = [
      ...sides.flatMap((side) => [`padding-${side}`, `margin-${side}`]),
      ...["border-top-left-radius", "color", "background-color", "display", "cursor", "opacity"],
      ...["font-size", "font-weight", "font-family", "line-height", "text-align", "text-decoration-line"],
      ...["list-style-type", "vertical-align", "resize", "text-indent"],
    ];
    // Text for screen readers alone has no looks, and a radio button has no text.
    const seen = [...document.querySelectorAll(".askwire, .askwire *")].filter(
      (one) => one.closest(".askwire-unseen") === null,
    );
    return seen.map((element) => {
      const style = getComputedStyle(element);
      const isText = !element.matches("input:is([type=radio], [type=checkbox])");
      const value = (name: string) => style.getPropertyValue(name);
      // An edge without a width is not seen, whatever its style and colour.
      const borders = sides.map((side) => {
        const [width, kind, color] = ["width", "style", "color"].map((one) => value(`border-${side}-${one}`));
        return `border-${side}: ${width === "0px" || kind === "none" ? "none" : `${width} ${kind} ${color}`}`;
      });
      const own = isText ? properties : properties.filter((name) => !/^(font|line|color)/.test(name));
      const values = [...borders, ...own.map((name) => `${name}: ${value(name)}`)];
      const of = `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""} in ${element.parentElement?.className}`;
      return `${of} { ${values.join("; ")} }`;
    });
  });
}

/** The properties of elements that differ, each once. */
function differences(plain: readonly string[], other: readonly string[]): string[] {
  const found = plain.flatMap((line, at) => {
    const [of = "", values = ""] = line.split(" { ");
    const before = values.split("; ");
    const after = other[at]?.split(" { ")[1]?.split("; ") ?? [];
    return before.flatMap((value, index) =>
      value === after[index] ? [] : [`${of}: ${value} → ${after[index]}`],
    );
  });
  return [...new Set(found)];
}

const resets = ["Tailwind 3", "Tailwind 4", "* { border: 0 }"] as const;
const rows = resets.flatMap((name) => [[name, "before"] as const, [name, "after"] as const]);

describe("the theme beside Tailwind itself", () => {
  test.each(rows)("every component looks the same with %s that comes %s the theme", async (name, order) => {
    const { page } = await browser.newPage({});
    const plain = await looks(page, [sheets.theme]);
    expect(plain.length).toBeGreaterThan(200);
    expect(sheets[name]).toContain(name === "* { border: 0 }" ? "border: 0" : ".rounded-lg");
    const both = [sheets[name], sheets.theme];
    expect(differences(plain, await looks(page, order === "before" ? both : both.reverse()))).toEqual([]);
  });

  test("in its layer the theme loses to what is in none, such as Tailwind 3", async () => {
    const { page } = await browser.newPage({});
    const plain = await looks(page, [sheets.theme]);
    const layered = `@layer askwire { ${sheets.theme} }`;
    expect(differences(plain, await looks(page, [layered]))).toEqual([]);
    const found = differences(plain, await looks(page, [layered, sheets["Tailwind 3"]]));
    expect(found.join("\n")).toContain("border-block-start: 1px solid");
  });
});
