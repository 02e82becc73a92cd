import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { gatewaySuite } from "../src/server/gateway/gateway-suite.js";
import { serverSuite } from "../src/server/server-suite.js";

const lines = Array.from({ length: 77 }, (_, index) => `S${String(index + 1).padStart(2, "0")}`);
const { checks, exceptions } = serverSuite;

describe("the lines about servers", () => {
  test("the lines about servers are each a check or a named exception, S01 to S77", () => {
    const known = [...checks, ...exceptions].map(({ id }) => id);
    expect(lines.filter((id) => !known.includes(id))).toEqual([]);
  });

  test("the lines about servers are at most six exceptions, each with its reason", () => {
    expect(exceptions.length).toBeLessThanOrEqual(6);
    for (const { why } of exceptions) expect(why).not.toBe("");
  });

  test("the lines about servers are counted in docs/conformance.md", () => {
    const page = readFileSync(new URL("../../../docs/conformance.md", import.meta.url), "utf8");
    const base = checks.filter(({ profile }) => profile === "wire-1.10");
    expect(page).toContain(
      `Of the ${checks.length} checks of a server, one of Kimi Wire alone is asked for ${base.length}.`,
    );
  });

  test("the lines about servers each have an id once, and a title of their own", () => {
    const both = [...checks, ...gatewaySuite.checks];
    const ids = [...both, ...exceptions].map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)]);
    const titles = both.map(({ title }) => title);
    expect(titles).toEqual([...new Set(titles)]);
  });
});
