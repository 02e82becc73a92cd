// The sessions of a window with real agents, without the editor around them.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach } from "vitest";
import type { AgentSettings } from "../src/agent/agent-command.js";
import { dialBeside, dialGateway } from "../src/agent/dial.js";
import { Chats } from "../src/chats/chats.js";
import { chatsFile, type KeptChats, keptChats } from "../src/chats/kept-chats.js";

const command = fileURLToPath(new URL("../../cli/dist/askwire.cjs", import.meta.url));

/** The settings of a person who has changed none. */
export const agentSettings: AgentSettings = {
  agent: "interview",
  command: [],
  protocol: "auto",
  model: "",
  modelBaseUrl: "",
  interview: "",
  inherit: [],
  inbox: false,
};
const settings = { ...agentSettings, asking: "unset", address: "" };

/** The settings of a person that are other, and false for a window without a folder. */
type WindowSettings = Partial<typeof settings> & { readonly hasFolder?: boolean };

/** English as it is in the code, with its places filled. */
export const english = {
  t: (text: string, ...values: (string | number)[]) =>
    text.replace(/\{(\d)\}/g, (_place, at) => String(values[Number(at)])),
};

/** A window on a folder. */
export interface HostWindow {
  readonly chats: Chats;
  readonly log: readonly string[];
  readonly kept: KeptChats;
}

/** A machine with a folder of work, for the windows of a test. Its agents end with the test. */
export function testHost() {
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  return async () => {
    const home = await mkdtemp(join(tmpdir(), "askwire-host-"));
    ends.push(() => rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
    const [extension, folder] = [join(home, "extension"), join(home, "work")];
    for (const name of [join(extension, "dist"), folder]) await mkdir(name, { recursive: true });
    await writeFile(join(extension, "dist/agent.js"), `require(${JSON.stringify(command)});`);
    const kept = chatsFile(home, folder);

    /** Opens a window. `restored` is the end of the start of its sessions of before. */
    function open(more: WindowSettings = {}): HostWindow & { readonly restored: Promise<void> } {
      const log: string[] = [];
      const facts = keptChats(kept, (problem) => log.push(problem));
      const place = {
        ...{ extension, kept: facts, l10n: english, version: "0" },
        folder: () => (more.hasFolder === false ? undefined : folder),
        settings: () => ({ ...settings, ...more }),
        secret: async () => undefined,
        log: (line: string) => void log.push(line),
      };
      const all = new Chats(dialGateway(place), facts, english, dialBeside(place, process.env));
      ends.push(() => all.close());
      return { chats: all, log, kept: facts, restored: all.restore() };
    }
    return {
      ...{ open, extension },
      /** The folder of what windows keep of their sessions. */
      place: kept,
      /** The folder that the agents work in. */
      folder,
      /** Opens a window, which goes on with the sessions of before. */
      async window(more: WindowSettings = {}): Promise<HostWindow> {
        const { restored, ...opened } = open(more);
        await restored;
        return opened;
      },
      /** Writes a program of Node, and gives the settings under which it is the agent. */
      async program(source: string): Promise<WindowSettings> {
        const file = join(home, "agent.mjs");
        await writeFile(file, source);
        return { agent: "command", command: [process.execPath, file] };
      },
    };
  };
}
