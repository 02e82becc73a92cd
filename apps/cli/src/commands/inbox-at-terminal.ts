import { createHash } from "node:crypto";
import { join } from "node:path";
import type { ClientSession } from "@askwire/client";
import { visibleLine } from "@askwire/client/text";
import { type PanelWords, type TerminalWords, terminalWords } from "@askwire/client/words";
import { shareFolder } from "@askwire/server";
import type { InboxOptions } from "../command-line/inbox.js";
import { processClock } from "../device/clock.js";
import { columnsOf, paintFor } from "../device/paint.js";
import { type OpenedPerson, Pane } from "../inbox/pane.js";
import { defaultSignals, signalsOf } from "../inbox/signals.js";
import { SpokenInbox } from "../inbox/spoken.js";
import type { InboxRow, InboxTold, Watched } from "../inbox/waiting.js";
import { onEndSignal } from "../input/end-signals.js";
import { languageOf } from "../input/language.js";
import { openLines } from "../lines/lines.js";
import { personAtTerminal } from "../panel/person-at-terminal.js";
import { keptDrafts } from "../sessions/kept-drafts.js";
import { TerminalTranscript } from "../terminal/transcript.js";

/** Shows the inbox in this terminal until the person leaves it: as a list, or in lines where nothing is drawn. */
export async function inboxAtTerminal(
  { lang, plain, signal: chosen = defaultSignals }: InboxOptions,
  watch: (told: InboxTold) => Watched,
): Promise<void> {
  const { stdin, stdout, env } = process;
  const lines = openLines(stdin, stdout, { plain });
  const paint = paintFor(stdout, env);
  const words = withBack(terminalWords[languageOf(lang, env)]);
  const columns = () => (lines.asking ? undefined : columnsOf(stdout, env));
  const transcript = new TerminalTranscript(lines, paint, words, columns);
  const tell = (line: string) => transcript.line(paint("dim", line));
  const home = shareFolder(env, { kimi: false });

  function person({ request }: InboxRow, left: () => void): OpenedPerson {
    let session: ClientSession | undefined;
    const folder = join(home, "drafts", hashOf(`inbox ${request.session_id}`));
    const work = keptDrafts(() => folder);
    const manner = {
      bell: false,
      left,
      interrupted: left,
      nobody: left,
      leavesOut: () => session?.server?.capabilities?.askwire?.skip === true,
      work,
    };
    const asked = personAtTerminal({ lines, transcript, paint, words, env }, manner);
    return {
      person: asked,
      answerer: {
        shows: {
          ...{
            previews: true,
            skip: true,
            fields: true,
            approvalOptions: true,
            edits: true,
            quorum: true,
            presence: true,
          },
          deadline: asked.showsDeadlines,
        },
        settled: () => work.drop(request.request_id),
        joined(joined) {
          session = joined;
        },
      },
    };
  }

  const here = { lines, words: words.inbox, paint, clock: processClock, now: Date.now, person };
  const all = watch({
    changed: () => shown.changed(),
    ended: (name, waiting) => tell(words.inbox.ended(visibleLine(name), waiting)),
  });
  const shown = lines.draws
    ? new Pane({
        ...here,
        waiting: all.waiting,
        tell,
        signals: signalsOf(chosen, env),
        signal: (sequence) => void (sequence !== "" && stdout.write(sequence)),
      })
    : new SpokenInbox({ ...here, waiting: all.waiting, tell: (line) => transcript.line(line) });
  onEndSignal(() => shown.close());
  lines.onGone(() => shown.close());
  lines.onInterrupt(() => (shown instanceof SpokenInbox ? shown.interrupted() : shown.close()));
  try {
    await shown.run();
  } finally {
    all.close();
    await lines.answered();
    lines.close();
  }
}

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 32);

/** The words for panels in which Esc leads back to the list, and Ctrl-D declines. */
function withBack(words: TerminalWords): TerminalWords {
  const { back, decline, ...hints } = words.inbox.inPanel;
  const keys = { ...words.panel.keys, decline: `${back} · ${decline}`, clear: back };
  const panel: PanelWords = { ...words.panel, ...hints, keys };
  return { ...words, panel };
}
