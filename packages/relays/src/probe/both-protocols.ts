import type { DialedChannel } from "@askwire/client/stdio";
import { type ChannelSink, LocalError } from "@askwire/protocol";
import { Room } from "@askwire/protocol/internal";
import type { IntroducedAgent } from "../acp/introduce.js";

/** Messages that may come after the answer, before somebody listens, and the UTF-16 units of all. */
const MOST_EARLY = { count: 4_096, units: 32 * 1_048_576 };

/**
 * Lets one `initialize` introduce a client to an agent of either protocol: the first one that is sent carries the
 * fields of both. An agent of the wire is answered to as on the channel itself.
 */
export class BothProtocols {
  /** The channel for the client of the wire. It ends for that client once the agent has answered as one of ACP. */
  readonly channel: DialedChannel;
  /** Resolves if the agent is one of ACP. */
  readonly answered: Promise<IntroducedAgent>;
  readonly #agent: DialedChannel;
  readonly #acp: Readonly<Record<string, unknown>>;
  /** The protocol, once the `initialize` was "sent" and the agent has answered it. */
  #protocol: "unknown" | "sent" | "wire" | "acp" = "unknown";
  /** The id of the `initialize`. */
  #id: unknown;
  /** The client that listens. */
  #sink: ChannelSink | undefined;
  #answer: (found: IntroducedAgent) => void = () => {};

  /** @param acp the parameters of `initialize` in ACP, whose names the wire does not use, but for `capabilities`. */
  constructor(agent: DialedChannel, acp: Readonly<Record<string, unknown>>) {
    this.#agent = agent;
    this.#acp = acp;
    this.answered = new Promise((resolve) => {
      this.#answer = resolve;
    });
    this.channel = {
      ...agent,
      send: (text) => this.#send(text),
      listen: (sink) => this.#listen(sink),
      close: (...why) => {
        if (this.#protocol !== "acp") agent.close(...why);
      },
    };
  }

  #send(text: string): void {
    const message = this.#protocol === "unknown" ? parsed(text) : {};
    if (message.method !== "initialize") return this.#agent.send(text);
    const { id, params } = message;
    this.#id = id;
    this.#protocol = "sent";
    const both = { ...this.#acp, ...Object(params), capabilities: capabilitiesOf(this.#acp, params) };
    this.#agent.send(JSON.stringify({ ...message, params: both }));
  }

  #listen(sink: ChannelSink): void {
    this.#sink = sink;
    this.#agent.listen({
      message: (text) => (this.#protocol === "sent" ? this.#read(text) : this.#sink?.message(text)),
      oversized: (bytes) => this.#sink?.oversized(bytes),
      unreadable: (problem) => this.#sink?.unreadable?.(problem),
      closed: (cause) => this.#sink?.closed(cause),
    });
  }

  /** Reads a message that may be the answer. */
  #read(text: string): void {
    const { id, result } = parsed(text);
    const isAnswer = id === this.#id;
    if (isAnswer && isOfAcp(result)) return this.#takeOver(result);
    if (isAnswer) this.#protocol = "wire";
    this.#sink?.message(text);
  }

  /** Hands the channel over to the client of ACP, from the answer on. */
  #takeOver(initialized: Readonly<Record<string, unknown>>): void {
    this.#protocol = "acp";
    this.#agent.introduced?.();
    const wire = this.#sink;
    const early = new EarlyMessages(() => this.#agent.close());
    this.#sink = early;
    const listen = (sink: ChannelSink) => {
      this.#sink = sink;
      early.tell(sink);
    };
    this.#answer({ channel: { ...this.#agent, listen }, initialized });
    wire?.closed(new LocalError("BAD_PEER", "the agent speaks ACP"));
  }
}

/** The messages that come before somebody listens. */
class EarlyMessages implements ChannelSink {
  readonly #overflow: () => void;
  readonly #room = new Room(MOST_EARLY);
  readonly #messages: ((to: ChannelSink) => void)[] = [];

  /** @param overflow called for a message that does not fit. */
  constructor(overflow: () => void) {
    this.#overflow = overflow;
  }

  message(text: string): void {
    this.#keep(text.length, (to) => to.message(text));
  }

  oversized(bytes: number): void {
    this.#keep(0, (to) => to.oversized(bytes));
  }

  closed(cause?: Error): void {
    // The end is reported whatever came before it.
    this.#messages.push((to) => to.closed(cause));
  }

  /** Gives the listener all that has come. */
  tell(to: ChannelSink): void {
    for (const tell of this.#messages) tell(to);
  }

  #keep(units: number, tell: (to: ChannelSink) => void): void {
    if (this.#room.take(units)) this.#messages.push(tell);
    else this.#overflow();
  }
}

/** The capabilities of both, which the wire and the second version of ACP call alike. */
const capabilitiesOf = (...all: readonly unknown[]): object =>
  Object.assign({}, ...all.map((params) => Object(params).capabilities));

/** The members of a message; none for a text that is no JSON object. */
function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** ACP numbers its versions; the wire has a text with dots, under another name. */
const isOfAcp = (result: unknown): result is Readonly<Record<string, unknown>> =>
  typeof result === "object" &&
  result !== null &&
  "protocolVersion" in result &&
  Number.isInteger(result.protocolVersion) &&
  !("protocol_version" in result);
