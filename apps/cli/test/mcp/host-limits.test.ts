import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { DEFAULT_WAIT_SECONDS, hostLimits, waitSecondsFor } from "../../src/mcp/host-limits.js";

const page = new URL("../../../../docs/mcp.md", import.meta.url);

test("docs/mcp.md has the limits of the hosts", async () => {
  const known = (extended: boolean | undefined) =>
    extended === undefined ? "not established" : extended ? "yes" : "no";
  const rows = hostLimits.map(
    ({
      host,
      name,
      seen,
      modelReads = "not established",
      limit,
      progressExtends,
      setting = "",
      waitSeconds,
    }) =>
      [
        host,
        `\`${name}\`, ${seen === undefined ? "assumed" : `seen of ${seen}`}`,
        modelReads,
        limit,
        known(progressExtends),
        setting,
        `${waitSeconds} s`,
      ].join(" | "),
  );
  const head = [
    "host | begins its name with | its model reads | limit of a call | extended by progress | its own setting | a call waits",
    "--- | --- | --- | --- | --- | --- | ---",
  ];
  const other = `any other | | | | | | ${DEFAULT_WAIT_SECONDS} s`;
  const table = [...head, ...rows, other].map((row) => `| ${row} |`).join("\n");
  const text = await readFile(page, "utf8");
  const whole = text.replace(/(?<=<!-- limits -->\n)[\s\S]*(?=<!-- \/limits -->)/, () => `${table}\n`);
  await expect(whole).toMatchFileSnapshot(page.pathname);
});

test("a call's wait depends on the beginning of the host's name, and is less than a minute for an unknown host", () => {
  expect(waitSecondsFor("claude-code")).toBe(110);
  expect(waitSecondsFor("Gemini-CLI-mcp-client-x")).toBe(540);
  expect([waitSecondsFor("somebody"), waitSecondsFor(undefined)]).toEqual([50, 50]);
});
