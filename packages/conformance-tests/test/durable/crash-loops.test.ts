import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { bundleProgram } from "../servers/bundle.js";
import { crashOften, KILLS, SESSIONS } from "./crash-loops.js";

/** Crash loops. `ASKWIRE_CRASH_LOOPS` names another number, and prints the figures; `ASKWIRE_CRASH_SEED` the seed. */
const { ASKWIRE_CRASH_LOOPS, ASKWIRE_CRASH_SEED = "1" } = process.env;
const LOOPS = Number(ASKWIRE_CRASH_LOOPS ?? 2);

test("a process that is killed again and again within two seconds of its starts loses no open question (P-RES-2)", {
  timeout: 3_600_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "askwire-loops-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const program = await bundleProgram(folder, new URL("killed-server.ts", import.meta.url));
  const figures = await crashOften(program, LOOPS, Number(ASKWIRE_CRASH_SEED));
  if (ASKWIRE_CRASH_LOOPS !== undefined) process.stdout.write(`${JSON.stringify(figures)}\n`);
  expect(figures).toEqual({
    kills: KILLS * LOOPS,
    asked: SESSIONS * LOOPS,
    answered: SESSIONS * LOOPS,
    lost: [],
  });
});
