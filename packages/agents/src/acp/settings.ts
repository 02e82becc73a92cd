import { type AgentSession, choose, type SlashCommand, type Turn } from "@askwire/server";
import { readSettings } from "./conversation.js";
import type { CommandList, ConfigOption, Modes, SessionSettings } from "./shapes.js";

/** Sends a request about the conversation to the agent that runs. */
export type Ask = (method: string, params: Record<string, unknown>) => Promise<unknown>;

/** The modes, settings and commands of an agent's conversation, and the slash commands that they are. */
export interface AgentSettings {
  readonly commands: readonly SlashCommand[];
  readonly mode: string | undefined;
  readonly modes: readonly PickChoice[];
  /** Takes the settings of a reply, as far as they are there. */
  take(settings: SessionSettings): void;
  /** Adds a command of ours. One of the agent's takes the place of one with the same name. */
  add(command: SlashCommand): void;
  /** Takes a mode that the agent chose itself. */
  modeChosen(id: string): void;
  /** Asks the agent for another mode. */
  setMode(id: string): Promise<void>;
}

/** The most commands that are listed. */
const MOST_COMMANDS = 500;

/**
 * @param prompt runs a prompt of the agent.
 * @param picked called after a person has chosen a value.
 */
export function agentSettings(
  session: AgentSession,
  ask: Ask,
  prompt: (turn: Turn) => Promise<unknown>,
  picked: () => void,
): AgentSettings {
  let modes: Modes | undefined;
  let options: readonly ConfigOption[] = [];
  let listed: CommandList = [];
  const further = new Map<string, SlashCommand>();
  let commands: readonly SlashCommand[] = [];

  function changed(): void {
    const own = listed.map(({ name, description, input }) => ({
      name,
      description: input?.hint == null ? description : `${description} (${input.hint})`,
      run: async (turn: Turn) => void (await prompt(turn)),
    }));
    const all = [...own, ...options.flatMap(optionCommand), ...modeCommand(), ...further.values()];
    const byName = new Map(all.reverse().map((command) => [command.name, command]));
    commands = [...byName.values()].reverse().slice(0, MOST_COMMANDS);
    session.commandsChanged();
  }

  async function pickAndTell(...choice: Parameters<typeof pick>): Promise<void> {
    await pick(...choice);
    picked();
  }

  /** The setting that stands for the mode. */
  const modeOption = () => options.find(({ category, type }) => category === "mode" && type === "select");

  function modeCommand(): SlashCommand[] {
    if (modes === undefined || modeOption() !== undefined) return [];
    return [
      {
        name: "mode",
        description: "Choose the mode of the agent",
        run: (turn, args) => pickAndTell(turn, "Mode", self.modes, self.mode, args, self.setMode),
      },
    ];
  }

  function optionCommand(option: ConfigOption): SlashCommand[] {
    const { name, description, type, currentValue } = option;
    const id = idOf(option);
    const choices = type === "boolean" ? onAndOff : type === "select" ? choicesOf(option) : [];
    if (id === undefined || choices.length === 0) return [];
    const current = type === "boolean" ? (currentValue === true ? "on" : "off") : String(currentValue);
    const set = (value: string) => setOption(option, id, value);
    return [
      {
        name: id.replace(/\s+/g, "-"),
        description: description ?? `Choose: ${name}`,
        run: (turn, args) => pickAndTell(turn, name, choices, current, args, set),
      },
    ];
  }

  async function setOption(option: ConfigOption, configId: string, value: string): Promise<void> {
    const ofDraft = option.configId !== undefined && { type: "id" };
    const typed =
      option.type === "boolean" ? { type: "boolean", value: value === "on" } : { ...ofDraft, value };
    self.take(readSettings(await ask("session/set_config_option", { configId, ...typed })));
  }

  const self: AgentSettings = {
    get commands() {
      return commands;
    },
    get mode() {
      const value = modes?.currentModeId ?? modeOption()?.currentValue;
      return typeof value === "string" ? value : undefined;
    },
    get modes() {
      const option = modeOption();
      return modes?.availableModes ?? (option === undefined ? [] : choicesOf(option));
    },
    add(command) {
      further.set(command.name, command);
      changed();
    },
    take(settings) {
      modes = settings.modes ?? modes;
      options = settings.configOptions ?? options;
      listed = settings.availableCommands ?? listed;
      changed();
    },
    modeChosen(id) {
      if (modes !== undefined) modes = { ...modes, currentModeId: id };
    },
    async setMode(modeId) {
      const option = modeOption();
      const id = option && idOf(option);
      if (modes === undefined && option !== undefined && id !== undefined)
        return setOption(option, id, modeId);
      await ask("session/set_mode", { modeId });
      self.modeChosen(modeId);
    },
  };
  return self;
}

/** A value to choose. */
export interface PickChoice {
  readonly id: string;
  readonly name: string;
  readonly description?: string | null | undefined;
}

const onAndOff: readonly PickChoice[] = [
  { id: "on", name: "On" },
  { id: "off", name: "Off" },
];

const idOf = ({ id, configId }: ConfigOption) => id ?? configId;

const choicesOf = ({ options = [] }: ConfigOption): PickChoice[] =>
  options
    .flatMap((entry) => entry.options ?? [entry])
    .flatMap(({ value: id, name, description }) => (id === undefined ? [] : [{ id, name, description }]));

/** Sets what the words after the command name, or what the person chooses. */
async function pick(
  turn: Turn,
  header: string,
  choices: readonly PickChoice[],
  current: string | undefined,
  args: string,
  set: (id: string) => Promise<void>,
): Promise<void> {
  const known = (words: string) =>
    choices.find(({ id, name }) => id === words || name.toLowerCase() === words.toLowerCase());
  const named = args === "" ? undefined : known(args);
  if (args !== "" && named === undefined) {
    return turn.say(`${header}: expected one of ${choices.map(({ name }) => name).join(", ")}.`);
  }
  const id = named?.id ?? (await chosen(header, choices, current));
  if (id === undefined) return turn.say(`${header}: unchanged.`);
  await set(id);
  turn.say(`${header}: ${known(id)?.name ?? id}`);
}

async function chosen(
  header: string,
  choices: readonly PickChoice[],
  current: string | undefined,
): Promise<string | undefined> {
  const labels = choices.map(({ name, id }) =>
    choices.filter((other) => other.name === name).length > 1 ? `${name} (${id})` : name,
  );
  const { chosen } = await choose({
    question: `${header}?`,
    header,
    options: choices.map(({ id, description }, index) => ({
      id,
      label: labels[index] ?? id,
      description: [...(id === current ? ["(now)"] : []), description ?? ""].join(" ").trim(),
    })),
  });
  return chosen;
}
