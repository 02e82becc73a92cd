// The choice of an agent: a pick writes the settings by which the next start goes, and offers that start.
import { visibleLine } from "@askwire/client/text";
import { ConfigurationTarget, commands, l10n, window, workspace } from "vscode";
import { providerOf } from "../agent/agent-command.js";
import { isInstalled, type ListedAgent } from "../agent/listed-agents.js";
import { commandText, typedCommand } from "../agent/typed-command.js";
import type { Chats } from "../chats/chats.js";
import { back, type PickRow, quickPick, write } from "./pick.js";
import { plainLabel, plainMessage } from "./plain-text.js";

/** The parts of the host that a choice needs. */
export interface ChoiceParts {
  readonly chats: Chats;
  /** Lists the agents that the command knows by their names. */
  listAgents(): Promise<readonly ListedAgent[]>;
  /** True where the key of a provider is kept, or in the environment. */
  hasKey(name: string): PromiseLike<boolean>;
}

/** The settings of an agent by their names, without those that stay. */
type Chosen = Readonly<{ agent: string; model?: string; command?: readonly string[] }>;

/** A row: the settings that it means, or those that have to be asked for. */
type Row = PickRow<Chosen | "model" | "command">;

const never = new AbortController().signal;
const settingsNow = () => workspace.getConfiguration("askwire");

/** Lets the person choose the agent. Escape leaves the settings unchanged. */
export async function chooseAgent(parts: ChoiceParts): Promise<void> {
  const title = l10n.t("Choose the Agent");
  let problem = "";
  const named = await parts.listAgents().catch((error: Error) => {
    problem = l10n.t("Agents by name cannot be listed: {0}", visibleLine(error.message));
    return [];
  });
  const placeholder = problem === "" ? l10n.t("The agent that is started next") : problem;
  const picked = await quickPick(rowsOf(named), { title, placeholder, signal: never });
  if (!Array.isArray(picked)) return;
  const [row] = picked as readonly Row["value"][];
  const chosen = row === "model" ? await askModel() : row === "command" ? await askCommand() : row;
  if (chosen === undefined) return;
  const address = await writeSettings(chosen);
  await offerStart(parts, chosen, address);
}

function rowsOf(named: readonly ListedAgent[]): Row[] {
  const settings = settingsNow();
  const agent = settings.get("address", "") === "" ? settings.get<string>("agent") : undefined;
  const [model, command] = [settings.get("model", ""), settings.get<readonly string[]>("command", [])];
  const current = (is: boolean) => (is ? { description: l10n.t("chosen now") } : {});
  return [
    {
      label: l10n.t("Interview"),
      detail: l10n.t("A questionnaire that needs no model and no key"),
      value: { agent: "interview" },
      ...current(agent === "interview"),
    },
    {
      label: l10n.t("A model…"),
      detail: model === "" ? l10n.t("It works in the folder") : plainLabel(model),
      value: "model",
      ...current(agent === "model"),
    },
    {
      label: l10n.t("A program of your own…"),
      detail:
        command.length === 0
          ? l10n.t("It speaks the wire or the Agent Client Protocol")
          : plainLabel(commandText(command)),
      value: "command",
      ...current(agent === "command"),
    },
    ...named.map((one) => ({
      label: plainLabel(one.name),
      detail: aboutNamed(one),
      value: { agent: one.name },
      ...current(agent === one.name),
    })),
  ];
}

/** Says what an agent needs before it starts, and its program, for whose end a row may have no room. */
function aboutNamed({ name, command, from, node, approval }: ListedAgent): string {
  const [program = ""] = command ?? [];
  const facts = [
    ...(isInstalled(program, process.env) ? [] : [l10n.t("{0} is not installed", visibleLine(program))]),
    ...(from === "shipped" && program === "npx" ? [l10n.t("fetched at its first start")] : []),
    ...(typeof node === "string" ? [l10n.t("needs Node.js {0}", node)] : []),
    ...(approval === null || approval === "approved"
      ? []
      : [l10n.t("of this project, to be approved first: askwire agents approve {0}", visibleLine(name))]),
  ];
  return plainLabel([...facts, commandText(command ?? [])].join(" · "));
}

async function askModel(): Promise<Chosen | undefined> {
  const problem = l10n.t("expected a model, as PROVIDER:MODEL");
  const placeholder = l10n.t("openai-compatible:NAME, kimi:NAME, or a name of ~/.askwire/config.toml");
  const value = settingsNow().get("model", "");
  const asked = { title: l10n.t("The model"), placeholder, value, signal: never };
  const model = await write(asked, (typed) => (typed.trim() === "" ? { problem } : { value: typed.trim() }));
  return typeof model === "string" ? { agent: "model", model } : undefined;
}

async function askCommand(): Promise<Chosen | undefined> {
  const problem = l10n.t("expected a program and its arguments");
  const placeholder = l10n.t(
    "A program and its arguments, such as: gemini --acp. It is started without a shell.",
  );
  const value = commandText(settingsNow().get("command", []));
  const asked = { title: l10n.t("The program"), placeholder, value, signal: never };
  const command = await write<readonly string[]>(asked, (typed) => {
    const words = typedCommand(typed);
    return words === undefined || (words[0] ?? "") === "" ? { problem } : { value: words };
  });
  return command === undefined || command === back ? undefined : { agent: "command", command };
}

/**
 * Writes the settings for this machine: only there do they count. The address of a gateway would stand before them and is
 * cleared.
 *
 * @returns the cleared address. Empty without one.
 */
async function writeSettings(chosen: Chosen): Promise<string> {
  const settings = settingsNow();
  for (const [name, value] of Object.entries(chosen))
    await settings.update(name, value, ConfigurationTarget.Global);
  const address = settings.get("address", "");
  if (address !== "") await settings.update("address", undefined, ConfigurationTarget.Global);
  return address;
}

/** Offers to start the agent: in the shown session where nothing runs, else in a new one, or again in this one. */
async function offerStart(parts: ChoiceParts, chosen: Chosen, address: string): Promise<void> {
  const provider = providerOf(chosen.model ?? "");
  const key = l10n.t("Enter the Key");
  const keys = provider === undefined || (await parts.hasKey(provider.key)) ? [] : [key];
  const [start, begin, restart] = [l10n.t("Start"), l10n.t("New Session"), l10n.t("Restart")];
  const isHere = parts.chats.current() !== undefined;
  const name = plainMessage(
    chosen.model ?? (chosen.command === undefined ? chosen.agent : commandText(chosen.command)),
  );
  const text =
    address === ""
      ? l10n.t("Askwire: the next start takes {0}.", name)
      : l10n.t(
          "Askwire: the next start takes {0}, and no longer the gateway {1}.",
          name,
          plainMessage(address.replace(/#.*/, "")),
        );
  const steps = [...keys, ...(isHere ? [begin, restart] : [start])];
  const step = await window.showInformationMessage(text, ...steps);
  if (step === key) {
    await commands.executeCommand("askwire.setKey");
    return await offerStart(parts, chosen, address);
  }
  if (step === start) await commands.executeCommand("askwire.start");
  if (step === begin) await commands.executeCommand("askwire.newSession");
  if (step === restart) await commands.executeCommand("askwire.restart");
}
