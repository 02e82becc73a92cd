import type { AgentSession, SlashCommand, Turn } from "@askwire/server";
import { readSettings } from "./conversation.js";
import type { AcpChosen } from "./options.js";
import { type PickChoice, pickOption } from "./pick.js";
import type { AcpCommands, ConfigOption, Modes, SessionSettings } from "./shapes.js";

/** The surroundings of an agent's settings. */
export interface SettingsPlace {
  readonly session: AgentSession;
  /** Sends a request about the conversation to the agent that runs. */
  ask(method: string, params: Record<string, unknown>): Promise<unknown>;
  /** Runs a prompt of the agent. */
  prompt(turn: Turn): Promise<unknown>;
  /** Called after a person has chosen a value. */
  picked(): void;
  /** Called with the model and the mode of the agent, and with each change. */
  chosen(chosen: AcpChosen): void;
}

/** The most commands that are listed. */
const MOST_COMMANDS = 500;

/** The modes, settings and commands of an agent's conversation, and the slash commands that they are. */
export class AcpModeSettings {
  readonly #place: SettingsPlace;
  #modes: Modes | undefined;
  #options: readonly ConfigOption[] = [];
  /** The agent's own commands. */
  #listed: AcpCommands = [];
  /** The commands of ours. */
  readonly #further = new Map<string, SlashCommand>();
  #commands: readonly SlashCommand[] = [];
  /** The last ones that were told. */
  #chosen: AcpChosen = { model: undefined, mode: undefined };

  constructor(place: SettingsPlace) {
    this.#place = place;
  }

  get commands(): readonly SlashCommand[] {
    return this.#commands;
  }

  get mode(): string | undefined {
    const value = this.#modes?.currentModeId ?? this.#modeOption?.currentValue;
    return typeof value === "string" ? value : undefined;
  }

  get modes(): readonly PickChoice[] {
    const option = this.#modeOption;
    return this.#modes?.availableModes ?? (option === undefined ? [] : choicesOf(option));
  }

  /** Takes the settings of a reply, as far as they are there. */
  take(settings: SessionSettings): void {
    this.#modes = settings.modes ?? this.#modes;
    this.#options = settings.configOptions ?? this.#options;
    this.#listed = settings.availableCommands ?? this.#listed;
    this.#change();
    this.#tellChosen();
  }

  /** Adds a command of ours. One of the agent's takes the place of one with the same name. */
  add(command: SlashCommand): void {
    this.#further.set(command.name, command);
    this.#change();
  }

  /** Takes a mode that the agent chose itself. */
  modeChosen(id: string): void {
    if (this.#modes !== undefined) this.#modes = { ...this.#modes, currentModeId: id };
    this.#tellChosen();
  }

  /** Asks the agent for another mode. */
  async setMode(modeId: string): Promise<void> {
    const option = this.#modeOption;
    const id = option && idOf(option);
    if (this.#modes === undefined && option !== undefined && id !== undefined)
      return this.#setOption(option, id, modeId);
    await this.#place.ask("session/set_mode", { modeId });
    this.modeChosen(modeId);
  }

  /** The setting that stands for the mode. */
  get #modeOption(): ConfigOption | undefined {
    return this.#optionOf("mode");
  }

  #optionOf(wanted: "mode" | "model"): ConfigOption | undefined {
    return this.#options.find(({ category, type }) => category === wanted && type === "select");
  }

  #tellChosen(): void {
    const option = this.#optionOf("model");
    const model = option && nameIn(choicesOf(option), currentOf(option));
    const mode = nameIn(this.modes, this.mode);
    if (model === this.#chosen.model && mode === this.#chosen.mode) return;
    this.#chosen = { model, mode };
    this.#place.chosen(this.#chosen);
  }

  #change(): void {
    const options = this.#options.flatMap((option) => this.#optionCommand(option));
    const all = [...this.#ownCommands(), ...options, ...this.#modeCommand(), ...this.#further.values()];
    const byName = new Map(all.reverse().map((command) => [command.name, command]));
    this.#commands = [...byName.values()].reverse().slice(0, MOST_COMMANDS);
    this.#place.session.commandsChanged();
  }

  #ownCommands(): SlashCommand[] {
    return this.#listed.map(({ name, description, input }) => ({
      name,
      description: input?.hint == null ? description : `${description} (${input.hint})`,
      run: async (turn) => void (await this.#place.prompt(turn)),
    }));
  }

  #modeCommand(): SlashCommand[] {
    if (this.#modes === undefined || this.#modeOption !== undefined) return [];
    const set = (id: string) => this.setMode(id);
    return [
      {
        name: "mode",
        description: "Choose the mode of the agent",
        run: (turn, args) => this.#pick(turn, "Mode", this.modes, this.mode, args, set),
      },
    ];
  }

  #optionCommand(option: ConfigOption): SlashCommand[] {
    const { name, description } = option;
    const id = idOf(option);
    const choices = choicesOf(option);
    if (id === undefined || choices.length === 0) return [];
    const set = (value: string) => this.#setOption(option, id, value);
    return [
      {
        name: id.replace(/\s+/g, "-"),
        description: description ?? `Choose: ${name}`,
        run: (turn, args) => this.#pick(turn, name, choices, currentOf(option), args, set),
      },
    ];
  }

  async #pick(...choice: Parameters<typeof pickOption>): Promise<void> {
    await pickOption(...choice);
    this.#place.picked();
  }

  async #setOption(option: ConfigOption, configId: string, value: string): Promise<void> {
    const ofDraft = option.configId !== undefined && { type: "id" };
    const typed =
      option.type === "boolean" ? { type: "boolean", value: value === "on" } : { ...ofDraft, value };
    const reply = await this.#place.ask("session/set_config_option", { configId, ...typed });
    this.take(readSettings(reply));
  }
}

const onAndOff: readonly PickChoice[] = [
  { id: "on", name: "On" },
  { id: "off", name: "Off" },
];

/** The name of the choice with an id, or the id where none has it. */
const nameIn = (choices: readonly PickChoice[], id: string | undefined) =>
  choices.find((choice) => choice.id === id)?.name ?? id;

const idOf = ({ id, configId }: ConfigOption) => id ?? configId;

/** The values of a setting; none for one of a type that is not known. */
function choicesOf({ type, options = [] }: ConfigOption): readonly PickChoice[] {
  if (type === "boolean") return onAndOff;
  if (type !== "select") return [];
  return options
    .flatMap((entry) => entry.options ?? [entry])
    .flatMap(({ value: id, name, description }) => (id === undefined ? [] : [{ id, name, description }]));
}

const currentOf = ({ type, currentValue }: ConfigOption): string => {
  if (type === "boolean") return currentValue === true ? "on" : "off";
  return String(currentValue);
};
