import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import * as protocol from "../src/index.js";

type Schema = Record<string, unknown>;
const script = new URL("../../../scripts/schema.mjs", import.meta.url).href;
const committed = new URL("../schema/wire.schema.json", import.meta.url);

async function generated(): Promise<string> {
  const { wireSchema } = (await import(/* @vite-ignore */ script)) as {
    wireSchema: (tables: typeof protocol, zod: typeof z.core) => string;
  };
  return wireSchema(protocol, z.core);
}

describe("the published JSON Schema", () => {
  test("the published JSON Schema says what the code says; if this fails, build and run `pnpm schema`", async () => {
    expect(await readFile(committed, "utf8")).toBe(await generated());
  });

  test("the published JSON Schema is the same from zod as the script loads it", async () => {
    const { wireSchema } = await import(/* @vite-ignore */ script);
    expect(wireSchema(protocol, createRequire(import.meta.url)("zod/v4/core"))).toBe(await generated());
  });

  test("the published JSON Schema has every event, request, method and shared part of both profiles, and no reference into nowhere", async () => {
    const { $defs } = JSON.parse(await generated()) as { $defs: Record<string, Schema> };
    for (const name of [
      ...Object.keys(protocol.events),
      ...Object.keys(protocol.extendedEvents),
      ...Object.keys(protocol.requests).flatMap((type) => [type, `${type}Response`]),
      ...["InitializeParams", "InitializeResult", "SetPlanModeParams", "CancelResult"],
      ...["AnswerParams", "AnswerResult", "TouchParams", "ListSessionsResult", "CloseSessionParams"],
      ...["DisplayBlock", "Outcome", "EventParams", "RequestParams", "AliveParams"],
      ...["AnswerItem", "AskwireCapabilities", "Deadline", "ListedSession"],
    ]) {
      expect($defs, name).toHaveProperty([name]);
    }
    const references = JSON.stringify($defs).matchAll(/"\$ref":"#\/\$defs\/([^"]*)"/g);
    const missing = [...references]
      .map(([, name]) => name as string)
      .filter((name) => !Object.hasOwn($defs, name));
    expect(missing).toEqual([]);
    // One that refers to itself and nothing else would accept anything.
    for (const [name, schema] of Object.entries($defs)) expect(schema.$ref, name).toBeUndefined();
  });

  test("the published JSON Schema lets every event and request have the marks of the extended profile (P-XAT-3, P-XST-2, P-XRP-1)", async () => {
    const { $defs } = JSON.parse(await generated()) as { $defs: Record<string, { anyOf?: Schema[] }> };
    const tagged = [...($defs.EventParams?.anyOf ?? []), ...($defs.RequestParams?.anyOf ?? [])];
    expect(tagged.map(({ properties }) => (properties as { type: { const: string } }).type.const)).toEqual([
      ...Object.keys(protocol.clientMethods.event.types),
      ...Object.keys(protocol.askedEvents),
      ...Object.keys(protocol.requests),
    ]);
    for (const { properties, required } of tagged) {
      const state = { enum: protocol.sessionStates };
      expect(properties).toMatchObject({ seq: { type: "integer" }, state, replayed: { type: "boolean" } });
      expect(required).toEqual(["type", "payload"]);
    }
  });
});
