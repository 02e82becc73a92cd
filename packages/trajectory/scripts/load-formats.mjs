// Exports a sample session in each format of training programs, and has Python's `datasets` and two chat templates read
// it. Everything is made in a temporary folder. Says what is skipped, and exits with 1 only for a wrong export.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const command = fileURLToPath(new URL("../../../apps/cli/bin/askwire.js", import.meta.url));
/** The release of TRL whose wheel has the templates. */
const TRL = "trl==1.16.0";
const formats = ["trl", "openai", "axolotl", "llamafactory", "sharegpt"];

const call = (id, name, args) =>
  `tool_call: ${JSON.stringify({ id, name, arguments: JSON.stringify(args) })}`;
const questions = [{ question: "Which colour?", options: [{ label: "Red" }, { label: "Blue" }] }];
/** The words of the model in the sample, a step at a time. */
const script = [
  `think: A look first.\n${call("c-1", "ReadFile", { path: "notes.txt", line_offset: 1 })}`,
  `think: Which?\n${call("c-2", "AskUserQuestion", { questions })}`,
  "think: Blue it is.\ntext: Painted blue.",
  "text: Nothing else.",
];

const folder = mkdtempSync(join(tmpdir(), "askwire-formats-"));
const run = (program, args, options = {}) =>
  execFileSync(program, args, { cwd: folder, encoding: "utf8", ...options });

/** Runs a step of the set-up; a failure skips the rest, with the reason. */
function orSkipped(what, work) {
  try {
    return work();
  } catch (error) {
    const [reason] = String(error.stderr || error.message)
      .trim()
      .split("\n")
      .slice(-1);
    console.log(`skipped: ${what}: ${reason}`);
    return undefined;
  }
}

function exportSample() {
  writeFileSync(join(folder, "notes.txt"), "some notes\n");
  writeFileSync(join(folder, "script.json"), JSON.stringify(script));
  writeFileSync(join(folder, "system.txt"), "Be brief.\n");
  const options = { env: { ...process.env, ASKWIRE_HOME: join(folder, "home") } };
  const input = "Paint the door\n2\nAnd?\n";
  run(process.execPath, [command, "chat", "--script", "script.json", "--session", "sample"], {
    ...options,
    input,
  });
  for (const format of formats) {
    const args = [
      "export",
      "sample",
      "--format",
      format,
      "--system",
      "system.txt",
      "--out",
      `${format}.jsonl`,
    ];
    process.stdout.write(run(process.execPath, [command, "trajectory", ...args], options));
  }
}

/** Installs the locked packages, and fetches the wheel with the templates. Returns the Python of them. */
function installed() {
  run("python3", ["-m", "venv", "venv"], { stdio: "pipe" });
  const python = join(folder, "venv", "bin", "python");
  const pip = (...args) =>
    run(python, ["-m", "pip", "--disable-pip-version-check", ...args], { stdio: "pipe" });
  pip("install", "--quiet", "--requirement", join(here, "requirements.txt"));
  pip("download", "--quiet", "--no-deps", "--dest", folder, TRL);
  return python;
}

try {
  exportSample();
  const python = orSkipped("Python with its packages", installed);
  const wheel = readdirSync(folder).find((name) => /^trl-.*\.whl$/.test(name));
  if (python !== undefined && wheel !== undefined) {
    const env = { ...process.env, HF_HUB_OFFLINE: "1", HF_HOME: join(folder, "hf"), TQDM_DISABLE: "1" };
    run(python, [join(here, "load_formats.py"), folder, join(folder, wheel)], { env, stdio: "inherit" });
  }
} catch (error) {
  process.stderr.write(`${error.stderr || error.message}\n`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
