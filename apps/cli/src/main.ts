import { visibleText, withoutMiddle } from "@askwire/client/text";
import { Command, CommanderError, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { acpCommand } from "./command-line/acp.js";
import { adminCommand, grantCommand, listGrantsCommand, revokeGrantCommand } from "./command-line/admin.js";
import {
  agentsCommand,
  approveAgentCommand,
  listAgentsCommand,
  revokeAgentsCommand,
} from "./command-line/agents.js";
import { askCommand } from "./command-line/ask.js";
import { auditCommand, forgetCommand, pruneAuditCommand } from "./command-line/audit.js";
import { chatCommand } from "./command-line/chat.js";
import { conformanceCommand } from "./command-line/conformance.js";
import {
  devicesCommand,
  listDevicesCommand,
  nameDeviceCommand,
  revokeDevicesCommand,
} from "./command-line/devices.js";
import { hookClaudeCommand, hookCommand } from "./command-line/hook.js";
import { inboxAnswerCommand, inboxCommand } from "./command-line/inbox.js";
import { infoCommand } from "./command-line/info.js";
import { kimiFlags, unusedFlags } from "./command-line/kimi-flags.js";
import { gatewayCommand, mcpCommand, openCommand } from "./command-line/mcp.js";
import { serveCommand } from "./command-line/serve.js";
import { moveCommand, pruneCommand, removeCommand, sessionsCommand } from "./command-line/sessions.js";
import {
  addTokenCommand,
  listTokensCommand,
  revokeTokensCommand,
  rotateTokenCommand,
  tokensCommand,
} from "./command-line/tokens.js";
import { checkCommand, exportCommand, trajectoryCommand } from "./command-line/trajectory.js";
import { outliveTerminal } from "./device/lost-terminal.js";
import { CommandFailure, usageFailure } from "./input/failure.js";
import { ownStart } from "./installed/own-start.js";
import { linesFor } from "./mcp/host-lines.js";

const program = new Command("askwire")
  .description("The wire between an agent that needs a decision and the person who can make it.")
  .version(__ASKWIRE_VERSION__, "-V, --version", "print the version")
  .helpOption("-h, --help", "show this help")
  .showHelpAfterError("(askwire --help lists the commands)")
  .exitOverride()
  .enablePositionalOptions()
  .addHelpText(
    "after",
    `
Run "askwire COMMAND --help" for the options of a command, with examples. First steps:
  askwire chat                                  talk about this folder, without a model
  askwire chat --model openai-compatible:NAME   talk to a model at OPENAI_BASE_URL, with OPENAI_API_KEY
  askwire ask --question "Deploy now?" --option Yes --option No

--wire accepts these flags of kimi: --work-dir, --session, --continue, --config, --config-file, --model,
--agent-file, --max-steps-per-turn, --yolo (or --auto-approve) and --afk. It adds --dialect, --no-resume and
--raw-errors. Other flags of kimi have no effect; most print a notice on standard error.`,
  )
  .configureOutput({
    writeOut(text) {
      // A help text comes in several pieces.
      if (process.stdout.listenerCount("error") === 0) endOnError(process.stdout, "standard output", 0);
      process.stdout.write(text);
    },
  })
  .hook("preAction", (_program, command) => {
    refuseEarlyOptions(command);
    endOnError(process.stderr, "standard error", 1);
    // On a stream that carries the wire, the channel hears of errors.
    const { wire, stdio } = command.opts();
    if (wire || stdio) return;
    // Printed text may be read in part; a conversation must be read whole.
    endOnError(process.stdout, "standard output", command.name() === "chat" ? 1 : 0);
  });

/**
 * Refuses options of a command that stand before a command of it, where they would not count.
 *
 * @throws Failure that says where to put them.
 */
function refuseEarlyOptions(command: CommandUnknownOpts): void {
  const { parent } = command;
  const early = parent?.options.find(
    (option) => parent.getOptionValueSource(option.attributeName()) === "cli",
  );
  if (parent?.parent == null || early === undefined) return;
  const [above, name] = [parent.name(), command.name()];
  const next = command.options.some(({ long }) => long === early.long)
    ? `put it behind, as in askwire ${above} ${name} … ${early.long}`
    : `leave it out: ${name} has no such option`;
  throw usageFailure(`${above}: ${early.long} stands before "${name}", where it does not count: ${next}`);
}

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
/** The time in which a command that has failed may still write what it said, in milliseconds. */
const LEFT_MS = 1_000;

// The work of a command is loaded when the command runs.
chatCommand(program).action(async (command, options) =>
  (await import("./commands/chat.js")).chat(command, options),
);
serveCommand(program).action(async (command, options) =>
  (await import("./commands/serve.js")).serve(command, options),
);
askCommand(program).action(async (options) => (await import("./commands/ask.js")).runAsk(options));
mcpCommand(program).action(async ({ print, ...options }) => {
  if (options.install !== undefined || options.uninstall !== undefined)
    return (await import("./commands/mcp-install.js")).mcpInstall(options);
  if (options.dryRun === true || options.yes === true)
    throw usageFailure("mcp: --dry-run and --yes need --install HOST or --uninstall HOST");
  if (print === undefined) return (await import("./commands/mcp.js")).mcp(options);
  process.stdout.write(linesFor(print, ownStart()));
});
hookClaudeCommand(hookCommand(program)).action(async (options) => {
  if (options.install === true || options.uninstall === true)
    return (await import("./commands/hook-install.js")).hookInstall(options);
  return (await import("./commands/hook.js")).hookClaude(options);
});
acpCommand(program).action(async (command, options) =>
  (await import("./commands/acp.js")).acp(command, options),
);
openCommand(program).action(async (options) => (await import("./commands/open.js")).open(options));
gatewayCommand(program).action(async (options) => (await import("./commands/gateway.js")).gateway(options));
const inbox = inboxCommand(program).action(async (options) =>
  (await import("./commands/inbox.js")).showInbox(options),
);
inboxAnswerCommand(inbox).action(async (id, options) =>
  (await import("./commands/inbox.js")).answerFromScript(id, options),
);
conformanceCommand(program).action(async () => {
  const args = process.argv.slice(process.argv.indexOf("conformance") + 1);
  return (await import("./commands/conformance.js")).runConformance(args);
});

const sessions = sessionsCommand(program).action(async (options) =>
  (await import("./commands/sessions.js")).listSessions(options),
);
removeCommand(sessions).action(async (ids, options) =>
  (await import("./commands/sessions.js")).removeSessions(ids, options),
);
moveCommand(sessions).action(async (id, options) =>
  (await import("./commands/move-session.js")).moveSession(id, options),
);
pruneCommand(sessions).action(async (options) =>
  (await import("./commands/sessions.js")).pruneSessions(options),
);

const audit = auditCommand(program).action(async (options) =>
  (await import("./commands/audit.js")).audit(options),
);
forgetCommand(audit).action(async (person, options) =>
  (await import("./commands/forget-person.js")).forgetPersonInAudit(person, options),
);
pruneAuditCommand(audit).action(async (options) =>
  (await import("./commands/prune-audit.js")).pruneAudit(options),
);

const devices = devicesCommand(program);
listDevicesCommand(devices).action(async (options) =>
  (await import("./commands/devices.js")).listDevices(options),
);
nameDeviceCommand(devices).action(async (id, name) =>
  (await import("./commands/devices.js")).nameDeviceOf(id, name),
);
revokeDevicesCommand(devices).action(async (ids) =>
  (await import("./commands/devices.js")).revokeDevices(ids),
);

const tokens = tokensCommand(program);
listTokensCommand(tokens).action(async (options) =>
  (await import("./commands/tokens.js")).listTokens(options),
);
addTokenCommand(tokens).action(async (name, options) =>
  (await import("./commands/tokens.js")).addNamedToken(name, options),
);
rotateTokenCommand(tokens).action(async (name, options) =>
  (await import("./commands/tokens.js")).rotateNamedToken(name, options),
);
revokeTokensCommand(tokens).action(async (names, options) =>
  (await import("./commands/tokens.js")).revokeTokens(names, options),
);

const admin = adminCommand(program);
listGrantsCommand(admin).action(async (options) => (await import("./commands/admin.js")).listGrants(options));
grantCommand(admin).action(async (name, options) =>
  (await import("./commands/admin.js")).grantRole(name, options),
);
revokeGrantCommand(admin).action(async (name, options) =>
  (await import("./commands/admin.js")).revokeRole(name, options),
);

const agents = agentsCommand(program);
listAgentsCommand(agents).action(async (options) =>
  (await import("./commands/agents.js")).listAgents(options),
);
approveAgentCommand(agents).action(async (name, options) =>
  (await import("./commands/agents.js")).approveAgent(name, options),
);
revokeAgentsCommand(agents).action(async (names, options) =>
  (await import("./commands/agents.js")).revokeAgents(names, options),
);

const trajectory = trajectoryCommand(program);
exportCommand(trajectory).action(async (sessions, options) =>
  (await import("./commands/trajectory.js")).exportTrajectories(sessions, options),
);
checkCommand(trajectory).action(async (file) =>
  (await import("./commands/trajectory.js")).checkTrajectoryFile(file),
);
infoCommand(program).action(async (options) => (await import("./commands/info.js")).info(options));

const kimi = kimiFlags(program)
  .allowExcessArguments()
  .action(async (options) => {
    const [unknown] = program.args;
    if (unknown !== undefined) program.error(`error: unknown command '${unknown}'`);
    if (!options.wire) return program.help();
    return (await import("./commands/wire.js")).wire(options, unusedFlags(kimi));
  });

/** The status of a failure. Claude Code takes 2 of a hook for a rejection, and a wrong option decides nothing. */
const statusOf = (status: number) => (process.argv[2] === "hook" ? 1 : status);

outliveTerminal();
program.parseAsync().catch((error: unknown) => {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : statusOf(2);
  } else {
    // Many failures are told in the words of an agent or of a file.
    const words = visibleText(error instanceof Error ? error.message : String(error));
    process.stderr.write(`askwire: ${withoutMiddle(words, MOST_SAID)}\n`);
    process.exitCode = error instanceof CommandFailure ? statusOf(error.exitCode) : 1;
  }
  // Of a command that has failed nothing goes on, such as an agent that it had started.
  setTimeout(() => process.exit(), LEFT_MS).unref();
});
