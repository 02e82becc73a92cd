import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { lockHolder, nodeDisk, takeLock } from "../src/internal.js";

test.skipIf(process.platform !== "linux")(
  "the lock of a process that has ended is taken over, also while its parent has not asked for its end",
  async () => {
    // The shell becomes a program that never asks for the end of the shell's child, which ends after that.
    const parent = spawn("sh", ["-c", "sleep 0.5 & echo $!; exec sleep 600"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    onTestFinished(() => void parent.kill());
    const [line] = await once(parent.stdout, "data");
    const pid = Number(line);
    const folder = mkdtempSync(join(tmpdir(), "askwire-lock-"));
    writeFileSync(join(folder, "lock"), JSON.stringify({ pid, token: "x" }));
    await expect.poll(() => lockHolder(nodeDisk, folder), { timeout: 60_000 }).toEqual({ pid, lives: false });
    expect(() => process.kill(pid, 0)).not.toThrow();
    takeLock(nodeDisk, folder);
    expect(lockHolder(nodeDisk, folder)).toEqual({ pid: process.pid, lives: true });
  },
);

test("a lock that another process has taken meanwhile stays at the release of this one", () => {
  const folder = mkdtempSync(join(tmpdir(), "askwire-lock-"));
  const release = takeLock(nodeDisk, folder);
  const file = join(folder, "lock");
  const theirs = JSON.stringify({ pid: process.ppid, token: "theirs" });
  writeFileSync(file, theirs);
  release();
  expect(readFileSync(file, "utf8")).toBe(theirs);

  const own = mkdtempSync(join(tmpdir(), "askwire-lock-"));
  takeLock(nodeDisk, own)();
  expect(existsSync(join(own, "lock"))).toBe(false);
});
