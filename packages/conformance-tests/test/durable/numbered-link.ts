import type { ChannelSink, MessageChannel } from "@askwire/protocol";
import type { Process } from "./process.js";

/** A connection of a client to a process, whose every message is an act of that process. */
export interface NumberedLink {
  readonly server: MessageChannel;
  readonly client: MessageChannel;
}

/** The hearer of a link. */
export interface Ear {
  /** The process reads a message. */
  read(text: string): void;
  /** The process sends a message, which its client will get. */
  sent(text: string): void;
}

/** Two linked channels. Messages come in order, each in a turn of its own; the end of the process ends the link. */
export function numberedLink(process: Process, ear: Ear): NumberedLink {
  const server = channelEnd();
  const client = channelEnd();
  const toServer = way((text) => {
    process.act(
      `read ${nameOf(text)}`,
      () => {
        ear.read(text);
        server.sink?.message(text);
      },
      undefined,
    );
  });
  const toClient = way((text) => client.sink?.message(text));

  function end(cause?: Error): void {
    toServer.end(() => server.close(cause));
    toClient.end(() => client.close(cause));
  }
  process.onEnd(() => end(new Error("the process was killed")));

  return {
    server: {
      send(text) {
        process.act(
          `send ${nameOf(text)}`,
          () => {
            ear.sent(text);
            toClient.send(text);
          },
          undefined,
        );
      },
      listen: (sink) => server.listen(sink),
      close: () => end(),
      drained: () => Promise.resolve(),
    },
    client: {
      send: (text) => toServer.send(text),
      listen: (sink) => client.listen(sink),
      close: () => end(),
      drained: () => Promise.resolve(),
    },
  };
}

/** A direction of a link. */
function way(deliver: (text: string) => void) {
  const queue: (() => void)[] = [];
  let isOpen = true;
  let isPumping = false;

  function pump(): void {
    isPumping = queue.length > 1;
    if (isPumping) setImmediate(pump);
    queue.shift()?.();
  }

  function add(act: () => void): void {
    queue.push(act);
    if (!isPumping) setImmediate(pump);
    isPumping = true;
  }

  return {
    send(text: string) {
      if (isOpen) add(() => deliver(text));
    },
    /** Lets what was sent arrive first. */
    end(act: () => void) {
      if (isOpen) add(act);
      isOpen = false;
    },
  };
}

function channelEnd() {
  let isOpen = true;
  return {
    sink: undefined as ChannelSink | undefined,
    listen(sink: ChannelSink) {
      this.sink = sink;
    },
    close(cause?: Error) {
      if (isOpen) this.sink?.closed(cause);
      isOpen = false;
    },
  };
}

/** A word for a message: its method, its type, or that it is a reply. */
function nameOf(text: string): string {
  const { method, params } = JSON.parse(text);
  return method === undefined ? "a reply" : [method, params?.type].filter(Boolean).join(" ");
}
