import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { readJsonSchema } from "../../server/src/json-schema/json-schema.js";
import { Trajectory } from "../src/trajectory.js";
import { nativeCall, nativeQuery, trajectoryOf } from "./kept-session.js";

const script = new URL("../../../scripts/schema.mjs", import.meta.url).href;
const published = new URL("../../../docs/trajectory.schema.json", import.meta.url);

test("the published schema says what the code says; if this fails, build and run `pnpm schema` (P-TRJ-1)", async () => {
  const { trajectorySchema } = (await import(/* @vite-ignore */ script)) as {
    trajectorySchema: (schema: typeof Trajectory, zod: typeof z.core) => string;
  };
  expect(readFileSync(published, "utf8")).toBe(trajectorySchema(Trajectory, z.core));
});

test("the published schema takes what an export writes, and refuses what the code refuses (P-TRJ-1, P-TRJ-3)", async () => {
  const schema = readJsonSchema(JSON.parse(readFileSync(published, "utf8")), (work) => {
    work();
    return true;
  });
  if (typeof schema === "string") throw new Error(schema);
  const read = await trajectoryOf([`text: I look.\n${nativeQuery}`, nativeCall, "text: Done."]);
  const [user, spoken, result] = read.messages;
  const broken = [
    { ...read, version: 2 },
    { ...read, more: 1 },
    { ...read, started_at: "yesterday" },
    { ...read, duration_s: -1 },
    { ...read, flags: { ...read.flags, queries: 0.5 } },
    { ...read, messages: [{ ...user, loss: true }] },
    { ...read, messages: [{ ...result, loss: true }] },
    { ...read, messages: [{ ...spoken, tool_calls: [] }] },
    { ...read, messages: [{ ...user, tool_calls: [] }] },
    { ...read, messages: [{ ...user, role: "environment" }] },
    { ...read, messages: [{ ...user, content: null }] },
  ];
  expect(schema.problem(read)).toBeUndefined();
  expect(Trajectory.safeParse(read).success).toBe(true);
  for (const value of broken) {
    expect(schema.problem(value), JSON.stringify(value)).toBeDefined();
    expect(Trajectory.safeParse(value).success, JSON.stringify(value)).toBe(false);
  }
});
