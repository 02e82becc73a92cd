import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { type Case, extensionOf, fileOf, type Inside, readFile, said, until } from "../inside.js";
import { proposed } from "../proposed.js";

/** A key with its command. */
interface Bound {
  readonly key: string;
  readonly command: string;
}

/** The keys that the editor and its extensions bind by themselves. */
async function defaultKeys({ code: { commands, window } }: Inside): Promise<Bound[]> {
  await commands.executeCommand("workbench.action.openDefaultKeybindingsFile");
  const text = await until("the keys of the editor", () =>
    window.visibleTextEditors.map(({ document }) => document.getText()).find((one) => one.includes('"key":')),
  );
  return [...text.matchAll(/"key": "([^"]+)",\s*"command": "([^"]+)"/g)].map(
    ([, key = "", command = ""]) => ({
      key,
      command,
    }),
  );
}

export const keys: Readonly<Record<string, Case>> = {
  async "each key of the extension is bound, and the editor binds none of them otherwise"(inside) {
    const manifest: { contributes: { keybindings: readonly Bound[] } } = extensionOf(inside)?.packageJSON;
    const own = manifest.contributes.keybindings;
    const bound = await defaultKeys(inside);
    assert.notEqual(own.length, 0);
    const shared = own.map(({ key, command }) => {
      const names = bound.filter((one) => one.key === key).map((one) => one.command);
      return {
        key,
        isBound: names.includes(command),
        others: names.filter((name) => !/^askwire\./.test(name)),
      };
    });
    assert.deepEqual(
      shared,
      own.map(({ key }) => ({ key, isBound: true, others: [] })),
    );
  },

  async "the key that approves decides while the difference has the focus, and nowhere else"(inside) {
    const { commands, window } = inside.code;
    const { chat, card, tab } = await proposed(inside);
    await window.showTextDocument(fileOf(inside, "list.txt"));
    await delay(1_100);
    await inside.person.presses(["Control+k", "Shift+Y"]);
    await commands.executeCommand("workbench.action.files.revert");
    assert.deepEqual(chat.open(), [card]);
    assert.equal(await readFile(inside, "cart.json"), '"apples"\n');

    await commands.executeCommand("askwire.showDifference");
    await until(
      "the difference in front",
      () => window.tabGroups.activeTabGroup.activeTab?.label === tab.label,
    );
    await commands.executeCommand("workbench.action.focusActiveEditorGroup");
    await until("a decision", async () => {
      await inside.person.presses(["Control+k", "Shift+Y"]);
      await delay(200);
      return !chat.open().includes(card);
    });
    await said(chat, "Result: approve");
  },
};
