import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderWith, nodeProject, workflow } from "../askwire.js";
import { key, press, start } from "./at-panel.js";

const OPEN = /Esc decline/;

describe("the shipped interview in panels", () => {
  test.each([80, 40])(
    "the interview goes from its questions to the file in panels, at %i columns",
    async (columns) => {
      const cwd = await folderWith(nodeProject);
      const terminal = start(["chat"], { cwd, columns, rows: 24 });
      await terminal.waitForRows(/❯ 1\. \[ \] Latest[\s\S]*Space select/);
      await press(terminal, [
        [`1${key.down}2`, /\[✔\] Latest[\s\S]*\[✔\] Previous/],
        [key.enter, /Which scripts must pass\?[\s\S]*Space select/],
        [key.enter, /at least one/],
        [key.space, /❯ 1\. \[✔\] lint/],
        [key.enter, /When should lint run\?[\s\S]*Enter c/],
        [
          key.down.repeat(3) + key.enter,
          /\+ ?name: [\s\S]*Ctrl-E shows all[\s\S]*Approve \(y\)[\s\S]*Enter c/,
        ],
        [key.ctrl("e") + key.end, /^ *\d+ *\+ .*npm run lint[\s\S]*Esc back/m],
        [key.escape, /Approve \(y\)[\s\S]*Enter c/],
      ]);
      terminal.type(key.enter);
      expect(await terminal.ended).toMatchObject({ exitCode: 0 });
      expect(terminal.screen()).toMatch(/\nWrote \.github\/workflows\/ci\.yml\.\s[\s\S]*$/);
      expect(await readFile(join(cwd, workflow), "utf8")).toContain("npm run lint");
    },
  );

  test.each([
    ["Ctrl-C", key.ctrl("c")],
    ["Ctrl-D", key.ctrl("d")],
    ["Esc", key.escape],
  ])(
    "%s in the interview's panel declines: nothing is written, and the command ends",
    async (_what, keys) => {
      const terminal = start(["chat"], { cwd: await folderWith(nodeProject) });
      await terminal.waitForRows(OPEN);
      terminal.type(keys);
      expect(await terminal.ended).toMatchObject({ exitCode: 0 });
      expect(terminal.screen()).toMatch(/Nothing was written\.$/);
    },
  );
});
