import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../server/test/journal-folder.js";
import { callLine } from "../../server/test/scenario.js";
import { checkTrajectories, type TrajectoryProblem } from "../src/check-trajectories.js";
import { readTrajectory } from "../src/read-trajectory.js";
import { id, keptSession, trajectoryIn } from "./kept-session.js";

/** The journal of a session, and its trajectory as a line. */
async function sound(): Promise<{ journal: string; trajectory: string }> {
  const call = callLine("param_query", { tool_id: "t", action: "run_code" });
  const { meet, server, file } = keptSession([`text: One moment.\n${call}`, "text: Done."]);
  const { client } = await meet({ sessionId: id });
  await client.call("prompt", { user_input: "go" });
  await server.close();
  const trajectory = `${JSON.stringify(await trajectoryIn(file))}\n`;
  return { journal: readFileSync(file, "utf8"), trajectory };
}

/** Texts that another program, a failing disk or an editor may leave in a file. */
const foreign = fc.oneof(
  fc.constantFrom(
    "",
    "\n",
    "\r\n",
    "\u0000",
    "{",
    "}",
    "[",
    "]",
    '"',
    ",",
    "null",
    "\ufeff",
    "\ud800",
    '"__proto__":',
    "1e999",
  ),
  fc.string({ unit: "binary", maxLength: 20 }),
);
const place = fc.double({ min: 0, max: 1, noNaN: true });
const cut = fc.record({ at: place, length: fc.nat(40), put: foreign });
/** Another value in the place of one, so that the file stays JSON. */
const value = fc.record({
  at: place,
  put: fc.constantFrom("null", "0", '""', "[]", "{}", '"x"', "true", "-1", '{"type":"x"}', "[[]]"),
});
const line = fc.record({ at: place, to: place });
const damage = fc.array(fc.oneof(cut, value, line), { minLength: 1, maxLength: 4 });
type Damage = (typeof damage extends fc.Arbitrary<infer T> ? T : never)[number];

function damaged(text: string, how: Damage): string {
  const at = Math.floor(how.at * text.length);
  if ("length" in how) return text.slice(0, at) + how.put + text.slice(at + how.length);
  if ("put" in how) {
    const [, before = "", , after = ""] =
      /^([\s\S]*?":)("(?:[^"\\]|\\.)*"|[\w.-]+|\{\}|\[\])([\s\S]*)$/.exec(text.slice(at)) ?? [];
    return before === "" ? text : text.slice(0, at) + before + how.put + after;
  }
  const lines = text.split("\n");
  const [moved = ""] = lines.splice(Math.floor(how.at * lines.length), 1);
  lines.splice(Math.floor(how.to * lines.length), 0, moved);
  return lines.join("\n");
}

/** A line for a person. */
const inWords = /^[^\n\r]+$/;

/** Says what the check finds in a file. */
async function problemsIn(file: string, text: string): Promise<TrajectoryProblem[]> {
  const problems: TrajectoryProblem[] = [];
  writeFileSync(file, text);
  await checkTrajectories(file, (problem) => problems.push(problem));
  return problems;
}

test("a journal that is damaged in any way is read to its end, and the check takes what is left of it or says in words why not", async () => {
  const { journal } = await sound();
  const file = join(temporaryFolder(), "wire.jsonl");
  await fc.assert(
    fc.asyncProperty(damage, async (all) => {
      writeFileSync(file, all.reduce(damaged, journal));
      const read = await readTrajectory(file, id);
      if (read === "empty" || read === "too_long") return;
      for (const { problem } of await problemsIn(file, JSON.stringify(read)))
        expect(problem).toMatch(inWords);
    }),
    { numRuns: 300 },
  );
});

test("a damaged file of trajectories is checked to its end, and each problem is a line of words", async () => {
  const { trajectory } = await sound();
  const file = join(temporaryFolder(), "trajectories.jsonl");
  await fc.assert(
    fc.asyncProperty(damage, async (all) => {
      for (const { problem } of await problemsIn(file, all.reduce(damaged, trajectory + trajectory)))
        expect(problem).toMatch(inWords);
    }),
    { numRuns: 300 },
  );
});
