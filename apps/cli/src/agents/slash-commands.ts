import type { AgentSession, Attendance, ModelConversation, SlashCommand } from "@askwire/server";

export interface SlashCommandsInit {
  readonly session: AgentSession;
  readonly conversation: ModelConversation;
  /** What `/afk` comes back to in a session that began without anybody. Default: `attended`. */
  readonly attended?: Attendance | undefined;
}

/** The commands that a prompt to the command's agent may begin with, for one session. */
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
      },
    },
    {
      name: "compact",
      description: "Replace the conversation so far by a summary",
      async run(turn) {
        const done = await conversation.compact(turn);
        turn.say(done ? "The conversation is summarized." : "Nothing was summarized.");
      },
    },
    {
      name: "plan",
      description: "Plan mode: look and plan, change nothing (on, off, or toggle)",
      async run(turn, args) {
        const wanted = readSwitch(args, session.planMode);
        if (wanted === undefined) return turn.say(`/plan ${args}: expected on, off or nothing.`);
        if (wanted !== session.planMode) session.planMode = wanted;
        turn.say(wanted ? "Plan mode is on: nothing is changed." : "Plan mode is off.");
      },
    },
    {
      name: "yolo",
      description: "Approve every action without asking (on, off, or toggle)",
      async run(turn, args) {
        const wanted = readSwitch(args, session.yolo);
        if (wanted === undefined) return turn.say(`/yolo ${args}: expected on, off or nothing.`);
        session.yolo = wanted;
        turn.say(
          wanted
            ? "Every action is approved without asking. Questions are still asked."
            : "Actions are asked about again.",
        );
      },
    },
    {
      name: "afk",
      description: "Nobody is there to answer (on, off, or toggle)",
      async run(turn, args) {
        const away = session.attendance === "decline";
        const wanted = readSwitch(args, away);
        if (wanted === undefined) return turn.say(`/afk ${args}: expected on, off or nothing.`);
        if (wanted && !away) attended = session.attendance;
        if (wanted !== away) session.attendance = wanted ? "decline" : attended;
        turn.say(
          wanted
            ? "Nobody is asked anything: questions go unanswered, and actions that need approval are rejected, unless /yolo is on."
            : "You are back: questions and approvals are put to you again.",
        );
      },
    },
  ];
}

/** What a switch is set to by these words: `on`, `off`, or nothing, which turns it over. Undefined: neither. */
function readSwitch(args: string, current: boolean): boolean | undefined {
  const word = args.toLowerCase();
  if (word === "") return !current;
  return word === "on" ? true : word === "off" ? false : undefined;
}
