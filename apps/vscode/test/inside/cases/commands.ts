import assert from "node:assert/strict";
import { askwireOf, begin, type Case, cardAfter, extensionOf, readFile, said, until } from "../inside.js";

export const commands: Readonly<Record<string, Case>> = {
  async "each command of the manifest is there, and no other"(inside) {
    const manifest: { contributes: { commands: readonly { command: string }[] } } =
      extensionOf(inside)?.packageJSON;
    const named = manifest.contributes.commands.map(({ command }) => command);
    // Names with a further dot are the editor's own, such as the focus of the view.
    const own = (await inside.code.commands.getCommands(true)).filter((name) => /^askwire\.\w+$/.test(name));
    assert.deepEqual(own.sort(), named.sort());
  },

  async "Start the Agent begins one session, and shows it when run again"(inside) {
    const { executeCommand } = inside.code.commands;
    const { chats } = askwireOf(inside);
    await executeCommand("askwire.start");
    const [first, ...others] = chats.all.current();
    assert.deepEqual(others, []);
    await executeCommand("askwire.start");
    assert.deepEqual(chats.all.current(), [first]);
  },

  async "Restart the Agent gives the session another process"(inside) {
    const chat = await begin(inside);
    const before = await readFile(inside, "started.txt");
    await inside.code.commands.executeCommand("askwire.restart");
    assert.deepEqual(askwireOf(inside).chats.all.current(), [chat]);
    assert.equal(chat.line.current().is, "connected");
    const started = (await readFile(inside, "started.txt")).slice(before.length);
    assert.match(started, /^\d+\n$/);
  },

  async "Stop the Turn cancels the turn and takes its question back"(inside) {
    const chat = await begin(inside);
    await cardAfter(chat, "ask");
    await inside.code.commands.executeCommand("askwire.stop");
    await until("no open card", () => chat.open().length === 0);
    await until("no running turn", () => !chat.talk.current().isRunning);
  },

  async "Close Session drops no open question without a yes, and without one closes at once"(inside) {
    const { chats } = askwireOf(inside);
    const chat = await begin(inside);
    await cardAfter(chat, "ask");
    // The editor refuses to show modal messages to tests, so nobody says yes.
    await inside.code.commands.executeCommand("askwire.closeSession");
    assert.deepEqual(chats.all.current(), [chat]);
    await chat.session()?.cancel();
    await until("no open card", () => chat.open().length === 0);
    await inside.code.commands.executeCommand("askwire.closeSession");
    assert.deepEqual(chats.all.current(), []);
  },

  async "the parts of a card that a pick has no room for are a text beside it, and Escape leaves the card open"(
    inside,
  ) {
    const { commands, TabInputText, window, workspace } = inside.code;
    const chat = await begin(inside);
    const card = await cardAfter(chat, "explain");
    const texts = () =>
      window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .flatMap(({ input }) => (input instanceof TabInputText ? [input.uri] : []))
        .filter(({ scheme }) => scheme === "askwire-text");
    const answered = commands.executeCommand("askwire.answer");
    const uri = await until("a text beside the pick", () => texts()[0]);
    const document = await workspace.openTextDocument(uri);
    assert.equal(
      document.getText().trimStart(),
      "See [the plan](https://plan.test/).\n\nSQLite:\n\none file",
    );
    assert.deepEqual((await inside.person.rows()).slice(0, 2), ["SQLite", "None"]);
    await answered;
    assert.deepEqual([texts(), chat.open()], [[], [card]]);
  },

  async "Write to the Agent sends the typed words to the shown session"(inside) {
    const chat = await begin(inside);
    const written = inside.code.commands.executeCommand("askwire.prompt");
    await inside.person.types("hello");
    await written;
    await said(chat, 'Result: "hello"');
  },

  async "Switch Session shows the session that is chosen"(inside) {
    const { chats } = askwireOf(inside);
    const first = await begin(inside);
    await first.say("the first one", []);
    await said(first, "the first one");
    await begin(inside);
    const switched = inside.code.commands.executeCommand("askwire.switchSession");
    await inside.person.types("the first one");
    await switched;
    assert.equal(chats.current(), first);
  },

  async "Show Log and Open Settings show the log and the settings"(inside) {
    const { commands, window } = inside.code;
    await begin(inside);
    await commands.executeCommand("askwire.showLog");
    await until("the log", () =>
      window.visibleTextEditors.some(({ document }) => document.getText().includes("starts: askwire serve")),
    );
    await commands.executeCommand("askwire.openSettings");
    await until("the settings", () => window.tabGroups.activeTabGroup.activeTab?.label === "Settings");
  },

  async "the status bar counts open cards, and the palette offers what they allow"(inside) {
    const item = "[id='askwire.askwire-vscode.askwire.status']";
    const { executeCommand } = inside.code.commands;
    const offered = async (tries = 3): Promise<string[]> => {
      await executeCommand("workbench.action.quickOpen", ">Askwire: Show");
      try {
        return (await inside.person.rows()).filter((row) => row.startsWith("Askwire: Show"));
      } catch (error) {
        // A part of the window that is still coming takes the focus from the palette, which then closes.
        if (tries === 1) throw error;
        return offered(tries - 1);
      }
    };
    const chat = await begin(inside);
    assert.deepEqual(await offered(), ["Askwire: Show Log"]);
    await cardAfter(chat, "write");
    await until(
      "one card in the status bar",
      async () => (await inside.person.reads(item)).trim() === "Askwire: 1",
    );
    assert.deepEqual((await offered()).sort(), [
      "Askwire: Show Log",
      "Askwire: Show the Difference of the Approval",
    ]);
    await executeCommand("askwire.stop");
    await until(
      "no card in the status bar",
      async () => (await inside.person.reads(item)).trim() === "Askwire",
    );
    assert.deepEqual(await offered(), ["Askwire: Show Log"]);
  },
};
