import { visibleLine, visibleText } from "@askwire/client/text";
import type { AgentWords } from "@askwire/client/words";
import { approvalOf, type CommandApproval, contentHash } from "../by-name/approvals.js";
import type { KnownServer } from "../by-name/configured-servers.js";
import type { KnownAgent, ProjectAgent } from "../by-name/known-agents.js";
import type { ProjectServer } from "../by-name/server-entry.js";
import { columnsTaken } from "../device/columns-taken.js";
import type { Paint } from "../device/paint.js";

/** A word that no quotes make clearer. */
const PLAIN = /^[\w@%+=:,./-]+$/;

/** A text as one word. Blanks, quotes and line feeds are told apart, and what a terminal hides is visible. */
const shownWord = (word: string): string => (PLAIN.test(word) ? word : visibleText(JSON.stringify(word)));

const shownCommand = (command: readonly string[]): string => command.map(shownWord).join(" ");

/** The lines that show a person the whole content of a project's agent. */
export function contentLines(agent: ProjectAgent, approval: CommandApproval, words: AgentWords): string[] {
  const rows = [
    [words.file, shownWord(agent.file)],
    [words.folder, shownWord(agent.folder)],
    [words.command, shownCommand(agent.command)],
    [words.protocol, agent.protocol ?? words.foundOut],
    [words.inherits, agent.inherit.join(" ") || words.noKeys],
    [words.variables, shownTexts(agent.env) || words.none],
  ] as const;
  return approvedLines(words.fromProject(agent.name), rows, approval, words);
}

/** The lines that show a person the whole content of a project's server of MCP. */
export function serverLines(project: ProjectServer, approval: CommandApproval, words: AgentWords): string[] {
  const { command, url, headers, inherit, env, timeout, startup } = project.server;
  const times = [
    [words.timeout, timeout],
    [words.startup, startup],
  ] as const;
  const time = times.flatMap(([word, ms]) => (ms === undefined ? [] : [[word, `${ms} ms`] as const]));
  const place = [
    [words.file, shownWord(project.file)],
    [words.folder, shownWord(project.folder)],
  ] as const;
  const content =
    command === undefined
      ? ([
          [words.address, shownWord(url ?? "")],
          [words.headers, shownTexts(headers) || words.none],
        ] as const)
      : ([
          [words.command, shownCommand(command)],
          [words.inherits, inherit.join(" ") || words.noKeys],
          [words.variables, shownTexts(env) || words.none],
        ] as const);
  const first = command === undefined ? words.serverAtAddress : words.serverOfProject;
  return approvedLines(first(project.name), [...place, ...content, ...time], approval, words);
}

const shownTexts = (texts: Readonly<Record<string, string>>): string =>
  Object.entries(texts)
    .map(([name, value]) => `${shownWord(name)}=${shownWord(value)}`)
    .join(" ");

function approvedLines(
  first: string,
  rows: readonly (readonly [string, string])[],
  approval: CommandApproval,
  words: AgentWords,
): string[] {
  const wide = Math.max(...rows.map(([label]) => columnsTaken(label)));
  return [
    first,
    ...rows.map(([label, text]) => `  ${label}${" ".repeat(wide - columnsTaken(label))}  ${text}`),
    ...(approval === "changed" ? [words.changed] : []),
    words.filesMayChange,
  ];
}

const approvalWords = {
  approved: "approved",
  changed: "changed since it was approved",
  not_approved: "not approved",
} as const satisfies Record<CommandApproval, string>;

/** The lines of a list of agents and servers of MCP, one each. */
export function agentLines(
  agents: readonly KnownAgent[],
  servers: readonly KnownServer[],
  env: NodeJS.ProcessEnv,
  paint: Paint,
): string[] {
  const rows = [
    ...agents.map((agent) => ({
      ...agent,
      runs: shownCommand(agent.command),
      facts: [
        ...(agent.protocol === undefined ? [] : [agent.protocol]),
        ...(agent.from !== "project" && agent.node !== undefined ? [`needs Node.js ${agent.node}`] : []),
        ...(agent.from === "project" ? [approvalWords[approvalOf(agent, env)]] : []),
      ],
    })),
    ...servers.map((known) => ({
      ...known,
      runs: shownCommand(known.server.command ?? [known.server.url ?? ""]),
      facts: ["mcp", ...(known.from === "project" ? [approvalWords[approvalOf(known, env)]] : [])],
    })),
  ];
  const wide = Math.max(...rows.map(({ name }) => name.length));
  return rows.map(({ name, from, runs, facts }) => {
    const line = `${name.padEnd(wide)}  ${from.padEnd("machine".length)}  ${runs}`;
    return facts.length === 0 ? line : `${line}  ${paint("dim", facts.join(", "))}`;
  });
}

/** An agent as JSON. Values of variables are left out, since they may be secrets. */
export function agentJson(agent: KnownAgent, env: NodeJS.ProcessEnv) {
  const { name, from, file = null, command, protocol = null, inherit } = agent;
  const known = { name, from, file, command, protocol, inherit, variables: Object.keys(agent.env) };
  return agent.from === "project"
    ? { ...known, node: null, approval: approvalOf(agent, env), sha256: contentHash(agent) }
    : { ...known, node: agent.node ?? null, approval: null, sha256: null };
}

/** A server of MCP as JSON. Values of variables and headers are left out, since they may be secrets. */
export function serverJson(known: KnownServer, env: NodeJS.ProcessEnv) {
  const { name, from, file, server } = known;
  const { command = null, url = null, inherit, headers } = server;
  const variables = Object.keys(server.env);
  const shown = { name, from, file, command, url, protocol: "mcp", inherit, variables };
  const approval =
    known.from === "project"
      ? { approval: approvalOf(known, env), sha256: contentHash(known) }
      : { approval: null, sha256: null };
  return { ...shown, headers: Object.keys(headers), ...approval };
}

/** The line about a project's agent, or server, that is left out, since its name is taken. */
export const leftOutLine = (agent: Pick<ProjectAgent, "name" | "file">, from: string): string =>
  visibleLine(`${agent.name} of ${agent.file} is left out: the name is taken (${from})`);
