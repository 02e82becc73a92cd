import {
  type Agent,
  defineTool,
  QuestionRequest,
  type SlashCommand,
  type Subagent,
  wireSend,
} from "@askwire/server";
import * as z from "zod";

const shell = defineTool({
  name: "Shell",
  description: "Runs a command.",
  parameters: z.object({ command: z.string() }),
  async run() {
    return {
      output: "a.txt\n<b>b.txt</b>",
      display: [
        { type: "todo" as const, items: [{ title: "Look around", status: "done" }] },
        { type: "diff" as const, path: "a.txt", old_text: "one\n", new_text: "two\n" },
      ],
    };
  },
});

const scout: Subagent = {
  type: "scout",
  input: "look into a.txt",
  agent: {
    async run(turn) {
      turn.step();
      turn.say("It has one line.");
    },
  },
};

const task = defineTool({
  name: "Task",
  description: "Sends a sub-agent.",
  parameters: z.object({ path: z.string() }),
  run: async (_args, { subagent }) => (await subagent(scout)).text,
});

/** Gives back its words, under a name that nobody should see as it is. */
const said = defineTool({
  name: "Said\u202e",
  description: "Gives back its words.",
  parameters: z.object({ text: z.string() }),
  run: async ({ text }) => text,
});

const name = "Which <b>name</b>?";

/** An agent that does what its prompt says, for tests of what a page shows of it. */
export function talkingAgent(): {
  readonly agent: Agent;
  /** The agent's commands, which a test may change. */
  readonly commands: SlashCommand[];
  /** Lets the prompt `slow` say this, or end. */
  go(piece?: string): void;
} {
  const pieces: (string | undefined)[] = [];
  let wake = () => {};
  async function piece(): Promise<string | undefined> {
    while (pieces.length === 0) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return pieces.shift();
  }
  const acts = new Map<string, Agent["run"]>([
    [
      "story",
      async (turn) => {
        turn.step();
        turn.emit("ContentPart", { type: "think", think: "I look around *first*." });
        turn.say("# Story\n\nI **look** around.");
        await turn.callTool(shell, { command: "ls -l" });
        await turn.callTool(task, { path: "a.txt" });
        turn.emit("PlanDisplay", { content: "1. Rename it", file_path: "plan.md" });
        const request = new QuestionRequest({
          tool_call_id: turn.id,
          questions: [{ question: name, options: [{ label: "Shop" }, { label: "Stall" }] }],
        });
        wireSend(request);
        const { [name]: chosen } = await request.wait();
        turn.step();
        turn.say(`It is called ${chosen}.`);
      },
    ],
    [
      "rich",
      async (turn) => {
        const options = [{ label: "Day" }, { label: "Night", preview: "# Dark" }];
        const deadline = { ms: 600_000, on_expiry: "cancel" as const };
        const questions = [{ question: "Which theme?", options, own_text: false }];
        const request = new QuestionRequest({ tool_call_id: turn.id, questions, deadline });
        wireSend(request);
        await request.wait();
      },
    ],
    [
      "slow",
      async (turn) => {
        turn.step();
        for (let said = await piece(); said !== undefined; said = await piece()) {
          turn.say(said);
          turn.takeSteers();
        }
      },
    ],
    ["call", async (turn) => void (await turn.callTool(shell, { command: "ls" }))],
    [
      "foreign",
      async (turn) => {
        await turn.callTool(said, { text: `<script>alert(1)</script> \u202egnp.exe ${"x".repeat(100_000)}` });
        turn.say(
          `<img src=x onerror=alert(1)> \u202egnp.exe [x](javascript:alert(1)) ${"y".repeat(100_000)}`,
        );
      },
    ],
    [
      "long",
      async (turn) => turn.say(Array.from({ length: 200 }, (_, at) => `Paragraph ${at}`).join("\n\n")),
    ],
    [
      "wait",
      async (turn) => {
        turn.step();
        turn.say("I wait.");
        await new Promise((_, reject) =>
          turn.signal.addEventListener("abort", () => reject(turn.signal.reason)),
        );
      },
    ],
  ]);
  const commands: SlashCommand[] = [
    {
      name: "compact",
      description: "Sums up",
      aliases: ["sum"],
      run: async (turn) => turn.say("Summed up."),
    },
    {
      name: "clear",
      description: "Begins anew",
      run: async (turn, args) => turn.say(`Cleared ${args}.`),
    },
  ];
  return {
    commands,
    agent: {
      commands,
      async run(turn) {
        const act = acts.get(String(turn.input));
        if (act === undefined) turn.say(`You said: ${turn.input}`);
        else await act(turn);
      },
    },
    go(said) {
      pieces.push(said);
      wake();
    },
  };
}
