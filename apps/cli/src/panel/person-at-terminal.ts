import type { TerminalWords } from "@askwire/client/words";
import { editText } from "../device/editor.js";
import type { Paint } from "../device/paint.js";
import type { LineFeed } from "../lines/line-readers.js";
import type { ShownTranscript } from "../terminal/agent-transcript.js";
import type { KeptWork } from "../terminal/kept-work.js";
import { PersonByLines } from "../terminal/person.js";
import { LinePerson } from "./line-person.js";
import { attentionOf, noAttention } from "./notify.js";
import { PanelPerson } from "./panel-person.js";
import type { TerminalPerson } from "./terminal-person.js";
import { panelView } from "./view.js";

interface Terminal {
  readonly lines: LineFeed;
  readonly transcript: ShownTranscript;
  readonly paint: Paint;
  readonly words: TerminalWords;
  readonly env: NodeJS.ProcessEnv;
}

interface Manner {
  /** Set to ring, notify and mark the title. Default: true. */
  readonly bell?: boolean | undefined;
  /** Set if earlier typing counts, since the person started the command. Default: false. */
  readonly eager?: boolean;
  /** Called on Ctrl-C in a panel. Default: Ctrl-C declines. */
  readonly interrupted?: () => void;
  /** Called on Esc in a panel, which then decides nothing. Default: Esc wipes own words, or declines. */
  readonly left?: () => void;
  /** Cancels the turn. */
  readonly cancelTurn?: () => void;
  /** Reports if questions can be left out, as the server may take them. Default: they cannot. */
  readonly leavesOut?: () => boolean;
  /** Reports if answers may have notes, as the server may take them. Default: they may not. */
  readonly takesNotes?: () => boolean;
  /** Reports if the person may ask to talk first, as the server may take it. Default: they may not. */
  readonly discusses?: () => boolean;
  /** Keeps the unsent work on questions. Default: it lives as long as the process. */
  readonly work?: KeptWork;
  /** Gives what says for the session that nobody is to be asked (line by line). Default: nothing does. */
  readonly stopAsking?: () => (() => void) | undefined;
  /** Called when the person sees a request and no line can come: the pipe has ended, or the terminal is gone. */
  readonly nobody: () => void;
}

/** The person who answers here: in panels, or in lines if nothing is drawn (L-28, L-32). */
export function personAtTerminal({ env, ...terminal }: Terminal, manner: Manner): TerminalPerson {
  const { bell = true, eager = false, interrupted, left, cancelTurn, stopAsking, nobody } = manner;
  const { leavesOut, takesNotes, discusses, work } = manner;
  const { lines, words, paint } = terminal;
  const byLines = new PersonByLines({
    ...terminal,
    nobody,
    // A copy would keep what its getters say now.
    ...(eager && { lines: Object.create(lines, { dropTyped: { value() {} } }) as LineFeed }),
    ...(stopAsking !== undefined && { stopAsking }),
    ...(leavesOut !== undefined && { leavesOut }),
    ...(work !== undefined && { work }),
  });
  if (!lines.draws) {
    const tell = (text: string) => terminal.transcript.line(paint("dim", text));
    return new LinePerson(byLines, { words: words.panel, tell, work });
  }
  const view = panelView({ words: words.panel, paint });
  const attention = bell ? attentionOf(env.TERM) : noAttention;
  return new PanelPerson(
    { ...terminal, byLines, view, attention },
    {
      guarded: !eager,
      edit: (text, name, signal) => editText(text, name, env, signal),
      ...(interrupted !== undefined && { interrupted }),
      ...(left !== undefined && { left }),
      ...(cancelTurn !== undefined && { cancelTurn }),
      ...(leavesOut !== undefined && { leavesOut }),
      ...(takesNotes !== undefined && { takesNotes }),
      ...(discusses !== undefined && { discusses }),
      ...(work !== undefined && { work }),
    },
  );
}
