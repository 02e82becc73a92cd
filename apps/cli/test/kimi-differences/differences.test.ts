import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { command } from "../askwire.js";
import { compare, type Difference } from "./compare.js";
import { fits, type Place } from "./explanation.js";
import { explanations } from "./explanations.js";
import { play } from "./play.js";
import { scenarios } from "./scenarios/index.js";

/** The command of kimi-cli 1.49.0, which has to be installed: `pip install kimi-cli==1.49.0` with Python 3.13. */
const kimi = process.env.ASKWIRE_KIMI_CLI ?? "";
const VERSION = "1.49.0";

const all = Object.values(explanations).flat();
const seen = new Set<Place>();
const played = new Set<string>();

const told = ({ message, path, kimi, ours }: Difference) =>
  `${message} | ${path} | kimi: ${JSON.stringify(kimi)} | ours: ${JSON.stringify(ours)}`;

describe.skipIf(kimi === "")(`beside kimi-cli ${VERSION} (ASKWIRE_KIMI_CLI=/path/to/kimi runs this)`, () => {
  test("the tested kimi command has the expected version", () => {
    expect(execFileSync(kimi, ["--version"], { encoding: "utf8" })).toContain(VERSION);
  });

  describe.concurrent("the differences to kimi-cli", () => {
    test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
      "docs/differences.md explains every difference in %s",
      { timeout: 1_200_000 },
      async (name, scenario) => {
        const [its, ours] = await Promise.all([
          play(scenario, [kimi]),
          play(scenario, [process.execPath, command]),
        ]);
        const unexplained = compare(its, ours).filter((difference) => {
          const places = all.flatMap(({ where }) => where).filter((place) => fits(place, name, difference));
          for (const place of places) seen.add(place);
          return places.length === 0;
        });
        played.add(name);
        expect(unexplained.map(told)).toEqual([]);
      },
    );
  });

  test("every explained difference occurs", ({ skip }) => {
    if (played.size < scenarios.length) skip("not all conversations were held");
    const gone = all
      .filter(({ sometimes }) => sometimes !== true)
      .flatMap(({ about, where }) =>
        where
          .filter((place) => !seen.has(place))
          .map(({ scenario, message, path }) => ({ about, scenario, message, path })),
      );
    expect(gone).toEqual([]);
  });
});
