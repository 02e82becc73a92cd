import type { ChannelSink } from "../framing/channel.js";

/** Hands a message on that the library has read already. */
export function handOn(message: unknown, sink: ChannelSink): void {
  let text: string;
  try {
    text = JSON.stringify(message);
  } catch {
    return sink.unreadable?.("Invalid message: it is nested too deep");
  }
  sink.message(text);
}
