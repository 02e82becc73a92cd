import { readFileSync } from "node:fs";
import { join } from "node:path";
import { answerLimits } from "@askwire/protocol";
import { expect, test } from "vitest";
import { root } from "./imports.js";

test("docs/limits.md has the limits of an answer as they are", () => {
  const page = readFileSync(join(root, "docs/limits.md"), "utf8");
  const rows = [...page.matchAll(/^\| [^|]+ \| ([\d,]+) \| [^|]+ \| `(\w+)` \|/gm)];
  const told = Object.fromEntries(
    rows.map(([, most = "", name = ""]) => [name, Number(most.replaceAll(",", ""))]),
  );
  expect(told).toEqual(answerLimits);
});
