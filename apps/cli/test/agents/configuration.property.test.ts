import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readConfiguration } from "../../src/agents/configuration.js";
import { readEntries } from "../../src/by-name/agent-entry.js";
import { readServers } from "../../src/by-name/server-entry.js";
import { CommandFailure } from "../../src/input/failure.js";

const example = (name: string) =>
  readFileSync(new URL(`../../../../examples/${name}`, import.meta.url), "utf8");

const sound = [
  example("mcp-servers.toml"),
  example("named-agents.toml"),
  `default_model = "m"
[models.m]
provider = "p"
model = "small"
max_context_size = 1000
[providers.p]
type = "kimi"
base_url = "http://127.0.0.1:1"
api_key = "k"
[providers.p.custom_headers]
a = "b"
`,
  JSON.stringify({
    mcpServers: { notes: { command: "notes", args: ["--all"], env: { LANG: "C" } } },
    agents: { own: { command: ["own"], protocol: "acp" } },
    models: { m: { provider: "p", model: "small" } },
    providers: { p: { type: "kimi", base_url: "http://127.0.0.1:1", api_key: "k" } },
  }),
];

const foreign = fc.constantFrom(
  ...[
    '"',
    "'",
    "[",
    "]",
    "{",
    "}",
    "\n",
    "=",
    ".",
    ",",
    "#",
    "-",
    "[[",
    "]]",
    '"""',
    "\ufeff",
    "\0",
    "\u202e",
    "é",
  ],
  ...[
    "__proto__",
    "constructor",
    "[__proto__]\n",
    "[mcpServers.__proto__]\ncommand='x'\n",
    "[agents.toString]\n",
  ],
  ...["\\u0000", "\\uD800", "1e999", "nan", "inf", "2020-01-01", "true", "null", "9007199254740993", "0x"],
  ...["[".repeat(100_000), "{a=".repeat(2_000), '{"a":'.repeat(5_000), "a".repeat(70_000)],
);
const edit = fc.record({ at: fc.nat(2_000), cut: fc.nat(12), put: foreign });

test("a damaged configuration is either read or refused in words that name the file", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...sound),
      fc.array(edit, { minLength: 1, maxLength: 4 }),
      async (text, edits) => {
        const damaged = edits.reduce((whole, { at, cut, put }) => {
          const from = at % (whole.length + 1);
          return whole.slice(0, from) + put + whole.slice(from + cut);
        }, text);
        for (const read of [readEntries, readServers, readConfiguration]) {
          const error = await read(damaged, "config.toml").then(
            () => undefined,
            (error) => error,
          );
          if (error === undefined) continue;
          expect(error).toBeInstanceOf(CommandFailure);
          expect(error.message).toMatch(/^config\.toml: /);
        }
      },
    ),
    { numRuns: 500 },
  );
  expect(Object.keys(Object.prototype)).toEqual([]);
});
