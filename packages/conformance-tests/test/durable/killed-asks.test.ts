import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { bundleProgram } from "../servers/bundle.js";
import { askAndKill } from "./killed-asks.js";

/** Asks whose server is killed or told to end. `ASKWIRE_KILLED_ASKS` names another number, and prints the figures. */
const ASKS = Number(process.env.ASKWIRE_KILLED_ASKS ?? 40);

test("what programs ask keeps its id over the end of its server, and is answered once under its key (P-XAK-8)", {
  timeout: 600_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "askwire-asks-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const program = await bundleProgram(folder, new URL("asking-server.ts", import.meta.url));
  const figures = await askAndKill(program, ASKS, 42);
  if (process.env.ASKWIRE_KILLED_ASKS !== undefined) process.stdout.write(`${JSON.stringify(figures)}\n`);
  expect(figures).toEqual({ asked: ASKS, sameId: ASKS, answered: ASKS, shownTwice: 0 });
});
