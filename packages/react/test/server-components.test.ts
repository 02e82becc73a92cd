import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const source = new URL("../src/", import.meta.url);

/** The modules of a face that a server of React components would load itself, with what they import. */
function loadedByServer(face: string): Map<string, readonly string[]> {
  const loaded = new Map<string, readonly string[]>();
  const waiting = [new URL(face, source)];
  for (const address of waiting) {
    if (loaded.has(address.pathname)) continue;
    const text = readFileSync(address, "utf8");
    // A module for the browser is a mere name to the server, and so are types.
    if (text.startsWith('"use client"')) continue;
    const imports = [...text.matchAll(/^(?:import|export) (?!type )[^;]*? from "([^"]+)"/gm)].map(
      ([, from = ""]) => from,
    );
    loaded.set(address.pathname, imports);
    for (const from of imports.filter((one) => one.startsWith("."))) {
      const ts = new URL(from.replace(/\.js$/, ".ts"), address);
      waiting.push(exists(ts) ? ts : new URL(`${ts}x`));
    }
  }
  return loaded;
}

function exists(address: URL): boolean {
  try {
    readFileSync(address);
    return true;
  } catch {
    return false;
  }
}

test.each(["index.ts", "cards.ts", "inbox.ts", "stores.ts", "blocks.ts", "markdown/index.ts"])(
  "a server component can import %s: what uses React's hooks is marked for the client",
  (face) => {
    const loaded = [...loadedByServer(face)];
    const reactive = loaded.filter(([, imports]) => imports.some((from) => /^react(-dom)?(\/|$)/.test(from)));
    expect(reactive.map(([path]) => path.slice(source.pathname.length))).toEqual([]);
  },
);
