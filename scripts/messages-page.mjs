// Writes the messages of the schema into docs/messages.md, between its marks: a table of fields and an example each.
import { readFile, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { base, extended } from "./messages/examples.mjs";
import { fieldRows, table } from "./messages/field-rows.mjs";
import { meanings } from "./messages/meanings.mjs";
import { agentParams, capitalized } from "./schema.mjs";

const target = new URL("../docs/messages.md", import.meta.url);

/**
 * The text of the page, with the messages that the schema has now.
 *
 * @param kept the page as it is.
 * @param protocol the exports of `@askwire/protocol`.
 * @param schema the schema of the wire.
 */
export function messagesPage(kept, protocol, schema) {
  const sections = written(protocol, schema.$defs);
  let page = kept;
  for (const [name, texts] of Object.entries(sections)) {
    const marks = new RegExp(`(<!-- ${name}: node scripts/messages-page.mjs -->\n).*?(<!-- end -->)`, "s");
    if (!marks.test(page)) throw new Error(`docs/messages.md: no <!-- ${name}: … --> … <!-- end -->`);
    page = page.replace(marks, (_, begin, end) => [begin, ...texts, end].join("\n"));
  }
  return page;
}

/** The texts of each section of the page, by the name of its marks. */
function written(protocol, defs) {
  const page = new MessageTexts(protocol, defs);
  const { agentMethods, askedEvents, clientMethods, events, extendedEvents, requests } = protocol;
  const baseMethods = Object.keys(agentMethods);
  const moreOf = Object.keys(extended.methods).filter((name) => baseMethods.includes(name));
  const moreEvents = Object.keys(extended.events).filter((type) => Object.hasOwn(events, type));
  const clientsOwn = Object.keys(clientMethods).filter((name) => clientMethods[name].kind === "notification");
  const again = (name) => `extended-${name}`;
  const inBase = ["base", base];
  const inExtended = ["extended", extended];
  const sections = {
    "base methods": baseMethods.flatMap((name) => page.method(name, ...inBase)),
    "base events": Object.keys(events)
      .filter((type) => type !== "ContentPart")
      .flatMap((type) => page.event(type, ...inBase)),
    "base requests": Object.keys(requests).flatMap((type) => page.request(type, ...inBase)),
    "base parts": [...page.event("ContentPart", ...inBase), ...page.part("DisplayBlock", "base")],
    "extended additions": [
      ...moreOf.flatMap((name) => page.method(name, ...inExtended, again(name))),
      ...moreEvents.flatMap((type) => page.event(type, ...inExtended, again(type))),
      ...Object.keys(extended.requests).flatMap((type) => page.request(type, ...inExtended, again(type))),
    ],
    "extended methods": Object.keys(protocol.extendedAgentMethods).flatMap((name) =>
      page.method(name, ...inExtended),
    ),
    "extended events": [
      ...Object.keys(askedEvents).flatMap((type) => page.event(type, ...inExtended, again(type))),
      ...Object.keys(extendedEvents).flatMap((type) => page.event(type, ...inExtended)),
    ],
    "extended notifications": clientsOwn.flatMap((name) => page.notification(name)),
    "extended parts": [
      "AskwireCapabilities",
      "Outcome",
      "Principal",
      "AnswerItem",
      "RequestDraft",
      "Deadline",
      "ListedSession",
      "ToldRequest",
    ].flatMap((name) => page.part(name, "extended")),
  };
  const unwritten = page.unwritten();
  if (unwritten.length > 0) throw new Error(`docs/messages.md has no place for ${unwritten.join(", ")}`);
  return Object.fromEntries(
    Object.entries(sections).map(([name, texts]) => [name, texts.map((text) => linked(text))]),
  );
}

/** The texts of single messages. Each definition that they describe counts as written. */
class MessageTexts {
  #protocol;
  #defs;
  #written = new Set();

  constructor(protocol, defs) {
    this.#protocol = protocol;
    this.#defs = defs;
  }

  method(name, profile, examples, anchor) {
    const { allAgentMethods, clientMethods } = this.#protocol;
    const { params, result } = examples.methods[name];
    const id = String(Object.keys(examples.methods).indexOf(name) + 1);
    const isRequest = allAgentMethods[name].kind === "request";
    const ownParams = agentParams(name, clientMethods);
    const sent = isRequest ? { id, method: name } : { method: name };
    const texts = [
      heading(name, profile, anchor ?? (Object.hasOwn(clientMethods, name) ? `agent-${name}` : name)),
      `Client → server. ${means(ownParams)}\n`,
      `${params === undefined ? "It needs no `params`." : this.#fields(ownParams, profile)}\n`,
      `${line({ ...sent, params })}\n`,
    ];
    this.#written.add(ownParams);
    if (!isRequest) return [...texts, "It is a notification, without a reply.\n"];
    const fields = this.#fields(`${capitalized(name)}Result`, profile);
    return [...texts, "Its result:\n", `${fields}\n`, `${line({ id, result })}\n`];
  }

  event(type, profile, examples, anchor) {
    const since = this.#protocol.eventIntroduced[type];
    const late = since === undefined ? "" : ` Not told to a client below ${since} (P-VER-2).`;
    return [
      heading(type, profile, anchor),
      `Server → client. ${means(type)}${late}\n`,
      `${this.#fields(type, profile)}\n`,
      `${line({ method: "event", params: { type, ...examples.events[type] } })}\n`,
    ];
  }

  request(type, profile, examples, anchor) {
    const { response, ...params } = examples.requests[type];
    const { id } = params.payload;
    const responded = this.#fields(`${type}Response`, "base");
    return [
      heading(type, profile, anchor),
      `Server → client. ${means(type)}\n`,
      `${this.#fields(type, profile)}\n`,
      `${line({ method: "request", id, params: { type, ...params } })}\n`,
      "The client's response:\n",
      ...(profile === "base" ? [`${responded}\n`] : ["As in the base profile.\n"]),
      `${line({ id, result: response })}\n`,
    ];
  }

  notification(name) {
    const ownParams = `${capitalized(name)}Params`;
    return [
      heading(name, "extended"),
      `Server → client. ${means(ownParams)}\n`,
      `${this.#fields(ownParams, "extended")}\n`,
      `${line({ method: name, params: extended.notifications[name] })}\n`,
    ];
  }

  part(name, profile) {
    return [heading(name, profile), `${means(name)}\n`, `${this.#fields(name, profile)}\n`];
  }

  /** The definitions that no text describes, but for those of all events and all requests. */
  unwritten() {
    return Object.keys(this.#defs).filter(
      (name) => !this.#written.has(name) && !/^(Event|Request)Params$/.test(name),
    );
  }

  /** The table of a definition's fields in one profile. */
  #fields(name, profile) {
    const all = meanings[name];
    if (all === undefined) throw new Error(`scripts/messages/meanings.mjs: what does ${name} mean?`);
    this.#written.add(name);
    const rows = fieldRows(name, this.#defs[name], all).filter((row) => row.profile === profile);
    return rows.length === 0 ? "It has no fields." : table(rows);
  }
}

const means = (name) => meanings[name]?.means ?? "";
const line = (message) => ["```json", JSON.stringify({ jsonrpc: "2.0", ...message }), "```"].join("\n");
const heading = (name, profile, anchor = name) =>
  `${profile === "base" ? "###" : "####"} <a id="${anchor}"></a>${name}\n`;

/** Numbers of sentences outside of code, as links. */
const linked = (text) =>
  text.startsWith("```") ? text : text.replaceAll(/\bP-[A-Z]+-\d+\b/g, "[$&](protocol.md#$&)");

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const protocol = await import(new URL("../packages/protocol/dist/index.js", import.meta.url).href).catch(
    (error) => {
      throw new Error("the packages are not built; run first: pnpm build", { cause: error });
    },
  );
  const schema = new URL("../packages/protocol/schema/wire.schema.json", import.meta.url);
  const kept = await readFile(target, "utf8");
  await writeFile(target, messagesPage(kept, protocol, JSON.parse(await readFile(schema, "utf8"))));
}
