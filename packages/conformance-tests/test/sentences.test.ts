import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { clientSuite } from "../src/client/client-suite.js";
import { uncheckedOnClient } from "../src/client/unchecked-sentences.js";
import { sentencesOf } from "../src/sentences.js";
import { gatewaySuite } from "../src/server/gateway/gateway-suite.js";
import { serverSuite } from "../src/server/server-suite.js";
import { uncheckedOnServer } from "../src/server/unchecked-sentences.js";

const page = readFileSync(new URL("../../../docs/protocol.md", import.meta.url), "utf8");
const sentences = sentencesOf(page);
const rules = (suite: typeof serverSuite) => suite.checks.flatMap((check) => check.rules);
const proved = new Set([serverSuite, gatewaySuite, clientSuite].flatMap(rules));
const unchecked = [...uncheckedOnServer, ...uncheckedOnClient];

describe("the sentences of docs/protocol.md", () => {
  test("are found", () => {
    expect(sentences.length).toBeGreaterThan(100);
  });

  test("that are a MUST have each a check, or a reason why not", () => {
    const known = new Set([...proved, ...unchecked.map(({ id }) => id)]);
    const musts = sentences.filter(({ weight }) => weight === "MUST").map(({ id }) => id);
    expect(musts.filter((id) => !known.has(id))).toEqual([]);
  });

  test("are a SHOULD where the check that proves them says so", () => {
    const weight = new Map(sentences.map(({ id, weight }) => [id, weight]));
    for (const { id, rules, weight: said } of [serverSuite, gatewaySuite, clientSuite].flatMap(
      ({ checks }) => checks,
    )) {
      const isAdvice = rules.length > 0 && rules.every((rule) => weight.get(rule) === "SHOULD");
      expect(said, id).toBe(isAdvice ? "SHOULD" : "MUST");
    }
  });

  test("that a check proves are on the page", () => {
    const ids = new Set(sentences.map(({ id }) => id));
    expect([...proved].filter((id) => !ids.has(id))).toEqual([]);
  });

  test("that have a reason are on the page, have it once, and no check proves them", () => {
    const ids = new Set(sentences.map(({ id }) => id));
    const excused = unchecked.map(({ id }) => id);
    expect(excused.filter((id) => !ids.has(id))).toEqual([]);
    expect(excused.filter((id) => proved.has(id))).toEqual([]);
    expect(excused.filter((id, index) => excused.indexOf(id) !== index)).toEqual([]);
    for (const { why } of unchecked) expect(why).not.toBe("");
  });
});
