import assert from "node:assert/strict";
import { createServer } from "@askwire/server";
import { listenWebSocket } from "@askwire/server/websocket";
import { askwireOf, begin, type Case, type Inside, readFile, until } from "../inside.js";

const lineOf = (inside: Inside) => askwireOf(inside).chats.current()?.line.current();

export const settings: Readonly<Record<string, Case>> = {
  async "the settings of a repository do not choose the agent"(inside) {
    const { workspace, ConfigurationTarget } = inside.code;
    const configuration = workspace.getConfiguration("askwire");
    // The folder's .vscode/settings.json names another agent, and turns notifications off.
    assert.equal(configuration.get("agent"), "command");
    assert.equal(configuration.inspect("agent")?.workspaceValue, undefined);
    assert.equal(configuration.get("notify"), false);
    await assert.rejects(
      Promise.resolve(configuration.update("agent", "interview", ConfigurationTarget.Workspace)),
    );
    await begin(inside);
    assert.match(await readFile(inside, "started.txt"), /^\d+\n$/);
  },

  async "Choose the Agent writes the setting for the machine, clears the gateway, and starts that agent"(
    inside,
  ) {
    const { commands, workspace, ConfigurationTarget } = inside.code;
    const configuration = () => workspace.getConfiguration("askwire");
    const chat = await begin(inside);
    assert.equal(chat.agent()?.is, "program");
    await configuration().update("address", "ws://127.0.0.1:1/wire", ConfigurationTarget.Global);
    const pick = () => commands.executeCommand("askwire.chooseAgent");
    try {
      const listed = pick();
      const rows = await inside.person.rows();
      await listed;
      assert.deepEqual(rows.slice(0, 4), ["Interview", "A model…", "A program of your own…", "claude"]);
      assert.equal(configuration().get("agent"), "command");
      const chosen = pick();
      await inside.person.types("needs no model and no key");
      await inside.person.clicks("Restart");
      await chosen;
      assert.deepEqual([configuration().get("agent"), configuration().get("address")], ["interview", ""]);
      assert.equal(configuration().inspect("agent")?.workspaceValue, undefined);
      assert.deepEqual([chat.agent(), chat.line.current().is], [{ is: "interview", name: "" }, "connected"]);
    } finally {
      await configuration().update("address", undefined, ConfigurationTarget.Global);
      await configuration().update("agent", "command", ConfigurationTarget.Global);
    }
    await askwireOf(inside).chats.end(chat.id);
  },

  async "the token of a gateway is asked for, kept as a secret, and forgotten when empty"(inside) {
    const { commands, workspace, ConfigurationTarget } = inside.code;
    const server = createServer({ agent: { run: async () => {} } });
    const gateway = await listenWebSocket(server);
    const { origin } = new URL(gateway.address(server.createSession({ stay: true })));
    const configuration = workspace.getConfiguration("askwire");
    const setAddress = (address: string | undefined) =>
      configuration.update("address", address, ConfigurationTarget.Global);
    async function enter(token: string): Promise<void> {
      const entered = commands.executeCommand("askwire.setToken");
      await inside.person.types(token);
      await entered;
    }
    try {
      await setAddress(`${origin}/wire`);
      await commands.executeCommand("askwire.restart");
      assert.equal(lineOf(inside)?.is, "ended");
      await enter(gateway.token);
      await commands.executeCommand("askwire.restart");
      assert.deepEqual(lineOf(inside), { is: "connected" });
      await enter("");
      await commands.executeCommand("askwire.restart");
      await until("a refusal without the token", () => lineOf(inside)?.is === "ended");
    } finally {
      await setAddress(undefined);
      await gateway.close();
      await server.close();
    }
  },
};
