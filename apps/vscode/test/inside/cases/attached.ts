import assert from "node:assert/strict";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { begin, type Case, fileOf, type Inside, said } from "../inside.js";

/** Sends words by the palette, with all that is attached. */
async function send(inside: Inside, words: string): Promise<void> {
  const written = inside.code.commands.executeCommand("askwire.prompt");
  await inside.person.types(words);
  await written;
}

export const attached: Readonly<Record<string, Case>> = {
  async "a selection goes with the next prompt, by its file and lines, and with no later one"(inside) {
    const { commands, Selection, window } = inside.code;
    const chat = await begin(inside);
    const editor = await window.showTextDocument(fileOf(inside, "list.txt"));
    editor.selection = new Selection(1, 0, 2, 3);
    await commands.executeCommand("askwire.attachSelection");
    await send(inside, "with it");
    await said(chat, "list.txt:2-3\\\\n```\\\\ntwo\\\\nthr\\\\n```".replaceAll("\\\\", "\\"));
    await send(inside, "without it");
    await said(chat, 'Result: "without it"');
  },

  async "a text file and a picture go with the next prompt, and a file that is neither is refused"(inside) {
    const { commands, workspace } = inside.code;
    const chat = await begin(inside);
    await workspace.fs.writeFile(fileOf(inside, "dot.png"), Uint8Array.of(1, 2, 3));
    await workspace.fs.writeFile(fileOf(inside, "data.bin"), Uint8Array.of(0, 1));
    for (const name of ["list.txt", "dot.png", "data.bin"])
      await commands.executeCommand("askwire.attachFile", fileOf(inside, name));
    // An editor that runs tests may show no message by itself.
    await commands.executeCommand("notifications.showList");
    const problem = await inside.person.reads(".notification-list-item-message");
    assert.match(problem, /data\.bin: expected a text or a picture/);
    await send(inside, "with both");
    await said(chat, "one\\ntwo\\nthree");
    await said(chat, "data:image/png;base64,AQID");
  },

  async "a file that is attached while a prompt is sent waits for the next prompt"(inside) {
    const { attachments } = await import("../../../src/surfaces/attachments.js");
    const { sayWith } = await import("../../../src/surfaces/commands.js");
    const chat = await begin(inside);
    const list = attachments();
    await list.file(fileOf(inside, "list.txt"));
    const slow: typeof chat.say = async (text, parts) => {
      await list.file(fileOf(inside, "late.txt"));
      await chat.say(text, parts);
    };
    await inside.code.workspace.fs.writeFile(fileOf(inside, "late.txt"), new TextEncoder().encode("late"));
    await sayWith(list, { say: slow }, "with one");
    assert.deepEqual(
      list.current().map(({ name }) => name),
      ["late.txt"],
    );
    await said(chat, "one\\ntwo\\nthree");
  },

  async "a link inside of the folder does not lead an agent outside without a yes"(inside) {
    const { openFile } = await import("../../../src/surfaces/open-file.js");
    const away = await mkdtemp(join(tmpdir(), "askwire-away-"));
    await writeFile(join(away, "secret.txt"), "secret");
    await symlink(away, fileOf(inside, "away").fsPath);
    try {
      await assert.rejects(openFile("away/secret.txt"), /DialogService|dialog/i);
      await assert.rejects(openFile("away/none/secret.txt"), /DialogService|dialog/i);
    } finally {
      await rm(fileOf(inside, "away").fsPath);
      await rm(away, { recursive: true });
    }
  },

  async "the file that an agent names opens at its line; one outside of the folder does not without a yes"(
    inside,
  ) {
    const { window } = inside.code;
    const { openFile } = await import("../../../src/surfaces/open-file.js");
    await openFile("list.txt:3");
    const editor = window.activeTextEditor;
    assert.equal(editor?.document.uri.path, fileOf(inside, "list.txt").path);
    assert.equal(editor?.selection.start.line, 2);

    await openFile("list.txt:2:3");
    assert.deepEqual(
      [window.activeTextEditor?.selection.start.line, window.activeTextEditor?.selection.start.character],
      [1, 2],
    );
    await assert.rejects(openFile("none.txt:2"), /FileNotFound|none\.txt/);

    // The editor refuses to show modal messages to tests, so nobody says yes.
    await assert.rejects(openFile("../outside.txt"));
    assert.equal(window.activeTextEditor?.document.uri.path, fileOf(inside, "list.txt").path);
  },
};
