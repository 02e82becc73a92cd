import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { differencesPage } from "./page.js";

test("docs/differences.md has every explained difference (vitest -u writes it)", async () => {
  const file = fileURLToPath(new URL("../../../../docs/differences.md", import.meta.url));
  await expect(differencesPage()).toMatchFileSnapshot(file);
});
