#!/usr/bin/env node
// @ts-check
// Does one act, which it reads on its standard input, at the client with a window.
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";

const act = await text(process.stdin);
const { do: name } = JSON.parse(act);
if (name === "steer") process.exit(3);
if (name === "discuss") throw new Error("the button is not there");

const path = join(dirname(process.env.ASKWIRE_CONFORMANCE_AGENT ?? ""), "window.socket");
/** Tries until the window is open. */
function press() {
  const socket = connect(path, () => socket.end(act));
  socket.on("error", () => setTimeout(press, 20));
}
if (name !== "end") press();
