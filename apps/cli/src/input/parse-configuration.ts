import { existsSync } from "node:fs";
import { join } from "node:path";
import { usageFailure } from "./failure.js";
import { parseJson } from "./parse-json.js";

/**
 * Parses a configuration; its first character decides between JSON and TOML.
 *
 * @param source the name for messages.
 * @throws Failure of one line that names the source and the line.
 */
export async function parseConfiguration(content: string, source: string): Promise<unknown> {
  const text = content.replace(/^\uFEFF/, "");
  // No TOML begins with a brace, and no useful JSON begins with anything else.
  if (text.trimStart().startsWith("{")) return parseJson(text, source);
  const { parse, TomlError } = await import("smol-toml");
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [problem = ""] = error.message.replace(/^Invalid TOML document: /, "").split("\n");
    throw usageFailure(`${source}: line ${error.line}: expected TOML, or JSON in braces (${problem})`);
  }
}

/** The configuration in a folder: `config.toml`, or else `config.json`. Undefined if neither exists. */
export function configurationFile(folder: string): string | undefined {
  return ["config.toml", "config.json"].map((name) => join(folder, name)).find((path) => existsSync(path));
}
