import assert from "node:assert/strict";
import { askwireOf, type Case, extensionOf, readFile, until } from "../inside.js";

export const trust: Readonly<Record<string, Case>> = {
  async "in a folder that nobody trusts there is no extension, no command and no agent"(inside) {
    const { workspace, commands } = inside.code;
    assert.equal(workspace.isTrusted, false);
    assert.equal(extensionOf(inside), undefined);
    const own = (await commands.getCommands(true)).filter((name) => name.startsWith("askwire."));
    assert.deepEqual(own, []);
    assert.equal(await readFile(inside, "started.txt"), "");
  },

  async "once the folder is trusted the extension is active, and starts nothing by itself"(inside) {
    await inside.code.commands.executeCommand("workbench.trust.manage");
    await inside.person.clicks("Trust");
    await until("an active extension", () => extensionOf(inside)?.isActive);
    assert.deepEqual(askwireOf(inside).chats.all.current(), []);
    assert.equal(await readFile(inside, "started.txt"), "");
  },
};
