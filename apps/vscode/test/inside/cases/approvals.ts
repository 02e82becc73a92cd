import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { begin, type Case, cardAfter, fileOf, type Inside, readFile, said, until } from "../inside.js";

/** The tabs of the difference editors that are open. */
const differences = ({ code }: Inside) =>
  code.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof code.TabInputTextDiff);

/** A session whose agent waits for the approval of a change, with the tab of the difference. */
async function proposed(inside: Inside) {
  const before = new TextEncoder().encode('"apples"\n');
  await inside.code.workspace.fs.writeFile(fileOf(inside, "cart.json"), before);
  const chat = await begin(inside);
  const card = await cardAfter(chat, "write");
  const tab = await until("a difference editor", () => differences(inside)[0]);
  return { chat, card, tab, input: tab.input as InstanceType<Inside["code"]["TabInputTextDiff"]> };
}

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
