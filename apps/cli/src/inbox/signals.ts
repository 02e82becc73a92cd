import { plain } from "../panel/notify.js";

/** The ways to call a person to the inbox. */
export const signalNames = ["bell", "title", "osc9", "osc777", "none"] as const;
export type SignalName = (typeof signalNames)[number];

export const defaultSignals: readonly SignalName[] = ["bell", "title"];

/** Sequences that call a person. Empty where a way was not chosen, or the terminal would write it as text. */
export interface CallSequences {
  /** Calls the person for requests that have come. */
  call(text: string): string;
  /** Marks the title of the window with what waits. */
  title(text: string): string;
}

const BEL = "\u0007";
const ESC = "\u001b";

/**
 * The chosen ways on a kind of terminal. tmux passes a notification on where its `allow-passthrough` is on.
 *
 * @param env `TERM` names the terminal, `TMUX` is set within tmux.
 */
export function signalsOf(chosen: readonly SignalName[], env: NodeJS.ProcessEnv): CallSequences {
  const has = (name: SignalName) => chosen.includes(name) && !chosen.includes("none");
  const takesText = env.TERM !== "linux" && env.TERM !== "dumb";
  const through = (sequence: string) =>
    env.TMUX ? `${ESC}Ptmux;${sequence.replaceAll(ESC, ESC + ESC)}${ESC}\\` : sequence;
  return {
    call(text) {
      const shown = plain(text);
      const osc9 = has("osc9") && takesText ? through(`${ESC}]9;askwire: ${shown}${BEL}`) : "";
      const osc777 = has("osc777") && takesText ? through(`${ESC}]777;notify;askwire;${shown}${BEL}`) : "";
      return (has("bell") ? BEL : "") + osc9 + osc777;
    },
    title: (text) => (has("title") && takesText ? `${ESC}]0;${plain(text)}${BEL}` : ""),
  };
}
