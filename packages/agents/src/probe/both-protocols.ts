import type { DialedChannel } from "@askwire/client/stdio";
import { type ChannelSink, LocalError, type MessageChannel } from "@askwire/protocol";
import { Room } from "@askwire/protocol/internal";
import type { IntroducedAgent } from "../acp/introduce.js";

/** Messages that may come after the answer, before somebody listens, and the UTF-16 units of all. */
const MOST_EARLY = { count: 4_096, units: 32 * 1_048_576 };

/**
 * Lets one `initialize` introduce a client to an agent of either protocol: the first one that is sent carries the fields
 * of both. An agent of the wire is answered to as on the channel itself.
 *
 * @param acp the parameters of `initialize` in ACP, whose names the wire does not use, but for `capabilities`.
 * @returns `channel` for the client of the wire, and `answered`, which resolves if the agent is one of ACP. The channel
 * then ends for the client of the wire.
 */
export function bothProtocols(
  channel: DialedChannel,
  acp: Readonly<Record<string, unknown>>,
): { readonly channel: DialedChannel; readonly answered: Promise<IntroducedAgent> } {
  /** The id of the `initialize`; undefined before, and after its answer. */
  let asked: unknown;
  let isAsked = false;
  let isAcp = false;
  let sink: ChannelSink;
  let answer: (found: IntroducedAgent) => void;
  const answered = new Promise<IntroducedAgent>((resolve) => {
    answer = resolve;
  });

  /** The channel of an agent of ACP, from its answer on. */
  function takeOver(initialized: Readonly<Record<string, unknown>>): IntroducedAgent {
    const early: ((to: ChannelSink) => void)[] = [];
    const room = new Room(MOST_EARLY);
    const later = (units: number, tell: (to: ChannelSink) => void) => {
      if (room.take(units)) early.push(tell);
      else channel.close();
    };
    sink = {
      message: (text) => later(text.length, (to) => to.message(text)),
      oversized: (bytes) => later(0, (to) => to.oversized(bytes)),
      // The end is told whatever came before it.
      closed: (cause) => void early.push((to) => to.closed(cause)),
    };
    const rest: MessageChannel = {
      ...channel,
      listen(to) {
        sink = to;
        for (const tell of early) tell(to);
      },
    };
    return { channel: rest, initialized };
  }

  function read(text: string): void {
    const { id, result } = parsed(text);
    if (!isAsked || id !== asked) return sink.message(text);
    isAsked = false;
    if (!isOfAcp(result)) return sink.message(text);
    isAcp = true;
    channel.introduced?.();
    const wire = sink;
    answer(takeOver(result));
    wire.closed(new LocalError("BAD_PEER", "the agent speaks ACP"));
  }

  return {
    answered,
    channel: {
      ...channel,
      send(text) {
        const { id, method, params } = asked === undefined ? parsed(text) : {};
        if (method !== "initialize") return channel.send(text);
        asked = id;
        isAsked = true;
        const both = { ...acp, ...Object(params), capabilities: capabilitiesOf(acp, params) };
        channel.send(JSON.stringify({ ...parsed(text), params: both }));
      },
      listen(to) {
        sink = to;
        channel.listen({
          message: (text) => (isAsked ? read(text) : sink.message(text)),
          oversized: (bytes) => sink.oversized(bytes),
          unreadable: (problem) => sink.unreadable?.(problem),
          closed: (cause) => sink.closed(cause),
        });
      },
      close: (...why) => {
        if (!isAcp) channel.close(...why);
      },
    },
  };
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
