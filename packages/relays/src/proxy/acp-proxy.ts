import type { Readable, Writable } from "node:stream";
import { checkOptions, type OptionRules, option } from "@askwire/protocol/internal";
import { acpCodes } from "../acp/acp-error.js";
import type { PeerMessage } from "../acp/peer-message.js";
import { openLinks } from "../elicitation/ask-link.js";
import type { PeopleSession } from "./ask-people.js";
import { AwaitedReplies } from "./awaited-replies.js";
import { withEverything } from "./host-abilities.js";
import { Known } from "./known.js";
import { type LineFate, type LinePipe, linePipe } from "./line-pipe.js";
import { membersOf, textIn } from "./message.js";
import { ProxiedRequests } from "./proxied-requests.js";

/** The options of {@link acpProxy}. */
export interface AcpProxyOptions {
  /** The host's messages, and the way to it: this process's standard input and output, as a rule. */
  readonly host: { readonly input: Readable; readonly output: Writable };
  /** The agent's messages, and the way to it: a child process's standard output and input, as a rule. */
  readonly agent: { readonly input: Readable; readonly output: Writable };
  /** Connects to the people who are asked too. Called once, at the first request; a rejection leaves it to the host. */
  readonly people: () => Promise<PeopleSession>;
  /** Called with a line about what people cannot be asked. Default: none. */
  readonly onProblem?: (line: string) => void;
  /**
   * The time between two signs of life while a request is open, in milliseconds: hosts with an idle clock give a prompt
   * up otherwise. Default: 60,000.
   */
  readonly signOfLifeMs?: number;
  /**
   * Called once the agent's output has ended while the host is there. Resolves with how that came, such as "the agent
   * ended by SIGKILL: out of memory": what the host waits for fails with it. Default: "the agent has ended".
   */
  readonly lastWords?: () => Promise<string>;
}

const rules: OptionRules<AcpProxyOptions> = {
  host: option.required(option.object),
  agent: option.required(option.object),
  people: option.required(option.callable),
  onProblem: option.callable,
  signOfLifeMs: option.amount,
  lastWords: option.callable,
};

const LIFE_MS = 60_000;

/** A proxy between a host and its ACP agent. */
export interface AcpProxy {
  /** Resolves once the host or the agent is gone, all is handed on, and what was open is withdrawn. */
  readonly ended: Promise<void>;
}

/**
 * Stands between a host of ACP, such as an editor, and its agent, in version 1 and in the draft of version 2. Lines pass
 * as the bytes they came in. Permissions, forms and links go to people too: the first answer wins, and the request is
 * taken back from the others. A host that shows no forms gets none, and people alone are asked. Of two proxies on the way
 * to one agent, the one at the host asks people.
 *
 * @throws TypeError for options that do not fit.
 */
export function acpProxy(options: AcpProxyOptions): AcpProxy {
  checkOptions("acpProxy", options, rules);
  const { host, agent, people, onProblem = () => {}, signOfLifeMs = LIFE_MS } = options;
  const { lastWords = async () => "the agent has ended" } = options;
  const known = new Known();
  const awaited = new AwaitedReplies();
  const links = openLinks();
  const requests: ProxiedRequests = new ProxiedRequests({
    known,
    links,
    people,
    problem: onProblem,
    toHost: (message) => down.insert(message),
    toAgent: (message) => up.insert(message),
  });

  function fromAgent(message: PeerMessage = {}): LineFate {
    const { id, method, params } = message;
    known.fromAgent(message);
    awaited.fromAgent(message);
    if (method === undefined || id === undefined) {
      if (method === "$/cancel_request") return requests.takenBack(membersOf(params).requestId);
      if (method === "elicitation/complete") links.complete(textIn(membersOf(params).elicitationId) ?? "");
      return "pass";
    }
    return requests.asked(message);
  }

  function fromHost(message: PeerMessage = {}): LineFate {
    const { id, method, params } = message;
    known.fromHost(message);
    awaited.fromHost(message);
    if (method === "initialize") return introduce(message);
    if (method === "session/cancel") requests.cancelled(membersOf(params).sessionId);
    return method === undefined && id !== undefined ? requests.replied(message) : "pass";
  }

  /** The errors for a host that waits for an agent that is gone. */
  async function failures(): Promise<readonly object[]> {
    if (host.input.readableEnded || host.input.destroyed) return [];
    const error = { code: acpCodes.internal, message: await lastWords() };
    return awaited.ids().map((id) => ({ jsonrpc: "2.0", id, error }));
  }

  const down: LinePipe = linePipe(agent.input, host.output, fromAgent, { last: failures });
  const up: LinePipe = linePipe(host.input, agent.output, fromHost);

  function introduce(message: PeerMessage): LineFate {
    requests.meet(message.params);
    up.insert(withEverything(message));
    return "drop";
  }

  const alive = setInterval(() => requests.signsOfLife(), signOfLifeMs);
  const ended = down.ended.finally(async () => {
    clearInterval(alive);
    await requests.end();
  });
  // The host is gone, so what is open can no longer be answered.
  void up.ended.then(() => requests.end());
  return { ended };
}
