import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { acts } from "./acts.js";
import { drive, type Surface } from "./drive.js";
import { requests } from "./requests.js";

/** How many drives of each surface, and the seed of the first place: more of both by a script. */
const { ASKWIRE_DRIVES: drives = "40", ASKWIRE_DRIVE_SEED: firstSeed = "43" } = process.env;
/** The path that a failed run names, to do its last drive alone. */
const { ASKWIRE_DRIVE_PATH: path } = process.env;
/** A place is driven for so long, then another one is opened, since its conversation grows with every request. */
const PER_PLACE = 100;
/** The time of a drive on a busy machine, in milliseconds. */
const MS_PER_DRIVE = 5_000;

/**
 * Drives the cards of a surface at random, and compares what is sent with what stood there. In every second place the
 * person has fingers beside the mouse.
 */
export function testDrives(surface: string, open: (options: { isTouch: boolean }) => Promise<Surface>): void {
  const places = Array.from({ length: Math.ceil(Number(drives) / PER_PLACE) }, (_, at) => ({
    seed: Number(firstSeed) + at,
    runs: Math.min(PER_PLACE, Number(drives) - at * PER_PLACE),
  }));
  describe.each(places)(`what is sent from ${surface}`, ({ seed, runs }) => {
    test(
      `a card sends what stood on it, in ${runs} random drives of the seed ${seed}`,
      async () => {
        const place = await open({ isTouch: seed % 2 === 0 });
        let sent = 0;
        const property = fc.asyncProperty(
          requests,
          fc.array(acts, { minLength: 2, maxLength: 14 }),
          async (request, acts) => {
            const end = await drive(place, request, acts);
            if (end.sent !== undefined) sent += 1;
            expect(end.differences).toEqual([]);
          },
        );
        const isMany = Number(drives) > PER_PLACE;
        await fc.assert(property, { seed, numRuns: runs, endOnFailure: isMany, ...(path && { path }) });
        // A person who cannot answer finds no difference either.
        expect(sent).toBeGreaterThan(runs / 2);
      },
      runs * MS_PER_DRIVE,
    );
  });
}
