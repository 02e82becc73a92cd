import { expect, test } from "vitest";
import { type HookMatcher, matching, readMatcher } from "../src/hooks/hook-matcher.js";
import { boundedTime } from "../src/runtime/bounded-time.js";

const within = boundedTime(50);

function candidate(source: string): { source: string; matcher: HookMatcher } {
  const matcher = readMatcher(source);
  if (typeof matcher === "string") throw new Error(matcher);
  return { source, matcher };
}

/** Which of these matchers match. */
const matched = (sources: string[], target: string) =>
  matching(sources.map(candidate), target, within, () => {}).map(({ source }) => source);

test.each<[string, string[], string[]]>([
  ["Shell", ["", "Shell", "hell", "^hell", "shell"], ["", "Shell", "hell"]],
  [
    "WriteFile",
    ["ReadFile|WriteFile", "^(Read|Write)File$", "Write", "W.*e$", "\\d"],
    ["ReadFile|WriteFile", "^(Read|Write)File$", "Write", "W.*e$"],
  ],
  ["", ["", "^$", "a*", "a"], ["", "^$", "a*"]],
])(
  "a matcher is a regular expression that is searched in the target: %j (P-HOK-1)",
  (target, sources, expected) => {
    expect(matched(sources, target)).toEqual(expected);
  },
);

test("a matcher that is not one, or is too long, is reported as such (P-HOK-1)", () => {
  expect(readMatcher("(")).toContain("Invalid regular expression");
  expect(readMatcher("x".repeat(257))).toBe("expected at most 256 characters");
  expect(matched(["x".repeat(256)], "x".repeat(300))).toHaveLength(1);
});

test("matchers that would take for ever hold the event loop for less than 100 ms together, once each, and count as matches (P-HOK-7)", () => {
  const candidates = ["a+", "^(a+)+$", "^(.*a){30}$", "never"].map(candidate);
  const target = `${"a".repeat(64)}b`;
  const slow: string[] = [];
  const run = () => {
    const { user, system } = process.cpuUsage();
    const found = matching(candidates, target, within, ({ source }) => void slow.push(source));
    const now = process.cpuUsage();
    return { found: found.map(({ source }) => source), held: (now.user + now.system - user - system) / 1000 };
  };
  const runs = [run(), run(), run()];
  for (const { found, held } of runs) {
    expect(found).toEqual(["a+", "^(a+)+$", "^(.*a){30}$"]);
    expect(held).toBeLessThan(100);
  }
  expect(slow).toEqual(["^(a+)+$", "^(.*a){30}$"]);
  expect(runs[2]?.held).toBeLessThan(40);
});

test("simple matchers of a very long text are stopped too (P-HOK-7)", () => {
  const words = Array.from({ length: 80 }, (_, index) => `x${index % 10}`).join("|");
  const candidates = Array.from({ length: 64 }, () => candidate(words));
  const target = "a".repeat(16_000_000);
  const slow: string[] = [];
  const found = matching(candidates, target, within, ({ source }) => void slow.push(source));
  expect(slow).toHaveLength(1);
  expect(found.length).toBeGreaterThan(0);
});
