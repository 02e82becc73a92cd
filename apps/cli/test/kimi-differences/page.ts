import type { Explanation, Place } from "./explanation.js";
import { explanations } from "./explanations.js";
import { scenarios } from "./scenarios/index.js";

const introduction = `# Differences from Kimi's server

What a client of Kimi Wire 1.10 can see of \`askwire --wire\` that the server of kimi-cli 1.49.0 does otherwise, each with its reason. All else that both have is equal.

The list is kept by a test. It holds ${scenarios.length} conversations with both commands, with the same scripted model, configuration and lines of the client, and compares what came of them field by field: every message and its place among the others, the end of the process, the journal, the files of the folder. Ids, times, versions and paths aside. A difference that is not explained here makes the test fail, and so does an explanation of one that no longer occurs. How it is run stands in [CONTRIBUTING.md](../CONTRIBUTING.md#compared-with-kimis-server).

Numbers such as P-ENV-10 are sentences of [the protocol](protocol.md).
`;

const conversations = `## What is compared

The conversations by what they are about, as the last columns name them.
`;

/** docs/differences.md, made of the explanations and the scenarios. */
export function differencesPage(): string {
  const sections = Object.entries(explanations).map(([title, rows]) =>
    [
      `## ${title}\n`,
      "| what | Kimi | here | why | seen in |",
      "| --- | --- | --- | --- | --- |",
      ...rows.map(row),
    ].join("\n"),
  );
  return [introduction, ...sections.map((section) => `${section}\n`), conversations, topics()].join("\n");
}

function row({ about, kimi, ours, why, where }: Explanation): string {
  const cells = [about, kimi, ours, why, seenIn(where)];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

/** The topics of the conversations in which a difference may occur, or its one conversation. */
function seenIn(where: readonly Place[]): string {
  const names = scenarios
    .map(({ name }) => name)
    .filter((name) => where.some(({ scenario }) => scenario?.test(name) ?? true));
  if (names.length === scenarios.length) return "all";
  if (names.length === 1) return names[0] as string;
  return [...new Set(names.map(topicOf))].join(", ");
}

function topics(): string {
  const byTopic = new Map<string, string[]>();
  for (const { name } of scenarios) {
    const topic = topicOf(name);
    byTopic.set(topic, [...(byTopic.get(topic) ?? []), name.slice(topic.length + 1)]);
  }
  const rows = [...byTopic].map(
    ([topic, names]) => `| ${topic} | ${names.join("; ").replaceAll("|", "\\|")} |`,
  );
  return `${["| about | conversations |", "| --- | --- |", ...rows].join("\n")}\n`;
}

const topicOf = (name: string) => name.slice(0, name.indexOf("/"));
