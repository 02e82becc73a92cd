import { expect, test } from "vitest";
import { SERVER_VERSION } from "../src/index.js";

test("the version that the server sends is that of its package", async () => {
  const { default: manifest } = await import("../package.json", { with: { type: "json" } });
  expect(SERVER_VERSION).toBe(manifest.version);
});
