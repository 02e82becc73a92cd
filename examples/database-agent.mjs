// @ts-check
// An agent without a model that reads a file with a tool, asks one question, and says in Markdown what it did.
import { readFile } from "node:fs/promises";
import { createServer, defineTool, serveStdio } from "@askwire/server";

const readPackage = defineTool({
  name: "ReadFile",
  description: "Reads a file of this folder.",
  parameters: {
    type: "object",
    properties: { path: { type: "string" } },
    required: ["path"],
  },
  async run({ path }) {
    const text = await readFile(String(path), "utf8");
    const lines = text.trimEnd().split("\n").length;
    return { output: text, display: [{ type: "brief", text: `lines 1–${lines}` }] };
  },
});

/** @type {import("@askwire/server").Agent} */
const agent = {
  async run(turn) {
    turn.say("I look at the project first.");
    const { output } = await turn.callTool(readPackage, { path: "package.json" });
    const { name } = JSON.parse(String(output));
    const { answer } = await turn.ask("Where should the orders be kept?", [
      { label: "SQLite (Recommended)", description: "One file beside the program" },
      { label: "PostgreSQL", description: "A server, for several programs at once" },
    ]);
    if (answer === undefined) return turn.say("I change nothing until you have chosen.");
    turn.say(plan(name, answer.replace(" (Recommended)", "")));
  },
};

/** @type {(name: string, database: string) => string} */
const plan = (name, database) => `\
## ${database} for ${name}

1. **A table** for orders, with a migration in \`migrations/\`
2. **One module** that all queries go through:

\`\`\`js
// Opens the orders, and makes the table the first time.
export const orders = await open({ file: "orders.db", migrate: true });
\`\`\`

3. **Tests** on a database in memory

| step | files | can be undone |
| --- | ---: | --- |
| table | 1 | yes |
| module | 2 | yes |

Shall I begin with the *table*?`;

await serveStdio(createServer({ agent }));
