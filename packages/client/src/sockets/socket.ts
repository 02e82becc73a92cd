import type { ChannelSink, MessageChannel } from "@askwire/protocol";

/** The part of the standard WebSocket that browsers and `ws` share. */
export interface SocketLike {
  readonly readyState: number;
  readonly bufferedAmount: number;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  /** `error` has the system's code in Node; browsers tell neither it nor a message. */
  addEventListener(
    type: "open" | "error",
    listener: (event: { message?: string; error?: unknown }) => void,
  ): void;
  addEventListener(type: "message", listener: (event: { data: unknown }) => void): void;
  addEventListener(type: "close", listener: (event: { code: number; reason: string }) => void): void;
}

/** A socket being opened, with the difference between runtimes. */
export interface OpenedSocket {
  readonly socket: SocketLike;
  /** Called before each frame, to gather the frames of one turn of the event loop. */
  readonly beforeSend?: () => void;
}

/**
 * Opens a socket with a token and a bound for incoming messages, which browsers cannot set.
 * The package's conditions choose the runtime's function.
 */
export type OpenSocket = (url: string, token: string | undefined, maxBytes: number) => OpenedSocket;

const OPEN = 1;

/**
 * A channel with one message in each text frame. The socket is heard at once: early messages wait for a listener.
 * `explain` makes the cause of an abnormal close, from its code and the words of the server or the socket.
 */
export function socketChannel(
  { socket, beforeSend }: OpenedSocket,
  explain: (code: number, reason: string) => Error | undefined,
): MessageChannel {
  let sink: ChannelSink | undefined;
  const early: ((to: ChannelSink) => void)[] = [];
  let failed = "";
  socket.addEventListener("message", ({ data }) => {
    if (typeof data !== "string") socket.close(1003, "text frames only");
    else if (sink === undefined) early.push((to) => to.message(data));
    else sink.message(data);
  });
  socket.addEventListener("error", ({ message = "" }) => {
    failed ||= message;
  });
  socket.addEventListener("close", ({ code, reason }) => {
    const cause = explain(code, reason || failed);
    if (sink === undefined) early.push((to) => to.closed(cause));
    else sink.closed(cause);
  });
  return {
    send(text) {
      if (socket.readyState !== OPEN) return;
      beforeSend?.();
      socket.send(text);
    },
    listen(listener) {
      sink = listener;
      for (const tell of early.splice(0)) tell(listener);
    },
    close: (code = 1000, reason = "") => socket.close(code, reason),
    drained: () => Promise.resolve(),
  };
}
