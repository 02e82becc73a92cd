import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { bundleProgram } from "../servers/bundle.js";
import { killOften, SESSIONS } from "./real-kills.js";

/** Kills of each of two lines of processes: twenty sessions each. `ASKWIRE_KILLS` names another number, and prints. */
const KILLS = Number(process.env.ASKWIRE_KILLS ?? 4);

test("processes that are killed lose no answer, ask nobody too often, invent nothing and run nothing twice (P-DUR-1 to P-RES-14)", {
  timeout: 1_200_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "askwire-kills-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const program = await bundleProgram(folder, new URL("killed-server.ts", import.meta.url));
  const figures = await Promise.all([killOften(program, KILLS, 1), killOften(program, KILLS, 4)]);
  if (process.env.ASKWIRE_KILLS !== undefined) process.stdout.write(`${JSON.stringify(figures)}\n`);
  for (const { askedAgain, inDoubt, ...rest } of figures) {
    expect(rest).toEqual({
      kills: KILLS,
      sessions: SESSIONS * KILLS,
      unfinished: 0,
      lost: 0,
      doubled: 0,
      invented: 0,
      askedTooOften: 0,
      runTwice: 0,
    });
    expect(askedAgain.extended).toBe(0);
    // Most kills come before or after the moment that leaves a file in doubt.
    expect(inDoubt).toBeLessThan((SESSIONS * KILLS) / 2);
  }
});
