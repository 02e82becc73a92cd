import type { AgentSession } from "@askwire/server";
import { tellPerson } from "./notices.js";
import type { AcpModeSettings } from "./settings.js";

/** Keeps the plan mode of a session and the agent's mode for planning alike. */
export interface PlanModeLink {
  /** Compares both where the agent has just opened a conversation: plan mode of either is that of both. */
  opened(): void;
  /** Follows the agent, which has changed its mode by itself. */
  agentChanged(): void;
  /** Ends the link. */
  close(): void;
}

/** A mode in which the agent only looks and plans, by its id or its name. */
const isPlanning = ({ id, name }: { readonly id: string; readonly name: string }) =>
  /(?:^|[/#:])plan(?:ning)?$/i.test(id) || /^plan(?:ning)?(?: mode)?$/i.test(name.trim());

export function planModeLink(session: AgentSession, settings: AcpModeSettings): PlanModeLink {
  let isOpen = false;
  let isChanging = false;
  /** The mode to go back to. */
  let before: string | undefined;

  const planning = () => settings.modes.find(isPlanning)?.id;
  const isOn = () => settings.mode !== undefined && settings.mode === planning();

  /** Changes the agent's mode until it is what the session wants, which may change meanwhile. */
  async function follow(): Promise<void> {
    if (!isOpen || isChanging) return;
    isChanging = true;
    try {
      while (session.planMode !== isOn()) {
        const mode = session.planMode
          ? planning()
          : (before ?? settings.modes.find((mode) => !isPlanning(mode))?.id);
        if (mode === undefined) return refuse("This agent has no plan mode");
        if (session.planMode) before = settings.mode;
        await settings.setMode(mode);
      }
    } catch (error) {
      refuse(`The agent did not change its mode: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      isChanging = false;
    }
  }

  /** Nobody is to believe that an agent only plans while it may change things. */
  function refuse(title: string): void {
    session.planMode = isOn();
    const body = session.planMode ? "Plan mode is on." : "Plan mode is off: the agent may change things.";
    tellPerson(session, { severity: "warning", title, body });
  }

  const close = session.watch(() => {
    if (session.planMode !== isOn()) queueMicrotask(() => void follow());
  });
  return {
    opened() {
      isOpen = true;
      if (session.planMode) void follow();
      else if (isOn()) session.planMode = true;
    },
    agentChanged() {
      if (!isChanging && planning() !== undefined && session.planMode !== isOn()) session.planMode = isOn();
    },
    close,
  };
}
