// Writes the tables of docs/protocol.md that the code has, between their marks. Names and values are exports of
// @askwire/protocol, the words are the docstrings beside them, and those of messages are meanings.mjs. With --check
// nothing is written, and any difference from the page fails.
import { readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import ts from "typescript";
import { meanings } from "./messages/meanings.mjs";
import { agentParams } from "./schema.mjs";

const target = new URL("../docs/protocol.md", import.meta.url);
const sources = new URL("../packages/protocol/src/", import.meta.url);

/**
 * The text of the page, with the tables that the code has now, each below its sentence.
 *
 * @param kept the page until now.
 * @param protocol the exports of `@askwire/protocol`.
 */
export function protocolPage(kept, protocol) {
  let page = kept;
  for (const [name, { below, rows }] of Object.entries(tables(protocol))) {
    const mark = `<!-- table: ${name} -->`;
    const place = new RegExp(`(\\*\\*${below}\\*\\*(?:(?!\\*\\*P-).)*?${mark}\n).*?(<!-- /table -->)`, "s");
    if (!place.test(page))
      throw new Error(`docs/protocol.md: below ${below} is no ${mark} … <!-- /table -->`);
    const [head, ...others] = rows;
    const lines = [head, head.map(() => "---"), ...others].map((cells) => `| ${cells.join(" | ")} |`);
    page = page.replace(place, (_, begin, end) => `${begin}\n${lines.join("\n")}\n\n${end}`);
  }
  return page;
}

function tables(protocol) {
  const { agentMethods, answerIssueCodes, clientMethods, closeCodes, defaultLimits } = protocol;
  const { endings, eventIntroduced, events, outcomeReasons, requests, wireErrorCodes } = protocol;
  const codes = (numbers, words) => [
    ["code", "name", "when"],
    ...Object.entries(numbers).map(([name, code]) => [code, name, words[name]]),
  ];
  const messages = (kind, types, meaningOf) => [
    [kind, "meaning"],
    ...Object.keys(types).map((type) => [`[${type}](messages.md#${type})`, firstSentence(meaningOf(type))]),
  ];
  const ofType = (type) => meanings[type].means;
  const issues = docstrings("answer-issues.ts", "answerIssueCodes");
  const limits = docstrings("limits.ts", "defaultLimits");
  const carried = docstrings("outcome.ts", "outcomeReasons");
  return {
    events: { below: "P-MSG-1", rows: messages("event", events, ofType) },
    requests: { below: "P-MSG-2", rows: messages("request", requests, ofType) },
    methods: {
      below: "P-MSG-3",
      rows: messages("method", agentMethods, (name) => ofType(agentParams(name, clientMethods))),
    },
    versions: { below: "P-VER-2", rows: [["below", "events"], ...withheld(eventIntroduced)] },
    limits: {
      below: "P-LIM-1",
      rows: [
        ["limit", "default", "of"],
        ...Object.entries(defaultLimits).map(([name, value]) => [`\`${name}\``, value, limits[name]]),
      ],
    },
    outcomes: {
      below: "P-OUT-1",
      rows: [
        ["status", "reasons", "carries"],
        ...Object.entries(outcomeReasons).map(([status, reasons]) => [
          `\`${status}\``,
          reasons.length === 0 ? "–" : reasons.map((reason) => `\`${reason}\``).join(", "),
          carried[status],
        ]),
      ],
    },
    endings: {
      below: "P-WHO-2",
      rows: [["ending", "a question", "an approval", "exit codes"], ...Object.values(endings).map(endingRow)],
    },
    issues: {
      below: "P-XAN-4",
      rows: [["code", "when"], ...answerIssueCodes.map((code) => [`\`${code}\``, issues[code]])],
    },
    "error codes": {
      below: "P-ERR-1",
      rows: codes(wireErrorCodes, docstrings("errors.ts", "wireErrorCodes")),
    },
    "close codes": { below: "P-ERR-2", rows: codes(closeCodes, docstrings("errors.ts", "closeCodes")) },
  };
}

const firstSentence = (text) => /^.*?[.?](?= |$)( \(P-[A-Z]+-\d+\)$)?/.exec(text)[0];

/** The versions with the events that older clients are not sent. */
function withheld(eventIntroduced) {
  const types = new Map();
  for (const [type, version] of Object.entries(eventIntroduced))
    types.set(version, [...(types.get(version) ?? []), type]);
  return [...types].map(([version, names]) => [version, names.join(", ")]);
}

function endingRow({ what, question, approval, exit }) {
  const alike = endedCell(question) === endedCell(approval) ? "the same" : endedCell(approval);
  const codes = exit === undefined ? "–" : `${exit.chat ?? "–"}, ${exit.ask ?? "–"}`;
  return [what, endedCell(question), alike, codes];
}

/** The end of a request, said once for all standings that end alike. */
function endedCell(ends) {
  const said = new Map();
  for (const [standing, ended] of Object.entries(ends))
    said.set(endedWords(ended), [...(said.get(endedWords(ended)) ?? []), standing]);
  const parts = [...said].map(([words, alike]) =>
    said.size === 1 ? words : `${alike.join(", ")}: ${words}`,
  );
  return parts.join("; ");
}

function endedWords(ended) {
  if (ended === "open") return "open";
  const { status, reason, by, response } = ended;
  const first = response === undefined ? `\`${status}\`` : `\`${status}\` (${response})`;
  return [first, ...(reason === undefined ? [] : [`\`${reason}\``]), `by ${by}`].join(", ");
}

/** The docstrings of the entries of a constant, by name: the keys of an object, or the texts of a list. */
function docstrings(file, constant) {
  const text = readFileSync(new URL(file, sources), "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const declared = source.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .find(({ name }) => name.getText() === constant);
  let value = declared?.initializer;
  while (value !== undefined && !ts.isObjectLiteralExpression(value) && !ts.isArrayLiteralExpression(value))
    value = value.expression;
  const words = {};
  for (const entry of value?.properties ?? value?.elements ?? []) {
    const name = entry.name?.getText() ?? entry.text;
    const comment = ts.getLeadingCommentRanges(text, entry.getFullStart())?.at(-1);
    if (comment === undefined) throw new Error(`packages/protocol/src/${file}: ${name} has no docstring`);
    const lines = text.slice(comment.pos, comment.end).replace(/^\/\*\*[\s*]*|\s*\*\/$/g, "");
    words[name] = lines.replaceAll(/\s*\n\s*\*\s*/g, " ");
  }
  return words;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const protocol = await import(new URL("../packages/protocol/dist/index.js", import.meta.url).href).catch(
    (error) => {
      throw new Error("the packages are not built; run first: pnpm build", { cause: error });
    },
  );
  const kept = await readFile(target, "utf8");
  const wanted = protocolPage(kept, protocol);
  if (wanted !== kept && process.argv.includes("--check")) {
    process.stderr.write("docs/protocol.md: the code has other tables: node scripts/protocol-tables.mjs\n");
    process.exitCode = 1;
  } else if (wanted !== kept) await writeFile(target, wanted);
}
