import type { ModelConversation } from "@askwire/agent";
import type { AgentSession, Attendance, SlashCommand } from "@askwire/server";

export interface SlashCommandsInit {
  readonly session: AgentSession;
  readonly conversation: ModelConversation;
  /** The attendance that `/afk` restores in a session that began unattended. Default: `attended`. */
  readonly attended?: Attendance | undefined;
}

/** The slash commands of the command's agent, for one session. */
export function slashCommands({ session, conversation, ...init }: SlashCommandsInit): SlashCommand[] {
  let attended = init.attended ?? "attended";

  return [
    {
      name: "clear",
      description: "Forget the conversation so far",
      aliases: ["reset"],
      async run(turn) {
        conversation.clear();
        turn.say("The conversation is cleared.");
        conversation.tellFigures(turn);
      },
    },
    {
      name: "compact",
      description: "Replace the conversation so far by a summary",
      async run(turn) {
        const done = await conversation.compact(turn);
        turn.say(done ? "The conversation is summarized." : "Nothing was summarized.");
        if (done) conversation.tellFigures(turn);
      },
    },
    toggle({
      name: "plan",
      description: "Plan mode: look and plan, change nothing (on, off, or toggle)",
      isOn: () => session.planMode,
      turn(on) {
        session.planMode = on;
      },
      said: { on: "Plan mode is on: nothing is changed.", off: "Plan mode is off." },
    }),
    toggle({
      name: "yolo",
      description: "Approve every action without asking (on, off, or toggle)",
      isOn: () => session.yolo,
      turn(on) {
        session.yolo = on;
      },
      said: {
        on: "Every action is approved without asking. Questions are still asked.",
        off: "Actions are asked about again.",
      },
    }),
    toggle({
      name: "afk",
      description: "Nobody is there to answer (on, off, or toggle)",
      isOn: () => session.attendance === "decline",
      turn(on) {
        const away = session.attendance === "decline";
        if (on && !away) attended = session.attendance;
        if (on !== away) session.attendance = on ? "decline" : attended;
      },
      said: {
        on: "Nobody is asked anything: questions go unanswered, and actions that need approval are rejected, unless /yolo is on.",
        off: "You are back: questions and approvals are put to you again.",
      },
    }),
  ];
}

interface Toggle {
  readonly name: string;
  readonly description: string;
  isOn(): boolean;
  turn(on: boolean): void;
  /** The words for each state, said before the change is made and clients are told. */
  readonly said: { readonly on: string; readonly off: string };
}

/** Makes a command that takes `on`, `off`, or nothing to switch over. */
function toggle({ name, description, isOn, turn: set, said }: Toggle): SlashCommand {
  return {
    name,
    description,
    async run(turn, args) {
      const wanted = readSwitch(args, isOn());
      if (wanted === undefined) return turn.say(`/${name} ${args}: expected on, off or nothing.`);
      turn.say(wanted ? said.on : said.off);
      set(wanted);
    },
  };
}

/** Reads a switch: `on`, `off`, or nothing to switch over. Undefined for other words. */
function readSwitch(args: string, current: boolean): boolean | undefined {
  const word = args.toLowerCase();
  if (word === "") return !current;
  return word === "on" ? true : word === "off" ? false : undefined;
}
