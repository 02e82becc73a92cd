import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { clientSuite } from "../src/client/client-suite.js";
import { uncheckedOnClient } from "../src/client/unchecked-sentences.js";
import { sentencesOf } from "../src/contract/sentences.js";
import { clusterSuite } from "../src/server/cluster/cluster-suite.js";
import { gatewaySuite } from "../src/server/gateway/gateway-suite.js";
import { serverSuite } from "../src/server/server-suite.js";
import { uncheckedOnServer } from "../src/server/unchecked-sentences.js";

const page = readFileSync(new URL("../../../docs/protocol.md", import.meta.url), "utf8");
const sentences = sentencesOf(page);
const checks = [serverSuite, gatewaySuite, clusterSuite, clientSuite].flatMap((suite) => suite.checks);
const byId = new Map(sentences.map((sentence) => [sentence.id, sentence]));
const rules = (suite: typeof serverSuite) => suite.checks.flatMap((check) => check.rules);
const proved = new Set([serverSuite, gatewaySuite, clusterSuite, clientSuite].flatMap(rules));
const unchecked = [...uncheckedOnServer, ...uncheckedOnClient];

describe("the sentences of docs/protocol.md", () => {
  test("the sentences of docs/protocol.md are found", () => {
    expect(sentences.length).toBeGreaterThan(100);
  });

  test("the sentences that are a MUST have each a check, or a reason why not", () => {
    const known = new Set([...proved, ...unchecked.map(({ id }) => id)]);
    const musts = sentences.filter(({ weight }) => weight === "MUST").map(({ id }) => id);
    expect(musts.filter((id) => !known.has(id))).toEqual([]);
  });

  test("the sentences are a SHOULD or MAY where the check that proves them says so", () => {
    for (const { id, rules, weight } of checks) {
      const isAdvice = rules.length > 0 && rules.every((rule) => byId.get(rule)?.weight !== "MUST");
      expect(weight, id).toBe(isAdvice ? "SHOULD" : "MUST");
    }
  });

  test("the sentences are Kimi's, at least in part, where a check of wire-1.10 proves them, and ours where one of askwire does", () => {
    const misplaced = checks.filter(({ rules, profile }) => {
      const owner = profile === "wire-1.10" ? "kimi" : "ours";
      return rules.length > 0 && !rules.some((rule) => byId.get(rule)?.whose.includes(owner));
    });
    expect(misplaced.map(({ id, profile, rules }) => [id, profile, ...rules])).toEqual([]);
  });

  test("the sentences of the extended profile are ours, of which Kimi knows nothing", () => {
    expect(sentences.filter(({ profile, whose }) => profile === "extended" && whose !== "ours")).toEqual([]);
  });

  test("the sentences that a check proves are on the page", () => {
    const ids = new Set(sentences.map(({ id }) => id));
    expect([...proved].filter((id) => !ids.has(id))).toEqual([]);
  });

  test("the sentences that have a reason are on the page, have it once, and no check proves them", () => {
    const ids = new Set(sentences.map(({ id }) => id));
    const excused = unchecked.map(({ id }) => id);
    expect(excused.filter((id) => !ids.has(id))).toEqual([]);
    expect(excused.filter((id) => proved.has(id))).toEqual([]);
    expect(excused.filter((id, index) => excused.indexOf(id) !== index)).toEqual([]);
    for (const { why } of unchecked) expect(why).not.toBe("");
  });
});
