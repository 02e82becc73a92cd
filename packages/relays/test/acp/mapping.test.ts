import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { sharedConversation } from "./conversation.js";
import { tables } from "./mapping/tables.js";

const agent = await sharedConversation();

describe.each(Object.entries(tables))("%s", (_, rows) => {
  test.each(rows.map((row) => [row.acp, row.askwire, row] as const))(
    "%s in ACP becomes %s in Askwire",
    (_acp, _askwire, row) => row.trip(agent),
  );
});

test("docs/acp.md has every row; vitest -u writes them", async () => {
  const file = fileURLToPath(new URL("../../../../docs/acp.md", import.meta.url));
  let page = readFileSync(file, "utf8");
  for (const [heading, rows] of Object.entries(tables)) {
    const table = [
      "| ACP | Askwire | lost |",
      "| --- | --- | --- |",
      ...rows.map(({ acp, askwire, lost }) => `| ${acp} | ${askwire} | ${lost} |`),
    ].join("\n");
    const place = new RegExp(`(### ${heading}\\n\\n)(?:\\|.*\\n)*\\n*`);
    expect(page).toMatch(place);
    page = page.replace(place, (_, head) => `${head}${table}\n\n`);
  }
  await expect(`${page.trimEnd()}\n`).toMatchFileSnapshot(file);
});
