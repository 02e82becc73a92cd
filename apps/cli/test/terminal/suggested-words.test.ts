import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { suggestedWords } from "../../src/terminal/suggested-words.js";
import { folderWith } from "../askwire.js";

/** The suggestions in a folder that has been read. */
async function suggestedIn(folder: string | undefined) {
  let now = 0;
  let reads = 0;
  let read = () => {};
  const suggests = suggestedWords({
    commands: () => [
      { word: "/help", about: "helps" },
      { word: "/exit", about: "leaves" },
    ],
    folder,
    clock: { now: () => now },
    paint: (_style, text) => text,
    changed() {
      reads += 1;
      read();
    },
  });
  const wait = async () => {
    const done = new Promise<void>((resolve) => {
      read = resolve;
    });
    suggests("@");
    await done;
  };
  if (folder !== undefined) await wait();
  return {
    words: (begun: string) => suggests(begun).map(({ word }) => word),
    get reads() {
      return reads;
    },
    async later(ms: number) {
      now += ms;
      await wait();
    },
  };
}

async function project() {
  const folder = await folderWith({ ".gitignore": "dist/\n*.log\n# main\n/secret\n", "README.md": "" });
  for (const name of ["src/rooms", ".git", "node_modules/a", "dist"])
    await mkdir(join(folder, name), { recursive: true });
  for (const name of [
    "src/main.ts",
    "src/rooms/main-room.ts",
    ".git/main",
    "node_modules/a/main.js",
    "dist/main.js",
    "secret",
    "src/domain.ts",
  ])
    await writeFile(join(folder, name), "");
  return folder;
}

test("commands are suggested by their beginning", async () => {
  const { words } = await suggestedIn(undefined);
  expect(words("/")).toEqual(["/help", "/exit"]);
  expect(words("/E")).toEqual(["/exit"]);
});

test("files are suggested by their path, then by their name, then by any letters in them, without what others made", async () => {
  const { words } = await suggestedIn(await project());
  expect(words("@main")).toEqual(["@src/main.ts", "@src/rooms/main-room.ts", "@src/domain.ts"]);
  expect(words("@src/m")).toEqual(["@src/main.ts"]);
  expect(words("@")).toEqual(expect.arrayContaining(["@.gitignore", "@README.md", "@src/"]));
  expect(words("@secret")).toEqual([]);
});

test("the files of an agent elsewhere are not known, and none are suggested", async () => {
  const { words } = await suggestedIn(undefined);
  expect(words("@")).toEqual([]);
});

test("a folder is read again only after a time, so that a key costs no look at the disk", async () => {
  const folder = await project();
  const suggested = await suggestedIn(folder);
  await writeFile(join(folder, "new.ts"), "");
  for (let times = 0; times < 50; times += 1) suggested.words("@n");
  expect(suggested.reads).toBe(1);
  await suggested.later(10_000);
  expect(suggested.words("@new")).toEqual(["@new.ts"]);
});

test("a folder with more files than are read, or one that cannot be read, suggests those that it can", async () => {
  const folder = await folderWith({});
  await mkdir(join(folder, "many"));
  await Promise.all(
    Array.from({ length: 1_200 }, (_, at) => writeFile(join(folder, "many", `file${at}`), "")),
  );
  const { words } = await suggestedIn(folder);
  expect(words("@many/")).toHaveLength(1_001);
  expect((await suggestedIn(join(folder, "gone"))).words("@")).toEqual([]);
});
