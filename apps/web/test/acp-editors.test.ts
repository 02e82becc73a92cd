import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { scriptedClaude } from "../../../packages/relays/test/acp/claude-provider.js";
import { folderWith } from "../../cli/test/askwire.js";
import { newHome } from "../../cli/test/mcp/hosts.js";
import { acpEditors } from "./acp-editors.js";
import { cardOf, openPageOf } from "./page-card.js";
import { claudeEnv, claudeResults } from "./real-hosts.js";

const browser = testBrowser();

/** The files that Claude wants to write, and who is asked first for each. */
const files = ["page.txt", "editor.txt", "both.txt"];

const option = (label: string) => ({ label, description: "" });
const asks = (id: string, question: string) => {
  const options = [option("SQLite"), option("PostgreSQL")];
  const questions = [{ question, header: "DB", multiSelect: false, options }];
  return { type: "tool_use", id, name: "AskUserQuestion", input: { questions } } as const;
};
const writes = (id: string, file: string) =>
  ({ type: "tool_use", id, name: "Write", input: { file_path: file, content: "hello\n" } }) as const;

for (const editor of acpEditors) {
  test.skipIf(!editor.isHere)(
    `the questions and files of Claude's agent in ${editor.name} are answered on the page, in the editor and in both at once`,
    async () => {
      const home = await newHome();
      const cwd = await folderWith();
      const questions = editor.hasForms
        ? ["Which first?", "Which second?", "Which third?"]
        : ["Which first?"];
      let results: string[] = [];
      const provider = await scriptedClaude(
        [
          ...questions.map((question, at) => asks(`q${at}`, question)),
          ...files.map((name, at) => writes(`w${at}`, join(cwd, name))),
          { type: "text", text: "All done." },
        ],
        (conversation) => {
          results = claudeResults(conversation);
        },
      );
      const env = { ...claudeEnv(provider, cwd), IS_SANDBOX: "1", ASKWIRE_HOME: home };
      const terminal = await editor.open(cwd, env);
      const { page } = await browser.newPage({});
      await openPageOf(home, page);
      const card = cardOf(page);

      await card.shows("Which first?");
      if (editor.hasForms) await terminal.waitFor("Which first? (SQLite, PostgreSQL)");
      await card.choose("SQLite");
      if (editor.hasForms) {
        await terminal.waitFor("Which second? (SQLite, PostgreSQL)");
        await card.shows("Which second?");
        terminal.type("PostgreSQL\r");
        await card.untilOver("Which second?");
        await terminal.waitFor("Which third? (SQLite, PostgreSQL)");
        await card.shows("Which third?");
        await card.pick("SQLite");
        void card.press("Send answer").catch(() => {});
        terminal.type("PostgreSQL\r");
      }

      const [byPage = "", byEditor = "", byBoth = ""] = files;
      await card.shows(byPage);
      await terminal.waitFor(editor.card(byPage));
      await card.approve();
      await card.shows(byEditor);
      expect(existsSync(join(cwd, byPage))).toBe(true);
      // A card that stays in the editor is put away by an answer, which decides nothing.
      if (editor.keepsCard) terminal.type(editor.allow);
      await terminal.waitFor(editor.card(byEditor));
      expect(existsSync(join(cwd, byEditor))).toBe(false);
      terminal.type(editor.allow);
      await card.untilOver(byEditor);

      await terminal.waitFor(editor.card(byBoth));
      await card.shows(byBoth);
      void card.approve().catch(() => {});
      terminal.type(editor.allow);
      await terminal.waitFor("All done.");
      await expect.poll(() => page.getByRole("button", { name: /^(?:Yes|Send answer)$/ }).count()).toBe(0);

      expect(files.filter((name) => !existsSync(join(cwd, name)))).toEqual([]);
      expect(results[0]).toContain('"Which first?"="SQLite"');
      if (!editor.hasForms) return;
      expect(results[1]).toContain('"Which second?"="PostgreSQL"');
      expect(results[2]).toMatch(/"Which third\?"="(?:SQLite|PostgreSQL)"/);
    },
    300_000,
  );
}
