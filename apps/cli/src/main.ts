import { realpathSync } from "node:fs";
import { visibleText, withoutMiddle } from "@askwire/client/text";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { outliveTerminal } from "./device/lost-terminal.js";
import { Failure, usageFailure } from "./input/failure.js";
import { hostLines, linesFor } from "./mcp/host-lines.js";
import { languages } from "./words/language.js";

const program = new Command("askwire")
  .description("The wire between an agent that needs a decision and the person who can make it.")
  .version(__ASKWIRE_VERSION__, "-V, --version", "print the version")
  .helpOption("-h, --help", "show this help")
  .showHelpAfterError("(askwire --help shows what there is)")
  .exitOverride()
  .enablePositionalOptions()
  .addHelpText(
    "after",
    `
askwire COMMAND --help shows the options of a command, with examples. The first steps:
  askwire chat                                  a conversation without a model, about this folder
  askwire chat --model openai-compatible:NAME   with a model, at OPENAI_BASE_URL with OPENAI_API_KEY
  askwire ask --question "Deploy now?" --option Yes --option No

--wire takes --work-dir, --session, --continue, --config, --config-file, --model, --agent-file,
--max-steps-per-turn, --yolo (or --auto-approve) and --afk as kimi does, and --dialect, --no-resume
and --raw-errors besides. Other flags of kimi have no effect, and most of them are named on standard error.`,
  )
  .configureOutput({
    writeOut(text) {
      // A help text comes in several pieces.
      if (process.stdout.listenerCount("error") === 0) endOnError(process.stdout, "standard output", 0);
      process.stdout.write(text);
    },
  })
  .hook("preAction", (_program, command) => {
    endOnError(process.stderr, "standard error", 1);
    // On a stream that carries the wire, the channel hears of errors.
    const { wire, stdio } = command.opts();
    if (wire || stdio) return;
    // Printed text may be read in part; a conversation must be read whole.
    endOnError(process.stdout, "standard output", command.name() === "chat" ? 1 : 0);
  });

/**
 * Ends the command silently when the reader of its output is gone. Another failure to write ends it with a line.
 *
 * @param unread the exit code for a reader that is gone, if the command has set none.
 */
function endOnError(stream: NodeJS.WriteStream, name: string, unread: 0 | 1): void {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    // The other listener belongs to output that must arrive, and knows better.
    if (stream.listenerCount("error") > 1) return;
    if (error.code === "EPIPE") process.exit(process.exitCode || unread);
    process.stderr.write(`askwire: ${name}: ${error.message}\n`);
    process.exit(1);
  });
}

/** UTF-16 units of the longest failure that is told: a name in a file may be as long as the file. */
const MOST_SAID = 8_000;

const sharedOptions = (command: Command) =>
  command
    .option("--interview <file>", "a questionnaire, YAML or JSON, that needs no model")
    .option("--model <name>", "a model: a name of the configuration, or PROVIDER:MODEL")
    .option(
      "--keys-file <file>",
      "where the keys of model providers are, as NAME=value lines; else the environment",
    )
    .option("--script <file>", "a scripted model: a JSON array, one string of lines for each model call")
    .option(
      "--dialect <names>",
      "how the model asks (kimi, klaude, kilo, kilo-xml, redc) and calls (adp, adp-native), or none; else kimi",
    )
    .option("--agent <name>", 'an agent by its name: "askwire agents" lists them')
    .option("--acp", "that agent, or the program after --, speaks ACP; else its answer tells")
    .option("--wire", "that agent, or the program after --, speaks the wire")
    .option("--work-dir <folder>", "the folder that the agent works in; else this one")
    .option("--session <id>", "the session to open: one that is kept goes on, another begins")
    .option("--continue", "go on with the last session of the folder")
    .option("--no-resume", "end the turn that an earlier process left, instead of going on with it")
    .option("--out <file>", "another name for the one file that an interview writes")
    .option("--yolo", "approve every action without asking; questions and choices are still asked")
    .option("--afk", "nobody is there: questions are answered so, and nothing is approved");

const terminalOptions = (command: Command) =>
  command
    .addOption(
      new Option("--lang <language>", "the language of the terminal; else that of the locale").choices(
        languages,
      ),
    )
    .option("--plain", "ask line by line instead of in a panel, as is best for screen readers");

terminalOptions(sharedOptions(program.command("chat", { isDefault: false })))
  .summary("a conversation with an agent, in the terminal")
  .description(
    "Hold a conversation with an agent in the terminal. Without a source it runs the shipped interview.",
  )
  .argument(
    "[command...]",
    "after --: a program that speaks the wire or ACP on its standard input and output",
  )
  .option("--prompt <text>", "the first prompt, instead of the first line")
  .option("--connect <address>", 'a session of a running server, as "askwire serve --listen" prints it')
  .option("--token-file <file>", "where the token is, if not in the address; else ASKWIRE_TOKEN")
  .option("--no-bell", "no bell, no notification and no mark in the title when something is asked")
  .addHelpText(
    "after",
    `
A question or an approval opens a panel:
  ↑ ↓ Enter       choose; Space checks one of several; 1 to 9 choose; what you type is your own answer
  Tab ← →         go from question to question; all answers are shown before they are sent
  Ctrl-E          shows all that there is to read; q leaves it
  y a n           at an approval: to approve, approve for this session, reject; the last row rejects and says why
  Esc Ctrl-C      decline
What you type:
  at the prompt   words for the agent; Ctrl-J or Alt-Enter begins a line; /help lists the commands; /exit leaves,
                  and so does Ctrl-C pressed twice
  meanwhile       words reach the agent after its current step; Ctrl-C cancels the turn
  with --plain    at a question a number, several with commas, a label or your own words; /decline declines;
                  at an approval y, a (always in this session) or n [why]
Without a terminal the lines of standard input are the prompt, the answers and the next prompts, in the order in
which they are needed. An empty line is no answer, and the end of the input declines.

Examples:
  askwire chat                                  the shipped interview, on this folder
  askwire chat --interview setup.yaml           a questionnaire of your own
  askwire chat --model openai-compatible:NAME   a model, at OPENAI_BASE_URL with OPENAI_API_KEY
  askwire chat --model openai-compatible:NAME --continue
                                                the same, with the conversation that was held here last
  askwire chat --model openai-compatible:NAME --dialect klaude
                                                a model that asks as those of klaude-code do
  askwire chat -- node my-agent.mjs             an agent that you wrote
  askwire chat --agent claude                   an agent of others, in the version that is shipped by name
  askwire chat --connect 'ws://…/wire/…#…'      a session that others may share`,
  )
  .action(async (command: string[], options) => {
    // Commander drops a lone `--`.
    if (command.length === 0 && process.argv.at(-1) === "--" && options.prompt !== "--")
      throw usageFailure("chat --: expected a program, such as: askwire chat -- node my-agent.mjs");
    return (await import("./commands/chat.js")).chat(command, options);
  });

sharedOptions(program.command("serve"))
  .summary("serve an agent to clients")
  .description("Serve an agent to clients. Without a source it is the shipped interview.")
  .option("--stdio", "to one client, over standard input and output")
  .option("--listen <host:port>", "to many, over WebSocket; port 0 takes a free one")
  .option(
    "--token-file <file>",
    "where the token is that clients must know, at least 22 characters of base64url; else a new one",
  )
  .option("--answer-address", "print a second address, for clients that may only answer what is asked")
  .option("--answer-token-file <file>", "where the token of that address is; else a new one")
  .option("--allow-host <name...>", "other names that clients may reach this server by")
  .option("--allow-origin <origin...>", "other origins from which browsers may connect")
  .option("--allow-remote", "allow an address that is not loopback")
  .option(
    "--page-server <origin...>",
    "other servers whose sessions the page may show; each needs --allow-origin with this page's origin",
  )
  .option("--no-web", "leave out the page for browsers, which --listen serves at /")
  .option("--open", "open the page in the browser of this machine")
  .addOption(
    new Option(
      "--qr [role]",
      'draw a code that pairs a phone; with "answer" it may only answer what is asked',
    ).choices(["answer"]),
  )
  .option("--public-url <url>", "the address that others reach this server by, behind a proxy or a tunnel")
  .option("--tls-cert <file>", "a certificate in PEM, to listen with TLS: https and wss")
  .option("--tls-key <file>", "the key of that certificate")
  .option("--notify <command>", "a line of the shell that is run for each request that opens or is settled")
  .addOption(
    new Option("--notify-text <how>", "how much of a request it is told; else header").choices([
      "none",
      "header",
      "full",
    ]),
  )
  .option("--raw-errors", "tell clients the text of an exception, which is else only in the log")
  .addHelpText(
    "after",
    `
--notify gives its command one JSON object on standard input: {"event": "asked" or "settled", "id", "kind", "title",
"body", "options", "url", "session", "deadline"}. The url has no token: a device opens it once it is paired.
docs/remote.md has more on browsers and phones.

Examples:
  askwire serve --stdio --script demo.json      for a client that starts this command
  askwire serve --listen 127.0.0.1:0 --model openai-compatible:NAME
                                                for terminals and browsers; prints the address with its token
  askwire serve --listen 127.0.0.1:0 --answer-address
                                                and an address for people who may answer, and nothing else
  askwire serve --listen 127.0.0.1:0 --open     with the page in your browser
  askwire serve --listen 127.0.0.1:0 --open --agent claude
                                                an agent of others there, for any number of people
  askwire serve --stdio -- gemini --acp         an agent of ACP, for clients of the wire
  askwire serve --listen 0.0.0.0:8443 --allow-remote --tls-cert cert.pem --tls-key key.pem --qr
                                                for a phone in the same network`,
  )
  .argument(
    "[command...]",
    "after --: a program that speaks the wire or ACP on its standard input and output",
  )
  .action(async (command: string[], options) =>
    (await import("./commands/serve.js")).serve(command, options),
  );

const collect = (value: string, previous: readonly string[] = []) => [...previous, value];

terminalOptions(program.command("ask"))
  .summary("ask a person from a shell script")
  .description("Ask a person from a shell script and print what came of it, as one line of JSON.")
  .option("--question <text>", "what to ask", collect)
  .option(
    "--option <label>",
    "something to choose; may be repeated, and left out for an open question",
    collect,
  )
  .option("--header <text>", "a short tag before the question")
  .option("--multi", "several options may be chosen")
  .option("--questions <file>", "one or more questions, JSON; without it and --question from standard input")
  .option("--answers <file>", "answers, JSON, instead of a person at the terminal")
  .option("--connect <address>", 'ask the people of a running server, as "askwire serve --listen" prints it')
  .option("--token-file <file>", "where its token is, if not in the address; else ASKWIRE_TOKEN")
  .option(
    "--key <key>",
    "a name of your own for the question: with it the command comes back for the outcome",
  )
  .option("--no-wait", "end once it is asked; the same line without this waits for the outcome")
  .option("--deadline <seconds>", "how long people have; then it expires", positiveInteger)
  .option("--name <name>", "who asks, as people are told; else askwire-ask")
  .addHelpText(
    "after",
    `
It asks at the terminal, also where standard input or output are pipes, with the keys of askwire chat: Esc declines,
Ctrl-C withdraws the question.
  questions  {"questions": [{"question": TEXT, "header": TEXT, "options": [LABEL or {"label": TEXT,
             "description": TEXT}], "multi_select": true}]}; all but the question may be left out
  answers    {QUESTION: LABEL or [LABEL] or {"own_text": TEXT}}; a question that is left out is skipped
  printed    {"outcome": {"status": …}, "answers": {QUESTION: TEXT}, "items": […]}

With --connect it asks everybody who is connected to a session of "askwire serve --listen", and the first answer
counts. The same questions with the same --key are asked once: a command that was killed finds them, or their
outcome, when it is started again. Without a key they are withdrawn when the command is gone. The line has the key
too; with --no-wait its outcome is null while the question is open.

Exit code: 0 answered, 3 declined, 4 nobody could answer or its time is over, 5 still open (--no-wait),
130 interrupted, 2 wrong use, 1 another failure.

Examples:
  askwire ask --question "Deploy now?" --option Yes --option No
  answer=$(askwire ask --question "Which colour?") && echo "$answer"
  askwire ask --questions release.json --answers ci-answers.json
  askwire ask --connect 'ws://…/wire/…#…' --key deploy-42 --question "Deploy now?" --option Yes --option No`,
  )
  .action(async (options) => (await import("./commands/ask.js")).ask(options));

/** The longest wait of the options of `askwire mcp`, in minutes. */
const DAY_MINUTES = 24 * 60;

const gatewayOptions = (command: Command) =>
  command
    .option(
      "--idle <minutes>",
      "how long the gateway stays while nobody needs it; else 10",
      upTo(DAY_MINUTES),
    )
    .option("--notify <command>", "a line of the shell that the gateway runs for each question, as in serve")
    .addOption(
      new Option("--notify-text <how>", "how much of a question it is told; else header").choices([
        "none",
        "header",
        "full",
      ]),
    );

gatewayOptions(program.command("mcp"))
  .summary("an MCP server: gives any agent tools that ask you")
  .description(
    "Serve MCP over standard input and output: the tools ask_user_question and ask_user_status, for the configuration " +
      "of Claude Code, Codex, Cursor, VS Code, OpenCode or another MCP host. You answer in a browser, on a phone or in a terminal.",
  )
  .option(
    "--connect <address>",
    'ask at a running server, as "askwire serve --listen" prints it; else at your gateway',
  )
  .option("--token-file <file>", "where its token is, if not in the address; else ASKWIRE_TOKEN")
  .option(
    "--timeout <seconds>",
    "how long a call waits before it returns with a handle; else by host, or 50",
    upTo(DAY_MINUTES * 60),
  )
  .addOption(
    new Option(
      "--via <way>",
      "where questions are asked: elicitation is the host's own form, where it has one",
    )
      .choices(["gateway", "elicitation"])
      .default("gateway"),
  )
  .addOption(
    new Option(
      "--on-cancel <what>",
      "what becomes of a question whose call is cancelled, or whose host is gone",
    )
      .choices(["keep", "withdraw"])
      .default("keep"),
  )
  .addOption(
    new Option(
      "--print <host>",
      "print what to type or to write so that the host starts this installation, and end",
    ).choices(Object.keys(hostLines)),
  )
  .addHelpText(
    "after",
    `
The first call starts your gateway, a process in the background with the page; all your agents share it. Open it with
"askwire open". A host gives a tool call little time: before it is over, the call returns with a handle, the question
stays open, and the agent comes back with the handle. A host's limit and a person's cancel look alike, so a cancelled
question is kept unless --on-cancel withdraw says otherwise. docs/mcp.md has the configuration of each host.

Examples:
  askwire mcp --print claude-code               what to type so that Claude Code has the tools
  askwire open                                  the page with the questions, in your browser`,
  )
  .action(async ({ print, ...options }) => {
    if (print === undefined) return (await import("./commands/mcp.js")).mcp(options);
    process.stdout.write(linesFor(print, process.execPath, realpathSync(process.argv[1] ?? "")));
  });

terminalOptions(gatewayOptions(program.command("open")))
  .summary("open the questions of your agents, in the browser")
  .description(
    'Open the page of your gateway in the browser, with a code that counts once: there "askwire mcp" asks. Starts the ' +
      "gateway where none runs.",
  )
  .option("--terminal", "answer in this terminal instead")
  .addHelpText(
    "after",
    `
Examples:
  askwire open
  askwire open --terminal`,
  )
  .action(async (options) => (await import("./commands/open.js")).open(options));

gatewayOptions(program.command("gateway", { hidden: true }))
  .description('The gateway that "askwire mcp" and "askwire open" start.')
  .action(async (options) => (await import("./commands/gateway.js")).gateway({ idle: 10, ...options }));

program
  .command("conformance")
  .summary("check a server or a client of the protocol, in any language")
  .helpOption(false)
  .usage("server|client|gateway [options] -- COMMAND, or template LANGUAGE")
  .argument("[arguments...]")
  .allowUnknownOption()
  .passThroughOptions()
  .action(async () => {
    const args = process.argv.slice(process.argv.indexOf("conformance") + 1);
    return (await import("./commands/conformance.js")).conformance(args);
  });

const placeOptions = (command: Command) =>
  command
    .option("--all", "the sessions of every folder")
    .option("--work-dir <folder>", "the folder whose sessions are meant; else this one");

const sessions = placeOptions(program.command("sessions"))
  .summary("list kept sessions with what is open in them, and remove some")
  .description(
    "List the sessions that are kept for a folder: when each was active last, its size, whether a process has it, and " +
      "each question or approval that is open in it, and since when.",
  )
  .helpCommand(false)
  .option("--waiting", "only those in which something is open")
  .option("--json", "one session a line, as JSON")
  .addHelpText(
    "after",
    `
"cut off" is a session whose process ended without closing it. What is open in a session that no process has is
answered in "askwire chat --session ID", with the options that it had; else by a client of the process that has it.

Examples:
  askwire sessions                              those of this folder
  askwire sessions --all --waiting              everything that waits for a person
  askwire sessions rm 6f0c2a1e                  one is removed; the first characters of an id suffice
  askwire sessions prune --older-than 30d --larger-than 10MB`,
  )
  .action(async (options) => (await import("./commands/sessions.js")).listSessions(options));

placeOptions(sessions.command("rm"))
  .summary("remove sessions")
  .description(
    "Remove sessions with all their files, once you have confirmed it. None that a process has open.",
  )
  .argument("<ids...>", "their ids, or the first characters of them")
  .option("--yes", "remove without asking")
  .action(async (ids: string[], options) =>
    (await import("./commands/sessions.js")).removeSessions(ids, options),
  );

placeOptions(sessions.command("prune"))
  .summary("remove old or large sessions")
  .description(
    "Remove the sessions that are old, large, or with both options both, once you have confirmed it. None that a " +
      "process has open, and none in which something is open.",
  )
  .option("--older-than <age>", "not active for so long: a number with m, h, d or w")
  .option("--larger-than <size>", "with more than this on disk: a number with kB, MB or GB")
  .option("--include-waiting", "also those in which something is open")
  .option("--yes", "remove without asking")
  .addHelpText(
    "after",
    `
Exit code of rm and prune: 0 removed, or nothing to remove; 1 where one could not be removed; 2 wrong use.

Examples:
  askwire sessions prune --older-than 30d
  askwire sessions prune --all --older-than 12w --larger-than 100MB --yes`,
  )
  .action(async (options) => (await import("./commands/sessions.js")).pruneSessions(options));

const devices = program
  .command("devices")
  .summary("list the devices that were paired, and revoke some")
  .description(
    'List the browsers and phones that a code of "askwire serve --open" or "--qr" has paired: their ids, when each ' +
      "was used last and paired, and which may only answer. Each may connect to every server of this person.",
  )
  .helpCommand(false);

devices
  .command("list", { isDefault: true })
  .summary("list them, the one that was used last first")
  .description("List the devices that were paired, the one that was used last first.")
  .option("--json", "one device a line, as JSON")
  .action(async (options) => (await import("./commands/devices.js")).listDevices(options));

devices
  .command("revoke")
  .summary("let some in no more, and close their connections")
  .description("Let devices in no more. Servers that run close their connections within a second.")
  .argument("<ids...>", "their ids")
  .addHelpText(
    "after",
    `
Exit code: 0 revoked; 2 wrong use, such as an id of no device; 1 another failure.

Example:
  askwire devices revoke 3k9f0a2c`,
  )
  .action(async (ids: string[]) => (await import("./commands/devices.js")).revokeDevices(ids));

const agentsPlace = (command: Command) =>
  command.option("--work-dir <folder>", "the folder whose project is meant; else this one");

const agents = program
  .command("agents")
  .summary("list the agents that have a name, and approve those of a project")
  .description(
    "List the agents that have a name: those of your configuration, of the machine's, the shipped ones, and those of " +
      "the file .askwire/config.toml of the folder's project, whose commands you approve first.",
  )
  .helpCommand(false);

agentsPlace(agents.command("list", { isDefault: true }))
  .summary("list them with where they come from and what they run")
  .description("List the agents that have a name, with where each comes from, its command and its protocol.")
  .option("--json", "one agent a line, as JSON")
  .addHelpText(
    "after",
    `
Of equal names yours counts, then the machine's, then the shipped one, and a project's last. The shipped ones are
fetched by npx when they are used first.

Examples:
  askwire agents
  askwire agents --json --work-dir ~/project`,
  )
  .action(async (options) => (await import("./commands/agents.js")).listAgents(options));

agentsPlace(agents.command("approve"))
  .summary("approve the command of a project's agent")
  .description(
    "Show all that a project's file says of an agent, and approve that once you have confirmed it. A content that " +
      "changes is asked about again.",
  )
  .argument("<name>", "its name")
  .option("--sha256 <hash>", "approve without asking, if this is the hash of the content")
  .addHelpText(
    "after",
    `
Exit code: 0 approved, also before; 1 not approved, or another failure; 2 wrong use.

Examples:
  askwire agents approve reviewer
  askwire agents approve reviewer --sha256 6f0c…   for a script; askwire agents --json has the hash`,
  )
  .action(async (name: string, options) =>
    (await import("./commands/agents.js")).approveAgent(name, options),
  );

agentsPlace(agents.command("revoke"))
  .summary("take approvals back")
  .description("Take the approvals of a project's agents back. Agents that run already go on.")
  .argument("<names...>", "their names")
  .addHelpText(
    "after",
    `
Exit code: 0 revoked; 2 wrong use, such as a name that is not approved; 1 another failure.

Example:
  askwire agents revoke reviewer`,
  )
  .action(async (names: string[], options) =>
    (await import("./commands/agents.js")).revokeAgents(names, options),
  );

const trajectory = program
  .command("trajectory")
  .summary("make examples for training a model out of kept sessions")
  .description("Make examples for training a model out of kept sessions, and check files of them.")
  .helpCommand(false);

trajectory
  .command("export")
  .summary("write the trajectories of sessions, one a line")
  .description("Write the trajectories of sessions to a file, one JSON object a line.")
  .argument("[sessions...]", "ids that are kept for the work folder, folders, or wire.jsonl files")
  .requiredOption("--out <file>", "the file to write")
  .option("--all", "every session that is kept for the work folder")
  .option("--work-dir <folder>", "the folder whose sessions are meant; else this one")
  .option("--force", "replace the file if it exists")
  .option(
    "--keep-flagged",
    "keep unanswered queries, calls that were not executed and results of the model's own",
  )
  .option("--only-success", "leave out sessions whose last turn has no answer")
  .addOption(new Option("--tag <name>", "one name for all queries").choices(["tool_param", "param_query"]))
  .option("--system <file>", "a text to set as the system message")
  .addHelpText(
    "after",
    `
Prints how many were written and which were left out. docs/trajectories.md explains the format.
Exit code: 0 written, 2 wrong use, 1 another failure.

Examples:
  askwire trajectory export --all --out train.jsonl
  askwire trajectory export 6f0c… --work-dir ~/project --out one.jsonl
  askwire trajectory export old/wire.jsonl --out one.jsonl --tag tool_param --system short-prompt.txt
  askwire trajectory export --all --only-success --out train.jsonl --force`,
  )
  .action(async (sessions: string[], options) =>
    (await import("./commands/trajectory.js")).exportTrajectories(sessions, options),
  );

trajectory
  .command("check")
  .summary("check a file of trajectories")
  .description("Check a file of trajectories against its schema and rules, and print what is in it.")
  .argument("<file>", "the file to check")
  .addHelpText(
    "after",
    `
Each problem is a line, FILE:LINE: and the reason.
Exit code: 0 all right, 1 something is wrong, 2 wrong use.

Example:
  askwire trajectory check train.jsonl`,
  )
  .action(async (file: string) => (await import("./commands/trajectory.js")).checkTrajectoryFile(file));

program
  .command("info")
  .summary("print the versions")
  .description("Print the versions of the command and of the protocol.")
  .option("--json", "as one line of JSON")
  .action(async (options) => (await import("./commands/info.js")).info(options));

// The launch flags of `kimi --wire` without a subcommand, so that a client of `kimi` can launch this command.
const unusedFlags = {
  skillsDir: "--skills-dir <folder>",
  mcpConfig: "--mcp-config <text>",
  mcpConfigFile: "--mcp-config-file <file>",
  thinking: "--thinking",
};
program
  .option("--wire", "serve over standard input and output, with the launch flags of kimi --wire")
  .addOption(hidden("--work-dir <folder>"))
  .addOption(hidden("--model <name>"))
  .addOption(hidden("--dialect <names>"))
  .addOption(hidden("--agent-file <file>"))
  .addOption(hidden("--config <json>"))
  .addOption(hidden("--config-file <file>"))
  .addOption(hidden("--max-steps-per-turn <number>").argParser(positiveInteger))
  .addOption(hidden("--yolo"))
  .addOption(hidden("--auto-approve"))
  .addOption(hidden("--afk"))
  .addOption(hidden("--raw-errors"))
  .addOption(hidden("--session <id>"))
  .addOption(hidden("--continue"))
  .addOption(hidden("--no-resume"))
  .addOption(hidden("--no-thinking"));
for (const flags of Object.values(unusedFlags)) program.addOption(hidden(flags));
program.allowExcessArguments().action(async (options: Record<string, unknown>) => {
  const [unknown] = program.args;
  if (unknown !== undefined) program.error(`error: unknown command '${unknown}'`);
  if (options.wire !== true) return program.help();
  const unused = Object.entries(unusedFlags)
    .filter(([name]) => program.getOptionValueSource(name) === "cli" && name !== "thinking")
    .map(([, flags]) => flags.split(" ")[0] as string);
  const yolo = options.yolo === true || options.autoApprove === true;
  return (await import("./commands/wire.js")).wire({ ...options, yolo, unused });
});

function hidden(flags: string): Option {
  return new Option(flags).hideHelp();
}

/** Reads a whole number from 1 to `most`: a timer that is longer than 24 days ends at once. */
function upTo(most: number): (text: string) => number {
  return (text) => {
    const number = positiveInteger(text);
    if (number <= most) return number;
    throw new InvalidArgumentError(`expected a whole number from 1 to ${most}.`);
  };
}

function positiveInteger(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1)
    throw new InvalidArgumentError("expected a whole number from 1.");
  return number;
}

outliveTerminal();
program.parseAsync().catch((error: unknown) => {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  } else {
    // Many failures are told in the words of an agent or of a file.
    const words = visibleText(error instanceof Error ? error.message : String(error));
    process.stderr.write(`askwire: ${withoutMiddle(words, MOST_SAID)}\n`);
    process.exitCode = error instanceof Failure ? error.exitCode : 1;
  }
});
