// The program that the settings name, as the command line of the bundled command.
import type { Translation } from "../chats/chat.js";

/** The settings that choose an agent, as the configuration of the editor has them. */
export interface AgentSettings {
  /** `interview`, `model`, `command`, or the name of an agent that the command knows. */
  readonly agent: string;
  readonly command: readonly string[];
  readonly protocol: "auto" | "wire" | "acp";
  readonly model: string;
  readonly modelBaseUrl: string;
  readonly interview: string;
  readonly inherit: readonly string[];
  /** Set to have the agent's requests in `askwire inbox` too. */
  readonly inbox: boolean;
}

/** A setting that starts nothing in its present form. `setting` is its name. */
export class SettingProblem extends Error {
  readonly setting: string;

  constructor(setting: string, message: string) {
    super(message);
    this.setting = setting;
  }
}

/** True where an agent lets others in than the window that starts it: by the settings, or by what the editor inherited. */
export const isShared = (inherited: NodeJS.ProcessEnv, { inbox }: Pick<AgentSettings, "inbox">): boolean =>
  inbox || !["", "0"].includes(inherited.ASKWIRE_INBOX ?? "");

/**
 * The arguments of the bundled command for a session.
 *
 * @param lets.others true where others may enter the session too: they are not told the text of an exception.
 * @throws SettingProblem where a setting is missing.
 */
export function agentArguments(
  settings: AgentSettings,
  session: string,
  lets: { readonly others: boolean },
  l10n: Translation,
): string[] {
  const { agent, command, protocol, model, interview } = settings;
  // The person at the editor runs the agent too, and is told why a turn failed.
  const told = lets.others ? [] : ["--raw-errors"];
  const serve = ["serve", "--stdio", ...told, "--session", session];
  const spoken = protocol === "auto" ? [] : [`--${protocol}`];
  switch (agent) {
    case "interview":
      return interview === "" ? serve : [...serve, "--interview", interview];
    case "model":
      if (model === "")
        throw new SettingProblem("askwire.model", l10n.t("expected a model, as PROVIDER:MODEL"));
      return [...serve, "--model", model];
    case "command":
      if (command.length === 0 || command[0] === "")
        throw new SettingProblem("askwire.command", l10n.t("expected a program and its arguments"));
      return [...serve, ...spoken, "--", ...command];
    default:
      if (!/^[\w.-]+$/.test(agent) || agent.startsWith("-"))
        throw new SettingProblem(
          "askwire.agent",
          l10n.t("expected interview, model, command, or an agent's name"),
        );
      return [...serve, ...spoken, "--agent", agent];
  }
}

/** The variables of a provider's key and address, by the name before the colon of a model. */
const providers = new Map([
  ["openai-compatible", { key: "OPENAI_API_KEY", address: "OPENAI_BASE_URL" }],
  ["kimi", { key: "KIMI_API_KEY", address: "KIMI_BASE_URL" }],
]);

/** The variables of the provider of a model. Undefined for a model of the command's own configuration. */
export const providerOf = (model: string) => providers.get(model.slice(0, Math.max(0, model.indexOf(":"))));

/**
 * The environment of the agent: the editor's own, without the variables by which the editor is steered.
 *
 * @param key the key of the model's provider, from the editor's secret storage.
 */
export function startEnvironment(
  inherited: NodeJS.ProcessEnv,
  { agent, model, modelBaseUrl, inherit, inbox }: AgentSettings,
  key: string | undefined,
): NodeJS.ProcessEnv {
  // #region environment
  const env: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(inherited)) {
    if (/^(VSCODE_|ELECTRON_)/.test(name) || name === "NODE_OPTIONS" || name === "DEBUG") continue;
    env[name] = value;
  }
  // The program of the editor is Electron, which runs a script only with this variable.
  env.ELECTRON_RUN_AS_NODE = "1";
  // #endregion environment
  if (inbox) env.ASKWIRE_INBOX = "1";
  if (inherit.length > 0) env.ASKWIRE_INHERIT = inherit.join(",");
  const provider = agent === "model" ? providerOf(model) : undefined;
  if (provider !== undefined && key !== undefined) env[provider.key] = key;
  if (provider !== undefined && modelBaseUrl !== "") env[provider.address] = modelBaseUrl;
  return env;
}
