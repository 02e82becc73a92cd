/** The grammars by the names of languages that people write, beside their own. */
const names = {
  bash: ["sh", "shell", "zsh", "console", "shellscript"],
  c: ["h", "cpp", "c++", "cc", "hpp", "cs", "csharp"],
  css: ["scss", "less"],
  diff: ["patch"],
  docker: ["dockerfile"],
  go: ["golang"],
  html: ["htm", "vue", "svelte"],
  java: ["kotlin", "kt"],
  js: ["javascript", "jsx", "mjs", "cjs"],
  json: ["jsonc", "json5", "jsonl"],
  py: ["python", "py3"],
  rs: ["rust"],
  sql: ["sqlite", "postgresql", "mysql"],
  toml: ["ini"],
  ts: ["typescript", "tsx", "mts", "cts"],
  xml: ["svg", "xhtml"],
  yaml: ["yml"],
} as const;

export type Grammar = keyof typeof names;

const grammars = new Map<string, Grammar>(
  Object.entries(names).flatMap(([grammar, others]) =>
    [grammar, ...others].map((name) => [name, grammar as Grammar] as const),
  ),
);

/** The grammar of a language as it is named behind the fence of a code block. Undefined for one that has none. */
export const grammarOf = (language: string): Grammar | undefined =>
  grammars.get(/^[^\s{,]*/.exec(language.trim().toLowerCase())?.[0] ?? "");
