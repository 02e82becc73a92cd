import { type ClientHandlers, type ClientSession, NotShown, type Offers } from "@askwire/client";
import { connectProcess, type DialedChannel, type SpawnOptions } from "@askwire/client/stdio";
import type { Unrecognized, WireEvent } from "@askwire/protocol";
import { defined, Room, unitsOf } from "@askwire/protocol/internal";
import { agentEnvironment } from "../process/agent-environment.js";
import { AGENT_START_MS } from "../process/start-time.js";

/** The start of an agent's process. */
export interface UpstreamStart
  extends Pick<SpawnOptions, "env" | "onStderr" | "onProblem" | "onSlowStart" | "signal" | "through"> {
  readonly command: readonly [string, ...string[]];
  /** The time for the agent to introduce itself, in milliseconds. Default: 180,000, as some agents are downloaded first. */
  readonly startTimeoutMs?: number;
}

/** The handlers of a client that relays. */
export type RelayHandlers = Required<Pick<ClientHandlers, "question" | "approval" | "event" | "callOutput">>;

/** An agent of the wire that was started. */
export interface UpstreamAgent {
  readonly session: ClientSession;
  /** Takes the handlers of the session that the agent is for, and sends them the earlier events. */
  heardBy(handlers: RelayHandlers): void;
  /** Ends the process, by SIGTERM at once. Resolves once it is gone. */
  end(): Promise<void>;
}

/** Events that may come before somebody hears them, and the UTF-16 units of all. */
const MOST_EARLY = { count: 1_000, units: 16 * 1_048_576 };

/**
 * Starts an agent of the wire in a folder, and connects to the agent as a client that relays.
 *
 * @throws as `connectProcess`.
 */
export async function startUpstream(
  start: UpstreamStart,
  cwd: string,
  offers: Offers,
): Promise<UpstreamAgent> {
  const {
    command,
    env,
    startTimeoutMs = AGENT_START_MS,
    onStderr,
    onProblem,
    onSlowStart,
    signal,
    through,
  } = start;
  const [executable, ...args] = command;
  let kill: DialedChannel["kill"];
  let heard: RelayHandlers | undefined;
  const early: (WireEvent | Unrecognized)[] = [];
  const room = new Room(MOST_EARLY);
  const handlers: RelayHandlers = {
    question: (view, context) => heard?.question(view, context) ?? nobody(),
    approval: (view, context) => heard?.approval(view, context) ?? nobody(),
    event(event) {
      if (heard !== undefined) heard.event(event);
      else if (room.take(unitsOf(event))) early.push(event);
    },
    callOutput: (output) => heard?.callOutput(output),
  };
  const session = await connectProcess(executable, args, {
    ...defined({ onStderr, onProblem, onSlowStart, signal }),
    through(channel) {
      kill = channel.kill;
      return through === undefined ? channel : through(channel);
    },
    ...offers,
    env: env ?? agentEnvironment(process.env),
    cwd,
    initializeTimeoutMs: startTimeoutMs,
    client: { name: "askwire-relay" },
    handlers,
    shows: {
      previews: true,
      notes: true,
      attachments: true,
      skip: true,
      deadline: true,
      fields: true,
      approvalOptions: true,
      edits: true,
      presence: true,
      relay: true,
    },
  });
  return {
    session,
    heardBy(to) {
      heard = to;
      for (const event of early.splice(0)) to.event(event);
    },
    async end() {
      kill?.();
      await session.close();
    },
  };
}

function nobody(): never {
  throw new NotShown("no session has this agent yet");
}
