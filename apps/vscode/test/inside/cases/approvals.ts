import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { begin, type Case, cardAfter, fileOf, type Inside, readFile, said, until } from "../inside.js";
import { differences, proposed } from "../proposed.js";

const cart = (inside: Inside) => readFile(inside, "cart.json");

/** Presses a button of the editor until the approval is decided: an early press does not count. */
const decide = (
  inside: Inside,
  { chat, card }: Awaited<ReturnType<typeof proposed>>,
  command: string,
  uri?: unknown,
) =>
  until("a decision", async () => {
    await inside.code.commands.executeCommand(`askwire.${command}`, uri);
    await delay(200);
    return !chat.open().includes(card);
  });

/** Gives a file of the folder unsaved edits. */
async function edit(inside: Inside, name: string) {
  const { Position, WorkspaceEdit, workspace } = inside.code;
  const document = await workspace.openTextDocument(fileOf(inside, name));
  const change = new WorkspaceEdit();
  change.insert(document.uri, new Position(0, 0), "mine ");
  await workspace.applyEdit(change);
  assert.equal(document.isDirty, true);
  return document;
}

/** Presses a button until the press counts, and the command waits for a pick. */
async function askedAbout(
  inside: Inside,
  uri: unknown,
  command = "approve",
): Promise<{ readonly end: Promise<void> }> {
  return await until("a question about the approval", async () => {
    let isOver = false;
    const pressed = Promise.resolve(inside.code.commands.executeCommand(`askwire.${command}`, uri));
    const end = pressed.then(() => {
      isOver = true;
    });
    await delay(300);
    return !isOver && { end };
  });
}

export const approvals: Readonly<Record<string, Case>> = {
  async "the difference of an approval is the file beside the proposed one, in the file's language"(inside) {
    const { input } = await proposed(inside);
    const { openTextDocument } = inside.code.workspace;
    const [current, next] = [await openTextDocument(input.original), await openTextDocument(input.modified)];
    assert.equal(current.getText(), '"apples"\n');
    assert.equal(next.getText(), '"pears"\n');
    assert.deepEqual([current.languageId, next.languageId], ["json", "json"]);
    assert.deepEqual([current.uri.scheme, next.uri.scheme], ["askwire-current", "askwire-proposed"]);
  },

  async "a closed difference decides nothing, and Show the Difference opens it again"(inside) {
    const { chat, card, tab } = await proposed(inside);
    await inside.code.window.tabGroups.close(tab);
    await until("no difference editor", () => differences(inside).length === 0);
    assert.deepEqual(chat.open(), [card]);
    assert.equal(await cart(inside), '"apples"\n');
    await inside.code.commands.executeCommand("askwire.showDifference");
    await until("the difference again", () => differences(inside).length === 1);
    assert.deepEqual(chat.open(), [card]);
  },

  async "Approve lets the agent write, and its difference goes"(inside) {
    const shown = await proposed(inside);
    const { chat, input } = shown;
    await decide(inside, shown, "approve", input.modified);
    await said(chat, "Result: approve");
    assert.equal(await cart(inside), '"pears"\n');
    await until("no difference editor", () => differences(inside).length === 0);
  },

  async "Reject lets the agent write nothing, and its difference goes"(inside) {
    const shown = await proposed(inside);
    const { chat } = shown;
    await decide(inside, shown, "reject");
    await said(chat, "Result: reject");
    assert.equal(await cart(inside), '"apples"\n');
    await until("no difference editor", () => differences(inside).length === 0);
  },

  async "an approval of a file with unsaved edits is asked about first, and Escape leaves it open"(inside) {
    const { chat, card, input } = await proposed(inside);
    const document = await edit(inside, "cart.json");
    const asked = await askedAbout(inside, input.modified);
    const rows = await inside.person.rowsWithDetails();
    assert.deepEqual([rows[0], rows[2]], ["Save and Approve", "Approve Anyway"]);
    await asked.end;
    assert.deepEqual([chat.open(), document.isDirty], [[card], true]);
    assert.equal(await cart(inside), '"apples"\n');

    const again = await askedAbout(inside, input.modified);
    await inside.person.types("Approve Anyway");
    await again.end;
    await said(chat, "Result: approve");
    assert.deepEqual([document.getText(), document.isDirty], ['mine "apples"\n', true]);
    assert.equal(await cart(inside), '"pears"\n');
    await inside.code.window.showTextDocument(document);
    await inside.code.commands.executeCommand("workbench.action.files.revert");
  },

  async "Save and Approve saves the file, and then the agent writes"(inside) {
    const { chat, input } = await proposed(inside);
    const document = await edit(inside, "cart.json");
    const asked = await askedAbout(inside, input.modified);
    await inside.person.types("Save and Approve");
    await asked.end;
    await said(chat, "Result: approve");
    assert.equal(document.isDirty, false);
    assert.equal(await cart(inside), '"pears"\n');
  },

  async "the difference offers Save First while its file has unsaved edits, and then approves without a question"(
    inside,
  ) {
    const shown = await proposed(inside);
    const document = await edit(inside, "cart.json");
    await inside.person.clicks("Save First: the File Has Unsaved Edits");
    await until("a saved file", () => !document.isDirty);
    assert.equal(await cart(inside), 'mine "apples"\n');
    assert.deepEqual(shown.chat.open(), [shown.card]);
    await decide(inside, shown, "approve", shown.input.modified);
    await said(shown.chat, "Result: approve");
  },

  async "Reject with Words tells the agent what to do instead, and Escape leaves the approval open"(inside) {
    const { chat, card, input } = await proposed(inside);
    const left = await askedAbout(inside, input.modified, "rejectWith");
    await inside.code.commands.executeCommand("workbench.action.closeQuickOpen");
    await left.end;
    assert.deepEqual(chat.open(), [card]);
    const rejected = await askedAbout(inside, input.modified, "rejectWith");
    await inside.person.types("plums, please");
    await rejected.end;
    await said(chat, "Result: reject: plums, please");
    assert.equal(await cart(inside), '"apples"\n');
  },

  async "the pick of an approval says what an approval for this session covers"(inside) {
    const { chat, card } = await proposed(inside);
    const answered = inside.code.commands.executeCommand("askwire.answer");
    const rows = await inside.person.rowsWithDetails();
    assert.deepEqual(rows.slice(0, 4), [
      "Approve once",
      "Approve for this session",
      "every further “edit file” too",
      "Reject",
    ]);
    await answered;
    assert.deepEqual(chat.open(), [card]);
  },

  async "all files of an approval are reached from the title of its difference"(inside) {
    const { commands, window } = inside.code;
    const chat = await begin(inside);
    await cardAfter(chat, "write seven");
    await until("five differences", () => differences(inside).length === 5);
    const shown = (place: string) =>
      until(`file ${place}`, () =>
        window.tabGroups.activeTabGroup.activeTab?.label.includes(`file ${place} of 7`),
      );
    await shown("5");
    await commands.executeCommand("askwire.nextFile");
    await shown("6");
    await commands.executeCommand("askwire.previousFile");
    await shown("5");
    const chosen = commands.executeCommand("askwire.chooseFile");
    await inside.person.types("file-7");
    await chosen;
    await shown("7");
    await commands.executeCommand("askwire.nextFile");
    await shown("1");
  },

  async "differences of a notebook and a picture are texts that go after the decision, and own tabs of these stay"(
    inside,
  ) {
    const { commands, window, workspace } = inside.code;
    const files = ["plan.ipynb", "logo.png"].map((name) => fileOf(inside, name));
    const [plan, logo] = files;
    if (plan === undefined || logo === undefined) throw new Error("expected two files");
    await workspace.fs.writeFile(plan, new TextEncoder().encode('{ "cells": [], "metadata": {} }'));
    await workspace.fs.writeFile(logo, Uint8Array.of(1, 2, 3));
    for (const file of files) await commands.executeCommand("vscode.open", file, { preview: false });
    const tabs = () => window.tabGroups.all.flatMap(({ tabs }) => tabs);
    const own = () => tabs().filter(({ input }) => !(input instanceof inside.code.TabInputTextDiff));
    const before = await until("own tabs", () => own().length === 2 && own().map(({ label }) => label));

    const chat = await begin(inside);
    const card = await cardAfter(chat, "write elsewhere");
    await until("two differences", () => differences(inside).length === 2);
    assert.equal(tabs().length, 4);
    await decide(inside, { chat, card } as never, "reject");
    await until("no difference editor", () => differences(inside).length === 0);
    assert.deepEqual(
      tabs().map(({ label }) => label),
      before,
    );
  },

  async "two sessions whose servers give approvals the same id keep their own differences"(inside) {
    await decide(inside, await proposed(inside), "reject");
    const { signal } = new AbortController();
    for (const fruit of ["pears", "plums"]) {
      const { requests } = await begin(inside);
      const display = {
        type: "diff" as const,
        ...{ path: "cart.json", old_text: '"apples"\n', new_text: `"${fruit}"\n` },
        ...{ old_start: 1, new_start: 1, is_summary: false },
      };
      const asked = { tool_call_id: "write", sender: "WriteFile", action: "edit file", description: "" };
      const source = { source_kind: null, source_id: null, source_description: null };
      const agent = { agent_id: null, subagent_type: null };
      const request = { id: "same", ...asked, ...source, ...agent, display: [display] };
      void requests.handlers.approval(request, { signal, issues: [], touch() {}, onDelivery() {} });
    }
    const tabs = await until("two difference editors", () => {
      const found = differences(inside);
      return found.length === 2 && found;
    });
    const texts = tabs.map(async ({ input }) => {
      const { modified } = input as InstanceType<Inside["code"]["TabInputTextDiff"]>;
      return (await inside.code.workspace.openTextDocument(modified)).getText();
    });
    assert.deepEqual(await Promise.all(texts), ['"pears"\n', '"plums"\n']);
  },

  async "Approve decides nothing while another file is shown, or for a card that is gone"(inside) {
    const { chat, card, input } = await proposed(inside);
    const { commands, window } = inside.code;
    await window.showTextDocument(fileOf(inside, "cart.json"));
    await commands.executeCommand("askwire.approve");
    await commands.executeCommand("askwire.approve", fileOf(inside, "cart.json"));
    await commands.executeCommand("askwire.approve", input.modified.with({ query: "chat=x&card=y" }));
    assert.deepEqual(chat.open(), [card]);
    assert.equal(await cart(inside), '"apples"\n');
  },
};
