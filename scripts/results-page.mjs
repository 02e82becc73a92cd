// Writes docs/results.md, the results of the conformance checks on programs of others, from reports of
// `askwire conformance --report FILE`:
//   node scripts/results-page.mjs 'kimi-cli 1.49.0' server.json 'kimi-agent-sdk 0.1.8' client.json
// A red line without an explanation here is an error.
import { readFile, writeFile } from "node:fs/promises";

const target = new URL("../docs/results.md", import.meta.url);

/** Why a check is red, by the program's name and the check. @type {Record<string, Record<string, string>>} */
const explanations = {
  "kimi-cli 1.49.0": {
    S25: 'The process ends with status 1. Its documentation, "Standard error codes" of Wire mode, lists `-32602`, "Invalid method parameters", among the errors of every request.',
  },
  "kimi-agent-sdk 0.1.8": {},
  "kimi-agent-sdk for Go, ed4be6b": {
    C01: "The agent gets the client's whole environment.",
    C17: "An event of a type that is not among its 14 ends its loop of reading, so nothing is answered from then on.",
    C40: "An event of a sub-agent is read by the same table, and ends the loop likewise.",
    C54: "The turn never ends: the channel of its steps is closed by `TurnEnd` alone, not by the end of the process. Its README has the loop over `turn.Steps` as the whole of a turn.",
    C55: "As C54.",
    C56: "As C54.",
    C67: "Of the events that Wire 1.10 documents it knows those of 1.2: the first later one ends its loop of reading.",
  },
};

const args = process.argv.slice(2);
const sections = [];
for (let index = 0; index < args.length; index += 2) {
  const name = args[index];
  const report = JSON.parse(await readFile(args[index + 1], "utf8"));
  sections.push(section(name, report));
}
if (sections.length === 0) throw new Error("name each program and the file of its report");
await writeFile(
  target,
  `# Results on others

What programs that others wrote keep of the promises that count as claimed of them ([conformance.md](conformance.md#profiles-and-levels)), each as it was published and unchanged. Where no level of \`askwire\` stands, a program was not asked for what only Askwire promises. The clients are driven by \`packages/conformance-tests/test/clients/sdk-client.mjs\`, which offers no tool, and \`go-sdk-client.go\` beside it, which claims what the Go client has: core, approvals and tools. \`scripts/results-page.mjs\` makes this page from reports.

${sections.join("\n")}`,
);

/** @type {(name: string, report: any) => string} */
function section(name, { subject, results, levels }) {
  const red = results.filter(({ status }) => status === "failed" || status === "fault");
  const lines = red.map(({ id, title, weight }) => {
    const why = explanations[name]?.[id];
    if (why === undefined) throw new Error(`${name}: say in scripts/results-page.mjs why ${id} is red`);
    return `| ${id} | ${weight} | ${title} | ${why} |`;
  });
  const checked = levels.filter(({ passed, failed, warned }) => passed + failed + warned > 0);
  return `## ${name}, a ${subject}

| profile | level | passed | failed | skipped |
| --- | --- | --- | --- | --- |
${checked.map((one) => `| ${one.profile} | ${one.level} | ${one.passed} | ${one.failed + one.warned} | ${one.skipped} |`).join("\n")}

${lines.length === 0 ? "No check is red.\n" : `| red | weight | check | why |\n| --- | --- | --- | --- |\n${lines.join("\n")}\n`}`;
}
