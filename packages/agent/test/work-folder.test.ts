import { spawn } from "node:child_process";
import { once } from "node:events";
import { renameSync, symlinkSync, watch, writeFileSync } from "node:fs";
import {
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { holdFolder } from "../src/work-folder/hold-folder.js";
import { isAt, readInside } from "../src/work-folder/inside.js";
import { applyWrite, openInside, planWrite, WorkFolderError } from "../src/work-folder.js";

let base: string;
let work: string;
let other: string;

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "work-folder-")));
  work = join(base, "work");
  other = join(base, "other");
  await mkdir(join(work, "docs"), { recursive: true });
  await mkdir(other);
});
afterEach(() => rm(base, { recursive: true, force: true }));

const swapper = `
import { renameSync, rmSync } from "node:fs";
process.chdir(process.argv[1]);
const move = (from, to) => {
  // The writer may have made a folder anew in between.
  try { renameSync(from, to); } catch {}
};
// The test may be ended from outside: then the pipe is closed.
process.stdin.resume().on("close", () => process.exit());
(function swap() {
  for (let round = 0; round < 50; round += 1) {
    rmSync("aside", { recursive: true, force: true });
    move("docs", "aside");
    move("away", "docs");
    move("docs", "away");
    move("aside", "docs");
  }
  setImmediate(swap);
})();
`;

/** While another process makes `docs` a link to elsewhere and a folder again, over and over, does this many times. */
async function whileSwapped(times: number, action: (round: number) => Promise<unknown>): Promise<void> {
  await symlink(other, join(work, "away"));
  const child = spawn(process.execPath, ["--input-type=module", "-e", swapper, work], {
    stdio: ["pipe", "ignore", "inherit"],
  });
  const gone = once(child, "exit");
  try {
    for (let round = 0; round < times; round += 1) await action(round);
    expect(child.exitCode, "the swapping process ended by itself").toBe(null);
  } finally {
    child.kill();
    await gone;
  }
}

const unlessRefused = (error: unknown) => {
  if (!(error instanceof WorkFolderError)) throw error;
};

test("an open file counts as inside only if it is where its path says", async () => {
  await writeFile(join(work, "docs", "a"), "inside");
  await writeFile(join(other, "a"), "outside");
  const path = join(work, "docs", "a");
  const inside = await open(path);
  expect(await isAt(inside, path)).toBe(true);
  await inside.close();
  await rename(join(work, "docs"), join(work, "aside"));
  await symlink(other, join(work, "docs"));
  const outside = await open(path);
  expect(await isAt(outside, path)).toBe(false);
  await outside.close();
});

test("a folder that becomes a link while a file is opened is not followed", async () => {
  await writeFile(join(work, "docs", "a"), "inside");
  await writeFile(join(other, "a"), "outside");
  const read = new Set<string | undefined>();
  await whileSwapped(2_000, async () => {
    const handle = await openInside(work, "docs/a").catch(unlessRefused);
    if (handle) read.add(await handle.readFile("utf8"));
    await handle?.close();
  });
  expect([...read].filter((text) => text !== "inside")).toEqual([]);
});

// Elsewhere an empty temporary file, or an empty folder, may be left behind.
test.skipIf(process.platform !== "linux")(
  "a folder that becomes a link while a file is written is not followed",
  async () => {
    await whileSwapped(500, async (round) => {
      const text = String(round);
      // Every second file is in a folder that has to be made first.
      const path = round % 2 === 0 ? `docs/${round}` : `docs/new${round}/a.md`;
      await planWrite(work, path, () => text)
        .then(applyWrite)
        .catch(unlessRefused);
    });
    expect(await readdir(other)).toEqual([]);
  },
);

describe.skipIf(process.platform !== "linux")("while a new text is written beside its file", () => {
  /** Plans to write `docs/a.md`, and does something as soon as the text is being written. */
  async function written(meanwhile: () => void): Promise<void> {
    const file = join(work, "docs", "a.md");
    await writeFile(file, "old");
    const plan = await planWrite(work, "docs/a.md", () => "new ".repeat(200_000));
    const watcher = watch(join(work, "docs"), (_, name) => {
      if (name?.endsWith(".tmp") !== true) return;
      watcher.close();
      meanwhile();
    });
    onTestFinished(() => watcher.close());
    await applyWrite(plan);
  }

  test("a change of the file while a new text is written beside it is not overwritten", async () => {
    const file = join(work, "docs", "a.md");
    await expect(written(() => writeFileSync(file, "theirs"))).rejects.toThrow(
      "changed since its new text was shown",
    );
    expect(await readFile(file, "utf8")).toBe("theirs");
    expect(await readdir(join(work, "docs"))).toEqual(["a.md"]);
  });

  test("a folder that comes to lead elsewhere while a new text is written is not written through", async () => {
    const elsewhere = join(work, "elsewhere");
    await mkdir(elsewhere);
    const away = () => {
      renameSync(join(work, "docs"), join(work, "aside"));
      symlinkSync(elsewhere, join(work, "docs"));
    };
    await expect(written(away)).rejects.toThrow("leads elsewhere than when it was shown");
    expect(await readdir(elsewhere)).toEqual([]);
    expect(await readFile(join(work, "aside", "a.md"), "utf8")).toBe("old");
  });
});

test.skipIf(process.platform !== "linux")("a folder is held by its real path alone", async () => {
  await symlink(work, join(base, "linked"));
  expect(await holdFolder(join(base, "linked", "docs"))).toBeUndefined();
  expect(await holdFolder(join(base, "linked"))).toBeUndefined();
  expect(await holdFolder(join(work, "none"))).toBeUndefined();
  const held = await holdFolder(join(work, "docs"));
  expect(await readdir(held?.path ?? "")).toEqual([]);
  await held?.close();
});

test.each([".git/hooks/post-commit", ".GIT/config", "docs/.Git/hooks/x", ".giT"])(
  "the path %s is not written, however it is spelled",
  async (path) => {
    await expect(planWrite(work, path, () => "x")).rejects.toThrow("expected a path outside .git");
  },
);

// The superuser may write everything.
const superuser = process.getuid?.() === 0;
test.skipIf(superuser)("a read-only file is not replaced by one who may write its folder", async () => {
  await writeFile(join(work, "a"), "old", { mode: 0o444 });
  const plan = await planWrite(work, "a", () => "new");
  await expect(applyWrite(plan)).rejects.toThrow("a: cannot be written (EACCES)");
  expect(await readInside(work, "a")).toBe("old");
});
