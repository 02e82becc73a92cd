import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { hostLines, linesFor } from "../../src/mcp/host-lines.js";
import { askwire } from "../askwire.js";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const script = `${root}apps/cli/bin/askwire.js`;

describe("the lines for hosts (askwire mcp --print)", () => {
  test.each(Object.keys(hostLines))("the printed line for %s starts this very installation", async (host) => {
    const { stdout, status } = await askwire(["mcp", "--print", host]);
    expect(status).toBe(0);
    expect(stdout).toBe(linesFor(host, [process.execPath, script]));
    expect(stdout).toContain(script);
    expect(stdout).not.toContain("npx");
  });

  test("a path with blanks is one word of the line to type", () => {
    expect(linesFor("codex", ["/usr/bin/node", "/home/me/my tools/it's.js"])).toContain(
      "codex mcp add askwire -- /usr/bin/node '/home/me/my tools/it'\\''s.js' mcp\n",
    );
  });

  test("docs/mcp.md has the same lines for every host", () => {
    const page = readFileSync(`${root}docs/mcp.md`, "utf8");
    const args = ["/path/to/askwire/apps/cli/bin/askwire.js", "mcp"];
    for (const { adds, content } of Object.values(hostLines)) {
      expect(page).toContain(content("node", args));
      if (adds !== undefined) expect(page).toContain(`${adds} node ${args.join(" ")}`);
    }
    expect(page).not.toContain("npx");
  });
});
