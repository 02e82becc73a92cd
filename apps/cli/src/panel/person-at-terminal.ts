import type { Paint } from "../device/paint.js";
import type { Lines } from "../lines/line-readers.js";
import { createPerson } from "../terminal/person.js";
import type { Transcript } from "../terminal/transcript.js";
import type { Words } from "../words/words.js";
import { attentionOf, noAttention } from "./notify.js";
import { createPanelPerson, type PanelPerson } from "./panel-person.js";
import { panelView } from "./view.js";

export interface TerminalPerson extends PanelPerson {
  /** Whether a deadline is shown, with what counts when it passes. */
  readonly showsDeadlines: boolean;
}

interface Terminal {
  readonly lines: Lines;
  readonly transcript: Transcript;
  readonly paint: Paint;
  readonly words: Words;
  readonly env: NodeJS.ProcessEnv;
}

interface Manner {
  /** Whether to ring, notify and mark the title. Default: yes. */
  readonly bell?: boolean | undefined;
  /** Whether what was typed before counts, since the person started this. Default: no. */
  readonly eager?: boolean;
  /** What Ctrl-C in a panel does. Default: it declines. */
  readonly interrupted?: () => void;
  /** Cancels the turn. */
  readonly cancelTurn?: () => void;
}

/** The person who answers here: in panels, or in lines where nothing is drawn (L-28, L-32). */
export function personAtTerminal(
  { env, ...terminal }: Terminal,
  { bell = true, eager = false, interrupted, cancelTurn }: Manner,
): TerminalPerson {
  const { lines, words, paint } = terminal;
  const byLines = createPerson(eager ? { ...terminal, lines: { ...lines, dropTyped() {} } } : terminal);
  if (!lines.draws) {
    return {
      ...byLines,
      showsDeadlines: false,
      takeAhead() {},
      updated() {},
      hasTold: () => false,
      close() {},
    };
  }
  const view = panelView({ words: words.panel, paint });
  const attention = bell ? attentionOf(env.TERM) : noAttention;
  const person = createPanelPerson(
    { ...terminal, byLines, view, attention },
    {
      guarded: !eager,
      ...(interrupted !== undefined && { interrupted }),
      ...(cancelTurn !== undefined && { cancelTurn }),
    },
  );
  return { ...person, showsDeadlines: true };
}
