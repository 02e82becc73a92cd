// The agent of the shown session and the modes that are on: one quiet line, which leads to the choice of another agent.
import { visibleLine } from "@askwire/client/text";
import type { ViewWords } from "@askwire/client/words";
import type { ReactNode } from "react";
import type { ShownAgent, ViewParts } from "../view-state.js";

export function AgentFacts({
  agent,
  talk,
  words,
  onChoose,
}: {
  readonly agent: ShownAgent;
  readonly talk: ViewParts["talk"] | undefined;
  readonly words: ViewWords;
  onChoose(): void;
}): ReactNode {
  const name = visibleLine(words.agents[agent.is](agent.name));
  const modes = [
    talk?.planMode === true && words.planMode,
    talk?.approvesAll === true && words.approvesAll,
    talk?.doNotAsk === true && words.asksNothing,
  ].filter((mode) => mode !== false);
  return (
    <p className="agent">
      <button type="button" title={words.agentIs(name)} aria-label={words.agentIs(name)} onClick={onChoose}>
        {name}
      </button>
      {modes.map((mode) => (
        <small key={mode}>{mode}</small>
      ))}
    </p>
  );
}
