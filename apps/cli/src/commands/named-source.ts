import { agentFor } from "../agents/agent-server.js";
import { keptSessions } from "../agents/kept-sessions.js";
import type { ChatOptions } from "../command-line/chat.js";
import { usageFailure } from "../input/failure.js";
import { waitingSessions } from "../sessions/found.js";
import { offerWaiting } from "../terminal/waiting-session.js";
import { addressSource } from "./address-source.js";
import { serverApprovalAtTerminal } from "./ask-approval.js";
import type { ChatSource } from "./chat-source.js";
import { foreignSource } from "./foreign-source.js";
import { keepingOf, throughServer } from "./kept-source.js";

/** The agent that the options name, checked before the terminal is taken. */
export async function namedSource(command: readonly string[], options: ChatOptions): Promise<ChatSource> {
  const [executable] = command;
  const { connect: address, workDir = process.cwd() } = options;
  refuseSeveral(executable, options);
  if (address !== undefined) {
    refuse(options, ["dialect", "keysFile", "yolo", "afk", "out", "session", "continue"]);
    return addressSource(address, options);
  }
  if ((executable ?? options.agent) === undefined) return ownSource(workDir, options);
  refuse(options, ["dialect", "keysFile", "out"]);
  return foreignSource(command, workDir, options);
}

/** The command's own agent. */
async function ownSource(workDir: string, options: ChatOptions): Promise<ChatSource> {
  const { agent } = await agentFor({ ...options, askServerApproval: serverApprovalAtTerminal(options.lang) });
  const { place, sessionId } = keptSessions(options, workDir, { kimi: false });
  const keeping = keepingOf(place);
  return {
    goesOn: sessionId,
    ...keeping,
    ...(sessionId === undefined &&
      options.prompt === undefined && {
        waits: (room) => offerWaiting(waitingSessions(place), { ...room, agent: agent.agentName }),
      }),
    open: (report, client, _signal, { goesOn, onUnkept, onModes }) =>
      throughServer(agent, options, { ...keeping.of(goesOn, onUnkept), report, onModes }, client),
  };
}

/** Refuses options that name more than one agent. */
function refuseSeveral(executable: string | undefined, options: ChatOptions): void {
  const sources = {
    "--model": options.model,
    "--script": options.script,
    "--interview": options.interview,
    "--connect": options.connect,
    "--agent": options.agent,
    "-- COMMAND": executable,
  };
  const named = Object.entries(sources).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (named.length > 1)
    throw usageFailure(`chat: ${named.join(" and ")} name different agents: leave one out`);
}

/** Refuses options of the command's own agent, since another one has its own settings. */
function refuse(options: ChatOptions, names: readonly (keyof ChatOptions)[]): void {
  const given = names.find((name) => options[name] !== undefined);
  const flag = given?.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (flag !== undefined)
    throw usageFailure(`chat: --${flag} works only with askwire's own agents: leave it out`);
}
