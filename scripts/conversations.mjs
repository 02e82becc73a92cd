// Reads, holds and writes the recorded conversations of the base wire: apps/cli/test/conversations/*.txt.
//
// A file has a title, the start of the server, a line "---", and the conversation:
//   run:     the program in a new folder: `askwire` for the built command, or a file beside the recording
//   framing: content-length; else lines
//   file:    NAME, then its lines, indented by two spaces
//   model:   the lines of a script, indented too; all scripts make scripts.json
//   > TEXT   a message of the client        raw: "TEXT"  bytes of the client as JSON text, without framing
//   wait X   until the server has sent an event or request of type X, or "reply ID"; several with commas
//   restart  the end of the input, then the same command again
//   < TEXT   a message of the server        ! "TEXT"  text that is no message  exit N  the end of the process
import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const command = join(root, "apps/cli/bin/askwire.js");
/** The folder of the recordings. */
export const recordings = join(root, "apps/cli/test/conversations");

/** The configuration as a client of `kimi` writes it, of a scripted model. */
const configuration = {
  default_model: "echo",
  models: { echo: { provider: "script", model: "scripted", max_context_size: 100_000 } },
  providers: {
    script: {
      type: "_scripted_echo",
      base_url: "",
      api_key: "",
      env: { KIMI_SCRIPTED_ECHO_SCRIPTS: "scripts.json" },
    },
  },
};

/** The names of all recordings. */
export async function recordingNames() {
  const files = await readdir(recordings);
  return files
    .filter((file) => file.endsWith(".txt"))
    .map((file) => file.slice(0, -4))
    .sort();
}

/** The text of a recording. @param {string} name */
export const readRecording = (name) => readFile(join(recordings, `${name}.txt`), "utf8");

/**
 * Holds the conversation of a recording with the built command. Resolves with the new recording.
 *
 * @param {string} text the recording, whose server lines are not read.
 * @param {{ patienceMs?: number }} [options] the bound of a wait for a message that never comes, never a measure.
 */
export async function hold(text, { patienceMs = 60_000 } = {}) {
  const { head, setting, steps } = readSetting(text);
  const folder = await realpath(await mkdtemp(join(tmpdir(), "askwire-conversation-")));
  const home = await realpath(await mkdtemp(join(tmpdir(), "askwire-conversation-home-")));
  const words = placeholders({ folder, home });
  const written = [];
  let server;
  try {
    for (const [name, content] of setting.files) await writeFile(join(folder, name), content);
    const write = (line) => written.push(line);
    const start = () => new ServerProcess({ ...setting, folder, home, words, write, patienceMs });
    server = start();
    for (const step of steps) {
      if (step.kind === "wait") await server.wait(step.value);
      if (step.kind === "restart") await server.end();
      written.push(step.line);
      if (step.kind === "restart") server = start();
      if (step.kind === "wait") server.flush();
      if (step.kind === "send") server.send(step.value);
      if (step.kind === "raw") server.sendRaw(step.value);
    }
    await server.end();
    return `${[head, ...written].join("\n")}\n`;
  } catch (error) {
    server?.kill();
    throw new Error(`${error.message}; the conversation so far:\n${written.join("\n")}\n${server?.state()}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
    await rm(home, { recursive: true, force: true });
  }
}

/** Reads the parts before and after the line `---`. */
function readSetting(text) {
  const [before = "", body = ""] = text.split(/^---$/m);
  const blocks = [];
  for (const line of before.trimEnd().split("\n").slice(1)) {
    const [, key, value] = /^(\w+):(?: (.*))?$/.exec(line) ?? [];
    if (key !== undefined) blocks.push({ key, value: value ?? "", lines: [] });
    else if (line !== "") blocks.at(-1)?.lines.push(line.slice(2));
  }
  const found = (key) => blocks.find((block) => block.key === key)?.value;
  const scripts = blocks.filter(({ key }) => key === "model").map(({ lines }) => lines.join("\n"));
  const files = [
    ["scripts.json", JSON.stringify(scripts)],
    ["config.json", JSON.stringify(configuration)],
    ...blocks
      .filter(({ key }) => key === "file")
      .map(({ value, lines }) => [value, lines.map((line) => `${line}\n`).join("")]),
  ];
  const setting = { run: found("run") ?? "", framing: found("framing") ?? "lines", files };
  const steps = body.split("\n").flatMap(readStep);
  return { head: `${before.trimEnd()}\n\n---`, setting, steps };
}

function readStep(line) {
  if (line.startsWith("> ")) return [{ kind: "send", line, value: line.slice(2) }];
  if (line === ">") return [{ kind: "send", line, value: "" }];
  if (line.startsWith("raw: ")) return [{ kind: "raw", line, value: JSON.parse(line.slice(5)) }];
  if (line.startsWith("wait ")) return [{ kind: "wait", line, value: line.slice(5).split(", ") }];
  if (line === "restart") return [{ kind: "restart", line }];
  if (line === "" || /^(< |! |exit )/.test(line)) return [];
  throw new Error(`expected a line of a conversation, found ${JSON.stringify(line)}`);
}

/** Ids, times, paths and versions of one conversation as words that stay, and back. */
function placeholders({ folder, home }) {
  const ids = new Map();
  const sources = new Map();
  const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
  return {
    hide: (text) =>
      text
        .replaceAll(uuid, (id) => {
          if (!ids.has(id)) ids.set(id, `<id ${ids.size + 1}>`);
          return ids.get(id);
        })
        .replaceAll(/(?<="source_id":")[0-9a-f]{32}(?=")/g, (source) => {
          if (!sources.has(source)) sources.set(source, `<source ${sources.size + 1}>`);
          return sources.get(source);
        })
        .replaceAll(folder, "<folder>")
        .replaceAll(home, "<home>")
        .replace(/("(?:created_at|duration_ms)":)[0-9.e-]+/g, "$1<time>")
        .replace(/("name":"[^"]*","version":)"[^"]*"/g, '$1"<version>"'),
    show(text) {
      let shown = text.replaceAll("<folder>", folder).replaceAll("<home>", home);
      for (const [id, word] of ids) shown = shown.replaceAll(word, id);
      return shown;
    },
  };
}

/** The command as the client sees it: messages out, labelled messages in. */
class ServerProcess {
  #setting;
  #child;
  #ended;
  /** Messages that were received and are not written yet. */
  #came = [];
  #rest = Buffer.alloc(0);
  #isOver = false;
  /** Looks at what came, while something waits for it. */
  #look = () => {};
  /** The number of messages up to the last wait. */
  #reached = 0;

  constructor(setting) {
    const { run, folder, home } = setting;
    const [program, ...args] = run.split(" ");
    const file = program === "askwire" ? command : join(recordings, program);
    // Compiled code of the command may be kept elsewhere than in the new home.
    const { PATH, XDG_CACHE_HOME } = process.env;
    this.#setting = setting;
    this.#child = spawn(process.execPath, [file, ...args], {
      cwd: folder,
      env: { PATH, XDG_CACHE_HOME, HOME: home, ASKWIRE_HOME: home, KIMI_SHARE_DIR: home, LC_ALL: "C.UTF-8" },
      stdio: ["pipe", "pipe", "ignore"],
    });
    this.#ended = new Promise((resolve) => {
      this.#child.on("close", (status, signal) => {
        this.#close();
        resolve(signal ?? status);
      });
    });
    // A closed input shows in the other side's answers.
    this.#child.stdin.on("error", () => {});
    this.#child.stdout.on("data", (chunk) => this.#take(chunk));
  }

  /** Resolves once all of these have come, after the earlier waits. */
  async wait(labels) {
    await this.#patiently(
      new Promise((resolve, reject) => {
        this.#look = () => {
          const count = this.#countUntil(labels);
          if (count > 0) {
            this.#reached = count;
            resolve();
          } else if (this.#isOver) {
            reject(new Error(`no ${labels.join(", ")} before the end of ${this.#setting.run}`));
          }
        };
        this.#look();
      }),
    );
    this.#look = () => {};
  }

  /** Writes the messages up to the last wait. Later messages belong to the next wait. */
  flush(count = this.#reached) {
    for (const { line } of this.#came.splice(0, count)) this.#setting.write(line);
  }

  send(text) {
    const shown = this.#setting.words.show(text);
    const length = Buffer.byteLength(shown);
    this.#child.stdin.write(this.#isFramed() ? `Content-Length: ${length}\r\n\r\n${shown}` : `${shown}\n`);
  }

  sendRaw(text) {
    this.#child.stdin.write(this.#setting.words.show(text));
  }

  async end() {
    this.#child.stdin.end();
    const status = await this.#patiently(this.#ended);
    this.flush(this.#came.length);
    this.#setting.write(`exit ${status}`);
  }

  kill() {
    this.#child.kill("SIGKILL");
  }

  state() {
    return this.#came.map(({ line }) => line).join("\n");
  }

  /** Awaits something that the process does, and kills a process that does not. */
  async #patiently(awaited) {
    const timer = setTimeout(() => this.kill(), this.#setting.patienceMs);
    return await awaited.finally(() => clearTimeout(timer));
  }

  /** The number of messages until all of these have come. Zero where one is missing. */
  #countUntil(labels) {
    const missing = [...labels];
    const last = this.#came.findIndex(({ label }) => {
      if (missing.includes(label)) missing.splice(missing.indexOf(label), 1);
      return missing.length === 0;
    });
    return last + 1;
  }

  #take(chunk) {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (let text = this.#next(); text !== undefined; text = this.#next()) this.#came.push(this.#read(text));
    this.#look();
  }

  #close() {
    this.#isOver = true;
    if (this.#rest.length > 0)
      this.#came.push({ label: "", line: `! ${JSON.stringify(this.#rest.toString())}` });
    this.#look();
  }

  #isFramed() {
    return this.#setting.framing === "content-length";
  }

  /** The next whole message. With `Content-Length` only a header of exactly that form counts. */
  #next() {
    if (!this.#isFramed()) {
      const end = this.#rest.indexOf(0x0a);
      return end === -1 ? undefined : this.#cut(0, end, end + 1);
    }
    const [header = "", length] = /^Content-Length: (\d+)\r\n\r\n/.exec(this.#rest.toString("latin1")) ?? [];
    const end = header.length + Number(length);
    return header === "" || this.#rest.length < end ? undefined : this.#cut(header.length, end, end);
  }

  #cut(from, to, after) {
    const text = this.#rest.toString("utf8", from, to);
    this.#rest = this.#rest.subarray(after);
    return text;
  }

  #read(text) {
    const { words } = this.#setting;
    try {
      return { label: labelOf(JSON.parse(text)), line: `< ${words.hide(text)}` };
    } catch {
      return { label: "", line: `! ${JSON.stringify(words.hide(text))}` };
    }
  }
}

/** The name of a server's message in a conversation. */
function labelOf({ id, method, params }) {
  if (method === undefined) return `reply ${id}`;
  return params?.type ?? method;
}
