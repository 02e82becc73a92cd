// The state of the agent in words, with what to do next.
import { visibleText } from "@askwire/client/text";
import type { ViewWords } from "@askwire/client/words";
import type { ReactNode } from "react";
import type { ToHost } from "../messages.js";
import type { AgentLink } from "../view-state.js";

type Command = Extract<ToHost, { type: "command" }>["name"];

export function AgentLine({
  line,
  words,
  run,
}: {
  readonly line: AgentLink;
  readonly words: ViewWords;
  run(command: Command): void;
}): ReactNode {
  if (line.is === "connected") return null;
  return (
    <section className="line">
      <p role="status">{visibleText(textOf(line, words))}</p>
      {line.is === "starting" && line.printed === undefined ? null : (
        <div className="askwire-buttons">
          {nextSteps(line, words).map(([command, label], at) => (
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
      )}
    </section>
  );
}

/** The commands that a person may want next, the likeliest first. */
function nextSteps({ is }: AgentLink, words: ViewWords): readonly (readonly [Command, string])[] {
  if (is === "noFolder") return [["openFolder", words.openFolder]];
  const settings = ["openSettings", words.openSettings] as const;
  if (is === "none") return [["start", words.start], settings];
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
