/** @import { ChatModule, Measure } from "../contract.js" */
import { setTimeout as delay } from "node:timers/promises";
import { cpuMs } from "../system.mjs";
import { inTerminal } from "./in-terminal.mjs";

/** A paragraph of digits, so that a letter in the output is a typed one. */
const WORDS = Array.from({ length: 700 }, (_, at) => String(10_000 + at));
/** The time without a turn in which the CPU time of a chat is read, in seconds. */
const IDLE_S = 3;
/** Keys that are typed while texts stream: each is shown once. */
const KEYS = "abcdefghijklmnopqrstuvwxyz";

/** @type {Measure} */
export const chat = {
  name: "chat",
  title: "A conversation in a terminal",
  note: `From spawning the command in a pseudo-terminal until a prompt can be typed; bytes written at 80 by 24 for a paragraph of ${WORDS.length} streamed words, for each byte of it; CPU time of the command in ${IDLE_S} seconds without a turn, for each of them; from a key until it is on the terminal while 1,000 texts a second stream (${KEYS.length} keys). Not pinned.`,
  columns: () => [
    { key: "prompt", label: "first prompt, ms" },
    { key: "bytes", label: "bytes a byte of text" },
    { key: "idle", label: "idle CPU, ms a second" },
    { key: "key", label: "a key while texts stream, ms" },
  ],
  reps: ({ quick }) => (quick ? 2 : 5),
  async open(peer) {
    /** @type {ChatModule} */
    const { chatLine } = await import(`../peers/${peer.name}/chat.mjs`);
    return chatLine(WORDS);
  },
  async sample(_peer, _settings, state) {
    const { args, begins } = /** @type {ReturnType<ChatModule["chatLine"]>} */ (state);
    const prompt = await untilPrompt(begins);
    const { child, bytes, written } = inTerminal(args);
    try {
      await written("end of turn");
      const perByte = bytes() / WORDS.join(" ").length;
      await delay(500);
      const before = cpuMs(child.pid);
      await delay(IDLE_S * 1_000);
      const after = cpuMs(child.pid);
      child.write("more\r");
      await written("100 ");
      let waited = 0;
      for (const key of KEYS) {
        const pressed = performance.now();
        child.write(key);
        await written(key);
        waited += performance.now() - pressed;
      }
      return {
        prompt,
        bytes: perByte,
        ...(before !== null && after !== null && { idle: (after - before) / IDLE_S }),
        key: waited / KEYS.length,
      };
    } finally {
      child.kill("SIGKILL");
    }
  },
};

/** The time from spawning a conversation until one can type, in milliseconds. @param {ReturnType<ChatModule["chatLine"]>["begins"]} begins */
async function untilPrompt({ args, mark }) {
  const begin = performance.now();
  const { child, written } = inTerminal(args);
  try {
    await written(mark);
    return performance.now() - begin;
  } finally {
    child.kill("SIGKILL");
  }
}
