import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { Failure } from "./failure.js";

const program = new Command("askwire")
  .description("The wire between an agent that needs a decision and the person who can make it.")
  .version(__ASKWIRE_VERSION__, "-V, --version", "print the version")
  .helpOption("-h, --help", "show this help")
  .showHelpAfterError("(askwire --help shows what there is)")
  .exitOverride()
  .enablePositionalOptions();

const sharedOptions = (command: Command) =>
  command
    .option("--interview <file>", "a questionnaire, YAML or JSON, that needs no model")
    .option("--script <file>", "a scripted model: a JSON array, one string of lines for each model call")
    .option("--work-dir <folder>", "the folder that an interview reads and writes", process.cwd())
    .option("--out <file>", "another name for the one file that an interview writes")
    .option("--yolo", "approve every action without asking; questions are still asked")
    .option("--afk", "nobody is there: questions are answered so, and nothing is approved");

sharedOptions(program.command("chat", { isDefault: false }))
  .description(
    "Hold a conversation with an agent in the terminal. Without a source it runs the shipped interview.",
  )
  .argument("[command...]", "after --: a program that speaks the wire on its standard input and output")
  .option("--prompt <text>", "the first prompt, instead of the first line")
  .addHelpText(
    "after",
    `
Without a terminal it takes one answer a line: a number, several with commas, a label or own text.
An empty line asks again; /decline or the end of the input declines; an approval takes y, a or n [why].

Examples:
  askwire chat                                the shipped interview, on this folder
  askwire chat --interview setup.yaml         a questionnaire of your own
  askwire chat -- node my-agent.mjs           an agent that you wrote`,
  )
  .action(async (command: string[], options) => (await import("./commands/chat.js")).chat(command, options));

sharedOptions(program.command("serve"))
  .description("Serve an agent to clients.")
  .option("--stdio", "to one client, over standard input and output")
  .action(async (options) => (await import("./commands/serve.js")).serve(options));

program
  .command("info")
  .description("Print the versions of the command and of the protocol.")
  .option("--json", "as one line of JSON")
  .action(async (options) => (await import("./commands/info.js")).info(options));

// The launch flags of `kimi --wire`, without a subcommand, so that a client which launches that can launch this.
const unusedFlags = {
  session: "--session <id>",
  continue: "--continue",
  agentFile: "--agent-file <file>",
  skillsDir: "--skills-dir <folder>",
  mcpConfig: "--mcp-config <text>",
  mcpConfigFile: "--mcp-config-file <file>",
  thinking: "--thinking",
};
program
  .option("--wire", "serve over standard input and output, with the launch flags of kimi --wire")
  .addOption(hidden("--work-dir <folder>"))
  .addOption(hidden("--model <name>"))
  .addOption(hidden("--config <json>"))
  .addOption(hidden("--config-file <file>"))
  .addOption(hidden("--max-steps-per-turn <number>").argParser(positiveInteger))
  .addOption(hidden("--yolo"))
  .addOption(hidden("--auto-approve"))
  .addOption(hidden("--afk"))
  .addOption(hidden("--no-thinking"));
for (const flags of Object.values(unusedFlags)) program.addOption(hidden(flags));
program.action(async (options: Record<string, unknown>) => {
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

function positiveInteger(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1)
    throw new InvalidArgumentError("expected a whole number from 1.");
  return number;
}

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  } else if (error instanceof Failure) {
    process.stderr.write(`askwire: ${error.message}\n`);
    process.exitCode = error.exitCode;
  } else {
    process.stderr.write(`askwire: ${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
