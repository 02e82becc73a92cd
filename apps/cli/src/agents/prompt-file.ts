import { usageFailure } from "../input/failure.js";
import { readOptionFile } from "../input/read-file.js";

/** The names that instructions may use, as in Kimi CLI. */
const facts: Readonly<Record<string, (workDir: string) => string>> = {
  KIMI_NOW: () => new Date().toISOString(),
  KIMI_WORK_DIR: (workDir) => workDir,
  KIMI_OS: () => (process.platform === "darwin" ? "macOS" : "Linux"),
  KIMI_SHELL: () => "bash",
};

/**
 * Reads the instructions that an agent file names, and fills in the values of `${NAME}`.
 *
 * @throws Failure of one line for another name, and for blocks of a template.
 */
export function promptFile(source: string, file: string, workDir: string): string {
  const text = readOptionFile(`${source}: agent.system_prompt_path`, file).trim();
  const place = `${source}: agent.system_prompt_path ${file}`;
  if (/\{[%#]/.test(text))
    throw usageFailure(`${place}: expected text and \${NAME}, found a block of a template`);
  return text.replace(/\$\{\s*(\w*)\s*\}/g, (_, name: string) => {
    const fact = Object.hasOwn(facts, name) ? facts[name] : undefined;
    if (fact !== undefined) return fact(workDir);
    throw usageFailure(
      `${place}: \${${name}} is not known here: expected one of ${Object.keys(facts).join(", ")}`,
    );
  });
}
