import { execFileSync } from "node:child_process";
import { lstat, mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { good, sessions } from "./sessions.js";

describe("askwire trajectory export --force", () => {
  test("export --force leaves whatever is not a file untouched: a pipe, a link to a device, a link to a folder", async () => {
    const { run, cwd } = await sessions({ good });
    execFileSync("mkfifo", [join(cwd, "pipe")]);
    await mkdir(join(cwd, "folder"));
    await symlink("/dev/null", join(cwd, "device"));
    await symlink("folder", join(cwd, "link"));
    for (const out of ["pipe", "device", "link"]) {
      const { stderr, status } = await run("export", "good", "--force", "--out", out);
      expect([stderr, status]).toEqual([expect.stringContaining(`--out ${out}: no file; name one`), 2]);
    }
    expect((await lstat(join(cwd, "pipe"))).isFIFO()).toBe(true);
    expect((await lstat(join(cwd, "device"))).isSymbolicLink()).toBe(true);
    expect((await lstat(join(cwd, "link"))).isSymbolicLink()).toBe(true);
  });
});

test("a path with a file in the middle is reported as such", async () => {
  const { run } = await sessions({ good });
  const { stderr, status } = await run("export", "good", "--out", "notes.txt/out.jsonl");
  expect([stderr, status]).toEqual([expect.stringContaining("--out notes.txt/out.jsonl: ENOTDIR"), 2]);
});
