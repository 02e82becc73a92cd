// Holds the recorded conversations of the base wire with the built command and writes the new recordings. Read them as
// a difference of apps/cli/test/conversations. Names choose recordings. `npm test` compares them.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hold, readRecording, recordingNames, recordings } from "./conversations.mjs";

const chosen = process.argv.slice(2);
let failures = 0;
for (const name of chosen.length > 0 ? chosen : await recordingNames()) {
  const before = await readRecording(name);
  try {
    const now = await hold(before, { patienceMs: 10_000 });
    if (now === before) continue;
    await writeFile(join(recordings, `${name}.txt`), now);
    process.stdout.write(`changed ${name}\n`);
  } catch (error) {
    failures += 1;
    process.stderr.write(`${name}: ${error.message}\n`);
  }
}
process.exitCode = failures > 0 ? 1 : 0;
