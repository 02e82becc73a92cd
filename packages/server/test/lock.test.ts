import { fork, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
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

test("a file system where no file has two names has locks, too", () => {
  const link = () => {
    throw Object.assign(new Error("EPERM: no links here"), { code: "EPERM" });
  };
  const disk = { ...nodeDisk, link };
  const folder = mkdtempSync(join(tmpdir(), "askwire-lock-"));
  const release = takeLock(disk, folder);
  expect(lockHolder(disk, folder)).toEqual({ pid: process.pid, lives: true });
  expect(() => takeLock(disk, folder)).toThrow(/in use by process/);
  release();
  takeLock(disk, folder)();
  expect(readdirSync(folder)).toEqual([]);
  const full = {
    ...disk,
    open: () => {
      throw Object.assign(new Error("ENOSPC: no room"), { code: "ENOSPC" });
    },
  };
  expect(() => takeLock(full, folder)).toThrow(/ENOSPC/);
});

describe("several processes that find the lock of a process that has ended", () => {
  const folder = mkdtempSync(join(tmpdir(), "askwire-lock-"));
  const dead = JSON.stringify({ pid: spawnSync("true").pid, started: "1", token: "x" });
  let place = "";
  let count = 0;
  /** A folder with the lock of a process that has ended. */
  function left(): void {
    place = join(folder, String(count++));
    nodeDisk.mkdir(place);
    writeFileSync(join(place, "lock"), dead);
  }

  /** A disk that lets another one act before the calls of these numbers. */
  function interrupted(acts: Readonly<Record<number, () => void>>): typeof nodeDisk {
    let calls = 0;
    const before =
      <Given extends unknown[], T>(call: (...given: Given) => T) =>
      (...given: Given) => {
        acts[++calls]?.();
        return call(...given);
      };
    const { open, stat, rename, link, unlink } = nodeDisk;
    return {
      ...nodeDisk,
      ...{ open: before(open), stat: before(stat), rename: before(rename) },
      ...{ link: before(link), unlink: before(unlink) },
    };
  }

  let holders = 0;
  function takes(disk: typeof nodeDisk): void {
    try {
      takeLock(disk, place);
      holders += 1;
    } catch (error) {
      expect(String(error)).toMatch(/in use by process/);
    }
  }

  const CALLS = 24;
  const others = () => takes(nodeDisk);

  test("one of several processes has the session whenever two others come, one after the other", () => {
    for (let first = 1; first <= CALLS; first++) {
      for (let second = first; second <= CALLS; second++) {
        left();
        holders = 0;
        const both = () => [others(), others()];
        takes(interrupted(first === second ? { [first]: both } : { [first]: others, [second]: others }));
        expect(holders, `before calls ${first} and ${second}`).toBe(1);
        expect(readdirSync(place), `before calls ${first} and ${second}`).toEqual(["lock"]);
      }
    }
  });

  test("one of several processes has the session whenever another comes, and a third one during that", () => {
    for (let first = 1; first <= CALLS; first++) {
      for (let second = 1; second <= CALLS; second++) {
        left();
        holders = 0;
        takes(interrupted({ [first]: () => takes(interrupted({ [second]: others })) }));
        expect(holders, `before call ${first}, and of that before call ${second}`).toBe(1);
      }
    }
    rmSync(folder, { recursive: true });
  });
});

/** Six processes find a lock left behind at the same moment. `ASKWIRE_LOCK_RACES=1000` plays more of such races. */
const RACES = Number(process.env.ASKWIRE_LOCK_RACES ?? 20);

test(`one of six processes that come at once has the session, in ${RACES} races`, async () => {
  const program = fileURLToPath(new URL("lock-racer.mjs", import.meta.url));
  const racers = Array.from({ length: 6 }, () => fork(program, { execArgv: [] }));
  onTestFinished(() => {
    for (const racer of racers) racer.kill();
  });
  const all = (message: object) =>
    Promise.all(
      racers.map((racer) => {
        racer.send(message);
        return once(racer, "message");
      }),
    );
  const dead = JSON.stringify({ pid: spawnSync("true").pid, started: "1", token: "x" });
  for (let race = 0; race < RACES; race++) {
    const folder = mkdtempSync(join(tmpdir(), "askwire-lock-"));
    writeFileSync(join(folder, "lock"), dead);
    await all({ folder });
    const got = (await all({ take: true })).flat();
    expect(got.filter((has) => has === true)).toHaveLength(1);
    await all({ release: true });
    rmSync(folder, { recursive: true });
  }
});
