// Writes each dialect's form of one question into docs/dialects.md, between its marks. A scripted model asks through
// the built server, and a client answers or declines. With --check nothing is written, and any difference from the page
// fails.
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = join(root, "docs", "dialects.md");
const requireFromCommand = createRequire(join(root, "apps/cli/package.json"));
const load = (name) => import(pathToFileURL(requireFromCommand.resolve(name)).href);
const [{ linkedPair }, { createServer }, { dialects }, { modelAgent, readScripts, scriptedModel }] =
  await Promise.all(
    ["@askwire/protocol", "@askwire/server", "@askwire/dialects", "@askwire/agent"].map(load),
  );

const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** A client in its own JSON. `call` resolves with the result, `seen` with the first event or request of a type. */
function rawClient(channel) {
  const received = [];
  const waiting = new Set();
  let calls = 0;
  channel.listen({
    message(text) {
      received.push(JSON.parse(text));
      for (const look of [...waiting]) look();
    },
    oversized() {},
    closed() {},
  });
  const first = (which) =>
    new Promise((resolve) => {
      const look = () => {
        const found = received.find(which);
        if (found !== undefined && (waiting.delete(look) || true)) resolve(found);
      };
      waiting.add(look);
      look();
    });
  const send = (message) => channel.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
  return {
    reply: (id, result) => send({ id, result }),
    async call(method, params) {
      calls += 1;
      const id = `c${calls}`;
      send({ id, method, params });
      const { result, error } = await first((message) => message.id === id && message.method === undefined);
      if (error !== undefined) throw new Error(`${method}: ${error.message}`);
      return result;
    },
    seen: (type) => first(({ params, method }) => method !== undefined && params?.type === type),
  };
}

const capabilities = {
  base: { supports_question: true },
  extended: {
    supports_question: true,
    askwire: { revision: 3, previews: true, notes: true, attachments: true, skip: true, deadline: true },
  },
};

/** Runs the dialect's script with a client of this profile, which takes the second option or declines. */
async function asked(name, profile, declines) {
  const file = join(root, "examples/dialects", `${name}.json`);
  const scripted = scriptedModel(readScripts(await readFile(file, "utf8"), file));
  /** The model's input at each step, and its words. */
  const steps = [];
  const model = {
    ...scripted,
    async *stream(request) {
      const step = { messages: request.messages.slice(), text: "" };
      steps.push(step);
      for await (const part of scripted.stream(request)) {
        if (part.type === "content") step.text += part.part.text;
        yield part;
      }
    },
  };
  const dialect = dialects[name]();
  const server = createServer({ agent: () => modelAgent({ model }), dialects: [dialect], log: silent });
  const { left, right } = linkedPair();
  server.connect(left);
  const client = rawClient(right);
  const introduction = {
    protocol_version: "1.10",
    client: { name: "page" },
    capabilities: capabilities[profile],
  };
  await client.call("initialize", introduction);
  const turn = client.call("prompt", { user_input: "Set up the project" });
  const { params } = await client.seen("QuestionRequest");
  const { id } = params.payload;
  const [question] = params.payload.questions;
  let answer = { outcome: { status: "declined" } };
  if (profile === "base") {
    answer = { answers: declines ? {} : { [question.question]: question.options[1].label } };
    client.reply(id, { request_id: id, ...answer });
  } else {
    if (!declines)
      answer = {
        outcome: { status: "answered" },
        items: [{ question_id: question.id, selected: [question.options[1].id] }],
      };
    await client.call("answer", { request_id: id, answer_id: "answer-1", ...answer });
  }
  const { payload } = (await client.seen("ToolResult")).params;
  const call = (await client.seen("ToolCall")).params.payload.function;
  await turn;
  await server.close();
  const { display: _, ...result } = payload.return_value;
  return {
    dialect,
    call,
    request: params.payload,
    answer,
    result,
    written: steps[0].text,
    told: steps[1]?.messages.at(-1),
  };
}

const WIDTH = 100;

/** JSON that puts a value on one line if it fits. */
function json(value, indent = "", used = 0) {
  const flat = JSON.stringify(value, null, 1).replace(/\n\s*/g, (_, at, text) =>
    /[[{]$/.test(text.slice(0, at)) || /^\s*[\]}]/.test(text.slice(at)) ? "" : " ",
  );
  if (typeof value !== "object" || value === null || indent.length + used + flat.length <= WIDTH) return flat;
  const inner = `${indent}  `;
  const members = Array.isArray(value)
    ? value.map((item) => json(item, inner))
    : Object.entries(value).map(([key, member]) => {
        const name = `${JSON.stringify(key)}: `;
        return name + json(member, inner, name.length);
      });
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${inner}${members.join(`,\n${inner}`)}\n${indent}${close}`;
}

const block = (value, language = "json") =>
  [`\`\`\`${language}`, typeof value === "string" ? value : json(value), "```"].join("\n");

async function section(name) {
  const extended = await asked(name, "extended", false);
  const base = await asked(name, "base", false);
  const declined = await asked(name, "extended", true);
  const { dialect, call } = extended;
  const inText = dialect.inText !== undefined;
  const { degraded, ...extras } = base.result.extras ?? {};
  const same = { ...base.result, extras: base.result.extras && extras };
  if (json(same) !== json(extended.result))
    throw new Error(`${name}: the profiles lead to different results`);
  // Values that change with each run: the id of a request, and of a call in the text.
  const request = (payload) => ({ ...payload, id: "…", ...(inText && { tool_call_id: "…" }) });
  const text = (message) => message.content.map((part) => part.text).join("\n");
  return [
    `### ${name}`,
    "The model calls:",
    inText
      ? block(extended.written.replace(/^[^<]+/, ""), "text")
      : block({ name: call.name, arguments: JSON.parse(call.arguments) }),
    "A client of the extended profile is sent:",
    block(request(extended.request)),
    "It answers, and the result is:",
    block(extended.answer),
    block(extended.result),
    ...(inText ? ["The model reads that as:", block(text(extended.told), "text")] : []),
    "A client of the base profile is sent:",
    block(request(base.request)),
    `It answers, and the result is the same${degraded === undefined ? "" : ", with what it was not shown in `extras`"}:`,
    block(base.answer),
    ...(degraded === undefined ? [] : [block({ degraded })]),
    `Where the person declines, the result is${declined.told === undefined ? ", and the turn ends" : ""}:`,
    block(declined.result),
  ].join("\n\n");
}

const BEGIN = "<!-- what each dialect makes of one question: node scripts/dialects-page.mjs -->";
const END = "<!-- end -->";

const kept = await readFile(page, "utf8");
const [before, rest] = kept.split(BEGIN);
const [, after] = rest?.split(END) ?? [];
if (after === undefined) throw new Error(`docs/dialects.md: no ${BEGIN} … ${END}`);
const sections = [];
for (const name of Object.keys(dialects)) sections.push(await section(name));
const wanted = [before + BEGIN, ...sections, END + after].join("\n\n");
if (wanted !== kept && process.argv.includes("--check")) {
  process.stderr.write("docs/dialects.md: a dialect does something else: node scripts/dialects-page.mjs\n");
  process.exitCode = 1;
} else if (wanted !== kept) await writeFile(page, wanted);
