import { type ChannelSink, linkedPair, type MessageChannel } from "@askwire/protocol";

/** A connection between a client and a scripted server, which breaks when the server says so. */
export interface BreakableChannel {
  readonly clientEnd: MessageChannel;
  readonly serverEnd: MessageChannel;
  /** Breaks the connection: nothing of what is under way arrives, and both ends learn of it. */
  cut(): void;
}

/** Makes a connection in one process. */
export function breakableChannel(): BreakableChannel {
  const { left, right } = linkedPair();
  const ends: { closed(cause: Error): void }[] = [];
  let isCut = false;
  const breakable = (channel: MessageChannel): MessageChannel => ({
    ...channel,
    send: (text) => void (isCut || channel.send(text)),
    drained: (bytes) => channel.drained(bytes),
    close: (code, reason) => channel.close(code, reason),
    listen(sink: ChannelSink) {
      ends.push(sink);
      channel.listen({
        ...sink,
        message: (text) => void (isCut || sink.message(text)),
        closed: (cause) => void (isCut || sink.closed(cause)),
      });
    },
  });
  return {
    clientEnd: breakable(right),
    serverEnd: breakable(left),
    cut() {
      if (isCut) return;
      isCut = true;
      for (const end of ends) end.closed(new Error("the scripted server dropped the connection"));
    },
  };
}
