// The way to an agent by the settings: the bundled command as a process, or a gateway at an address.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ClientSession, ConnectOptions } from "@askwire/client";
import { connectProcess } from "@askwire/client/stdio";
import { connectWebSocket } from "@askwire/client/websocket";
import { beginAsking, cardAbilities } from "@askwire/react/stores";
import type { DialBeside, Dialled, DialSession, Translation } from "../chats/chat.js";
import type { KeptChats } from "../chats/kept-chats.js";
import { NoFolder } from "../chats/no-folder.js";
import { clientName } from "../view-state.js";
import {
  type AgentSettings,
  agentArguments,
  isShared,
  providerOf,
  SettingProblem,
  startEnvironment,
} from "./agent-command.js";
import { boundedLog } from "./bounded-log.js";
import { chosenAgent } from "./chosen-agent.js";
import { addressAt } from "./running-server.js";

/** The parts of the editor that the start of an agent needs. */
export interface EditorParts {
  settings(): AgentSettings & {
    readonly address: string;
    /** The word on questions for an agent that starts: `ask`, `doNotAsk`, or any other for none. */
    readonly asking: string;
  };
  /** The folder that the agent works in. Undefined without one. */
  folder(): string | undefined;
  /** The folder of the extension. */
  readonly extension: string;
  readonly version: string;
  readonly kept: KeptChats;
  readonly l10n: Translation;
  /** A secret by its name. Undefined where none was entered. */
  secret(name: string): PromiseLike<string | undefined>;
  log(line: string): void;
}

/** The time for an agent to introduce itself, in milliseconds: some are fetched at their first start. */
const START_MS = 120_000;

/** The choices of the setting `askwire.asking`. `unset`, and whatever else stands there, says nothing. */
const asks: Readonly<Record<string, boolean>> = { ask: true, doNotAsk: false };

/** The secret with the token of the gateway. A model's key has the name of its variable. */
export const GATEWAY_TOKEN = "gateway.token";

/** The options of a connection of the view. */
const optionsOf = (
  { version, log }: Pick<EditorParts, "version" | "log">,
  { handlers, onConnection }: Dialled,
): ConnectOptions => ({
  handlers,
  onConnection,
  planMode: true,
  shows: cardAbilities,
  client: { name: clientName, version },
  initializeTimeoutMs: START_MS,
  onProblem: log,
});

/** Attaches to a session that another process of this machine has, where that process lets the person's inbox in. */
export const dialBeside =
  (place: Pick<EditorParts, "version" | "log">, env: NodeJS.ProcessEnv): DialBeside =>
  (holder, session) => {
    const address = addressAt(holder, session, env);
    if (address === undefined) return undefined;
    return (_id, dialled) => {
      place.log(`attaches to the session of process ${holder}`);
      dialled.onAgent({ is: "watched", name: "" });
      return whileAwaited(connectWebSocket(address, optionsOf(place, dialled)), dialled.signal);
    };
  };

export const dialGateway =
  (place: EditorParts): DialSession =>
  async (id, dialled) => {
    const settings = place.settings();
    const { l10n } = place;
    const { onSlowStart, signal } = dialled;
    const options = optionsOf(place, dialled);
    dialled.onAgent(chosenAgent(settings));
    if (settings.address !== "") return await attach(id, settings.address, options, signal, place);
    const others = isShared(process.env, settings);
    const args = agentArguments(settings, id, { others }, l10n);
    const provider = providerOf(settings.model);
    const key = provider === undefined ? undefined : await place.secret(provider.key);
    const cwd = place.folder();
    if (cwd === undefined)
      throw new NoFolder(l10n.t("expected an open folder: open the one that the agent is to work in"));
    if (!existsSync(cwd))
      throw new NoFolder(l10n.t("{0} is no longer there: open the folder by its new name", cwd), cwd);
    place.log(`starts: askwire ${args.join(" ")}`);
    // #region start
    const session = await connectProcess(
      process.execPath,
      [join(place.extension, "dist/agent.js"), ...args],
      {
        ...options,
        ...{ cwd, onSlowStart, signal },
        env: startEnvironment(process.env, settings, key),
        onStderr: boundedLog(place.log),
      },
    );
    // #endregion start
    if (!others) dialled.onAlone();
    await beginAsking(session, asks[settings.asking]).catch((error) => place.log(String(error)));
    return session;
  };

/** Attaches to the session of a gateway that this one was attached to before, else to a new one. */
async function attach(
  id: string,
  address: string,
  options: ConnectOptions,
  signal: AbortSignal,
  place: EditorParts,
): Promise<ClientSession> {
  const { l10n } = place;
  if (!URL.canParse(address) || !/^wss?:$/.test(new URL(address).protocol))
    throw new SettingProblem(
      "askwire.address",
      l10n.t("expected an address such as ws://127.0.0.1:PORT/wire"),
    );
  const url = new URL(address);
  const known = place.kept.of(id).gateway;
  if (known !== undefined && url.pathname === "/wire") url.pathname = `/wire/${known}`;
  const token = url.hash === "" ? await place.secret(GATEWAY_TOKEN) : undefined;
  signal.throwIfAborted();
  const opening = connectWebSocket(url.href, { ...options, ...(token !== undefined && { token }) });
  const session = await whileAwaited(opening, signal).catch((error: unknown) => {
    if (signal.aborted || url.hash !== "" || token !== undefined) throw error;
    const said = error instanceof Error ? error.message : String(error);
    const next = l10n.t("{0}. No token is kept: run 'Askwire: Enter the Token of the Gateway'", said);
    throw new Error(next, { cause: error });
  });
  if (session.id !== undefined) place.kept.keep(id, { gateway: session.id });
  return session;
}

/** Rejects once nobody awaits a session that is being opened. A session that comes later is closed. */
function whileAwaited(opening: Promise<ClientSession>, signal: AbortSignal): Promise<ClientSession> {
  return new Promise((resolve, reject) => {
    const gone = () => {
      reject(signal.reason);
      void opening.then((session) => session.close()).catch(() => {});
    };
    signal.addEventListener("abort", gone, { once: true });
    opening.then(resolve, reject).finally(() => signal.removeEventListener("abort", gone));
  });
}
