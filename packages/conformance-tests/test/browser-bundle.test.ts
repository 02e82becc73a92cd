import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";

/** In bytes: little more than it is. More than a third of it is `zod/mini` and the schemas above it. */
const LIMIT = 35_700;

let text: string;
let inputs: string[];

/** A program bundled for a browser, with the files that it is made of. */
async function bundled(contents: string, conditions: string[]) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL(".", import.meta.url)) },
    bundle: true,
    format: "esm",
    platform: "browser",
    conditions,
    minify: true,
    write: false,
    metafile: true,
  });
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.keys(output.inputs));
  return { text: outputFiles[0]?.text ?? "", inputs };
}

beforeAll(async () => {
  const client = 'export { connectWebSocket } from "@askwire/client/websocket"';
  ({ text, inputs } = await bundled(client, ["@askwire/source"]));
});

describe("the client, bundled for a browser,", () => {
  test("the bundled client is the client", () => {
    expect(inputs).toContain("packages/client/src/websocket.ts");
    expect(inputs.filter((path) => path.includes("packages/client/src/form/"))).toEqual([]);
    expect(text).toContain("connectWebSocket");
  });

  test("the bundled client asks for nothing of Node", () => {
    expect(text).not.toMatch(/["'`]node:/);
    expect(text).not.toMatch(/\brequire\(["'`]/);
    expect(inputs.filter((path) => /node_modules\/ws\/|\/node\.ts$|\/stdio\.ts$/.test(path))).toEqual([]);
  });

  test("the bundled client makes no code from text, so that a strict policy lets it run", () => {
    expect(text).not.toMatch(/\beval\(|\bnew Function\b|\bFunction\(/);
  });

  test("the bundled client carries no words of other languages and no JSON Schema", () => {
    expect(inputs.filter((path) => /\/locales\/|json-schema/.test(path))).toEqual([]);
  });

  test(`the bundled client is at most ${LIMIT} bytes after gzip`, () => {
    expect(gzipSync(text, { level: 9 }).length).toBeLessThanOrEqual(LIMIT);
  });
});

test("the question form as published carries the reader of fields, and no schemas", async () => {
  const form = await bundled('export * from "@askwire/client/form"', []);
  expect(form.inputs).toContain("packages/protocol/dist/fields.js");
  expect(form.inputs.filter((path) => /zod|protocol\/dist\/main/.test(path))).toEqual([]);
  expect(gzipSync(form.text, { level: 9 }).length).toBeLessThanOrEqual(9_100);
});
