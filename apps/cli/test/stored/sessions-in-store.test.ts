import { expect, test } from "vitest";
import { askwire } from "../askwire.js";
import { askedAt, placeWithDatabase } from "./in-database.js";

test("askwire sessions --store lists the sessions in a database, removes one by its id, and those that are old", async () => {
  const place = await placeWithDatabase();
  const sessions = (...args: string[]) =>
    askwire(["sessions", ...args, ...place.store], { cwd: place.cwd, env: { ASKWIRE_HOME: place.home } });
  const { child, ended, address } = await place.serve(...place.store);
  const id = await askedAt(address);
  await expect.poll(async () => (await sessions("--waiting", "--json")).stdout).toContain(id);
  const listed = await sessions();
  expect(listed.stderr).toBe("");
  expect(listed.stdout.split("\n").map((line) => line.replace(/ {2,}/g, "  "))).toEqual([
    expect.stringMatching(/^mine {2}\S.* {2}in use {2}Choose a colour$/),
    expect.stringMatching(/^ {2}question, open for \S.*: Which colour\?$/),
    "",
  ]);
  expect((await sessions("rm", "mi", "--yes")).stderr).toBe(
    "askwire: sessions rm mine: a process has it open: end that first\n",
  );
  child.kill("SIGTERM");
  await ended;
  expect((await sessions("prune", "--older-than", "1m", "--yes")).stderr).toBe("nothing to remove\n");
  await place.db.query(`update ${place.schema}.session set active_ms = active_ms - 91::bigint * 86400000`);
  const waits = await sessions("prune", "--older-than", "90d", "--yes");
  expect(waits.stderr).toBe("nothing to remove; 1 session waits for a person and stays\n");
  const kept = await sessions("prune", "--larger-than", "1kB", "--yes");
  expect([kept.status, kept.stderr]).toEqual([2, expect.stringContaining("use --older-than")]);
  const gone = await sessions("prune", "--older-than", "90d", "--include-waiting", "--yes");
  expect(gone).toMatchObject({ status: 0, stdout: "1 session removed\n" });
  expect(await place.rows("select * from $schema.line")).toEqual([]);
});
