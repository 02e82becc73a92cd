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
  const next: readonly [Command, string][] =
    line.is === "none"
      ? [["start", words.start]]
      : [
          ["restart", words.restart],
          ["showLog", words.showLog],
        ];
  return (
    <section className="line">
      <p role="status">{visibleText(textOf(line, words))}</p>
      {line.is === "starting" && line.printed === undefined ? null : (
        <div className="askwire-buttons">
          {[...next, ["openSettings", words.openSettings] as const].map(([command, label], at) => (
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

function textOf(line: AgentLink, words: ViewWords): string {
  switch (line.is) {
    case "starting":
      return line.printed ? `${words.starting} ${words.printed(line.printed)}` : words.starting;
    case "lost":
    case "ended":
      return words[line.is](line.why);
    default:
      return words.none;
  }
}
