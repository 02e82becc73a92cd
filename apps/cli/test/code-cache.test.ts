import { readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { askwire, colourScript, folderWith } from "./askwire.js";

/** Runs `askwire info` with its caches in this folder. */
const info = (caches: string, env: Record<string, string> = {}) =>
  askwire(["info"], { env: { XDG_CACHE_HOME: caches, NODE_DISABLE_COMPILE_CACHE: "", ...env } });

const fine = { status: 0, stderr: "", stdout: expect.stringContaining("askwire ") };

/** The files that are kept, each with what tells whether it was written again. */
async function kept(caches: string): Promise<Map<string, number>> {
  const folder = join(caches, "askwire");
  const names = await readdir(folder).catch(() => []);
  const entries = names.map(async (name) => [name, (await stat(join(folder, name))).ino] as const);
  return new Map(await Promise.all(entries));
}

test("a start keeps its compiled code for this user only, and the next start has nothing to keep", async () => {
  const caches = await folderWith();
  expect(await info(caches)).toMatchObject(fine);
  const first = await kept(caches);
  expect(first.size).toBeGreaterThanOrEqual(3);
  for (const name of first.keys()) {
    expect(name).toMatch(/^[0-9a-f]{64}$/);
    if (process.platform !== "win32")
      expect((await stat(join(caches, "askwire", name))).mode & 0o777).toBe(0o600);
  }
  expect(await info(caches)).toMatchObject(fine);
  expect(await kept(caches)).toEqual(first);
});

test("each command keeps the code that it loads", async () => {
  const caches = await folderWith({ "colour.json": colourScript });
  await info(caches);
  const first = await kept(caches);
  const args = ["serve", "--stdio", "--script", join(caches, "colour.json")];
  const { status, stderr } = await askwire(args, { env: { XDG_CACHE_HOME: caches, ASKWIRE_HOME: caches } });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const both = await kept(caches);
  expect(both.size).toBeGreaterThan(first.size);
  expect([...both.entries()]).toEqual(expect.arrayContaining([...first.entries()]));
});

test.each([
  ["cut short", (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1)],
  ["damaged in the middle", (bytes: Buffer) => Buffer.from(bytes).fill(0xff, bytes.length >> 1)],
  ["empty", () => Buffer.alloc(0)],
])("kept code that is %s is compiled and kept again", async (_, damage) => {
  const caches = await folderWith();
  await info(caches);
  const first = await kept(caches);
  const whole = new Map<string, number>();
  for (const name of first.keys()) {
    const file = join(caches, "askwire", name);
    const bytes = await readFile(file);
    whole.set(name, bytes.length);
    await writeFile(file, damage(bytes));
  }
  expect(await info(caches)).toMatchObject(fine);
  const again = await kept(caches);
  expect([...again.keys()].sort()).toEqual([...first.keys()].sort());
  for (const [name, inode] of first) {
    expect(again.get(name)).not.toBe(inode);
    expect((await readFile(join(caches, "askwire", name))).length).toBeGreaterThan(
      (whole.get(name) ?? 0) / 2,
    );
  }
});

test("several first starts at once leave complete files and nothing else", async () => {
  const caches = await folderWith();
  for (const run of await Promise.all(Array.from({ length: 4 }, () => info(caches)))) {
    expect(run).toMatchObject(fine);
  }
  const first = await kept(caches);
  for (const name of first.keys()) expect(name).toMatch(/^[0-9a-f]{64}$/);
  await info(caches);
  expect(await kept(caches)).toEqual(first);
});

test("the oldest code is removed when there is too much", async () => {
  const names = Array.from({ length: 300 }, (_, n) => `old-${n}`);
  const caches = await folderWith(Object.fromEntries(names.map((name) => [join("askwire", name), "x"])));
  for (const [n, name] of names.entries()) await utimes(join(caches, "askwire", name), n, n);
  expect(await info(caches)).toMatchObject(fine);
  const left = [...(await kept(caches)).keys()];
  expect(left.length).toBe(256);
  expect(left).toContain("old-299");
  expect(left).not.toContain("old-0");
});

test("a start succeeds where the code folder cannot be used or is switched off", async () => {
  const caches = await folderWith({ file: "" });
  expect(await info(join(caches, "file"))).toMatchObject(fine);
  expect(await info(caches, { NODE_DISABLE_COMPILE_CACHE: "1" })).toMatchObject(fine);
  expect(await kept(caches)).toEqual(new Map());
});
