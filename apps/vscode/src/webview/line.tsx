// The state of the agent in words, with what to do next.
import { visibleText } from "@askwire/client/text";
import type { ViewWords } from "@askwire/client/words";
import type { ReactNode } from "react";
import type { ToHost } from "../messages.js";
import type { AgentLink } from "../view-state.js";

/** A command that the view offers. */
export type LineCommand = Extract<ToHost, { type: "command" }>["name"];

export function AgentLine({
  line,
  words,
  run,
}: {
  readonly line: AgentLink;
  readonly words: ViewWords;
  run(command: LineCommand): void;
}): ReactNode {
  if (line.is === "connected") return null;
  return (
    <section className="line">
      <p role="status">{visibleText(textOf(line, words))}</p>
      {line.is === "starting" && line.printed === undefined ? null : (
        <Steps steps={nextSteps(line, words)} run={run} />
      )}
    </section>
  );
}

/** Another window has the session of the folder: who may be there too, and the ways on. */
export function HeldLine({
  held,
  words,
  run,
  onPutAway,
}: {
  readonly held: "shared" | "alone";
  readonly words: ViewWords;
  run(command: LineCommand): void;
  onPutAway(): void;
}): ReactNode {
  const begin = ["newSession", words.newSession] as const;
  // Watching is offered in any case: the person may turn on askwire.inbox in the other window meanwhile.
  const watch = ["watch", words.watch] as const;
  return (
    <section className="line">
      <div className="notice">
        <p role="status">{held === "shared" ? words.held : `${words.held} ${words.heldAlone}`}</p>
        <PutAway words={words} onPress={onPutAway} />
      </div>
      <Steps steps={held === "shared" ? [watch, begin] : [begin, watch]} run={run} />
    </section>
  );
}

/** The button that puts a notice away. */
export const PutAway = ({ words, onPress }: { readonly words: ViewWords; onPress(): void }): ReactNode => (
  <button type="button" aria-label={words.putAway} title={words.putAway} onClick={onPress}>
    ×
  </button>
);

/** A command with its label. */
type Step = readonly [LineCommand, string];

/** The buttons of the ways on, the likeliest first. */
const Steps = ({
  steps,
  run,
}: {
  readonly steps: readonly Step[];
  run(command: LineCommand): void;
}): ReactNode => (
  <div className="askwire-buttons">
    {steps.map(([command, label], at) => (
      <button
        key={command}
        type="button"
        className={at === 0 ? "askwire-main" : ""}
        onClick={() => run(command)}
      >
        {label}
      </button>
    ))}
  </div>
);

/** The commands that a person may want next, the likeliest first. */
function nextSteps({ is }: AgentLink, words: ViewWords): readonly Step[] {
  if (is === "noFolder") return [["openFolder", words.openFolder]];
  const settings = ["openSettings", words.openSettings] as const;
  if (is === "none") return [["start", words.start], ["chooseAgent", words.chooseAgent], settings];
  return [["restart", words.restart], ["showLog", words.showLog], settings];
}

function textOf(line: AgentLink, words: ViewWords): string {
  switch (line.is) {
    case "starting":
      return line.printed ? `${words.starting} ${words.printed(line.printed)}` : words.starting;
    case "lost":
    case "ended":
      return words[line.is](line.why);
    case "noFolder":
      return words.noFolder(line.missing);
    default:
      return words.none;
  }
}
