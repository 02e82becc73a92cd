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

function written(protocol, defs) {
  const { agentMethods, allAgentMethods, events, extendedEvents, extendedAgentMethods } = protocol;
  const { askedEvents, clientMethods, eventIntroduced, requests } = protocol;
  const used = new Set();

  /** The table of a definition's fields in one profile. */
  const fields = (name, profile) => {
    const all = meanings[name];
    if (all === undefined) throw new Error(`scripts/messages/meanings.mjs: what does ${name} mean?`);
    used.add(name);
    const rows = fieldRows(name, defs[name], all).filter((row) => row.profile === profile);
    return rows.length === 0 ? "It has no fields." : table(rows);
  };
  const means = (name) => meanings[name]?.means ?? "";
  const line = (message) => ["```json", JSON.stringify({ jsonrpc: "2.0", ...message }), "```"].join("\n");
  const heading = (name, profile, anchor = name) =>
    `${profile === "base" ? "###" : "####"} <a id="${anchor}"></a>${name}
`;

  function method(name, profile, examples, anchor) {
    const { params, result } = examples.methods[name];
    const id = String(Object.keys(examples.methods).indexOf(name) + 1);
    const isRequest = allAgentMethods[name].kind === "request";
    const ownParams = agentParams(name, clientMethods);
    const sent = isRequest ? { id, method: name } : { method: name };
    const texts = [
      heading(name, profile, anchor ?? (Object.hasOwn(clientMethods, name) ? `agent-${name}` : name)),
      `Client → server. ${means(ownParams)}\n`,
    ];
    texts.push(`${params === undefined ? "It needs no `params`." : fields(ownParams, profile)}\n`);
    used.add(ownParams);
    texts.push(`${line({ ...sent, params })}\n`);
    if (isRequest) {
      texts.push("Its result:\n", `${fields(`${capitalized(name)}Result`, profile)}\n`);
      texts.push(`${line({ id, result })}\n`);
    } else texts.push("It is a notification, without a reply.\n");
    return texts;
  }

  function event(type, profile, examples, anchor) {
    const since = eventIntroduced[type];
    const late = since === undefined ? "" : ` Not told to a client below ${since} (P-VER-2).`;
    return [
      heading(type, profile, anchor),
      `Server → client. ${means(type)}${late}\n`,
      `${fields(type, profile)}\n`,
      `${line({ method: "event", params: { type, ...examples.events[type] } })}\n`,
    ];
  }

  function request(type, profile, examples, anchor) {
    const { response, ...params } = examples.requests[type];
    const { id } = params.payload;
    const responded = fields(`${type}Response`, "base");
    return [
      heading(type, profile, anchor),
      `Server → client. ${means(type)}\n`,
      `${fields(type, profile)}\n`,
      `${line({ method: "request", id, params: { type, ...params } })}\n`,
      "The client's response:\n",
      ...(profile === "base" ? [`${responded}\n`] : ["As in the base profile.\n"]),
      `${line({ id, result: response })}\n`,
    ];
  }

  function notification(name) {
    const params = extended.notifications[name];
    const texts = [heading(name, "extended"), `Server → client. ${means(`${capitalized(name)}Params`)}\n`];
    return [
      ...texts,
      `${fields(`${capitalized(name)}Params`, "extended")}\n`,
      `${line({ method: name, params })}\n`,
    ];
  }

  const part = (name, profile) => [heading(name, profile), `${means(name)}\n`, `${fields(name, profile)}\n`];
  const again = (name) => `extended-${name}`;
  const baseMethods = Object.keys(agentMethods);
  const moreOf = Object.keys(extended.methods).filter((name) => baseMethods.includes(name));
  const moreEvents = Object.keys(extended.events).filter((type) => Object.hasOwn(events, type));
  const clientsOwn = Object.keys(clientMethods).filter((name) => clientMethods[name].kind === "notification");
  const onlyExtended = [...Object.keys(askedEvents), ...Object.keys(extendedEvents)];

  const sections = {
    "base methods": baseMethods.flatMap((name) => method(name, "base", base)),
    "base events": Object.keys(events)
      .filter((type) => type !== "ContentPart")
      .flatMap((type) => event(type, "base", base)),
    "base requests": Object.keys(requests).flatMap((type) => request(type, "base", base)),
    "base parts": [...event("ContentPart", "base", base), ...part("DisplayBlock", "base")],
    "extended additions": [
      ...moreOf.flatMap((name) => method(name, "extended", extended, again(name))),
      ...moreEvents.flatMap((type) => event(type, "extended", extended, again(type))),
      ...Object.keys(extended.requests).flatMap((type) => request(type, "extended", extended, again(type))),
    ],
    "extended methods": Object.keys(extendedAgentMethods).flatMap((name) =>
      method(name, "extended", extended),
    ),
    "extended events": onlyExtended.flatMap((type) =>
      event(type, "extended", extended, Object.hasOwn(askedEvents, type) ? again(type) : type),
    ),
    "extended notifications": clientsOwn.flatMap(notification),
    "extended parts": ["AskwireCapabilities", "Outcome", "AnswerItem", "Deadline", "ListedSession"].flatMap(
      (name) => part(name, "extended"),
    ),
  };
  const unwritten = Object.keys(defs).filter(
    (name) => !used.has(name) && !/^(Event|Request)Params$/.test(name),
  );
  if (unwritten.length > 0) throw new Error(`docs/messages.md has no place for ${unwritten.join(", ")}`);
  return Object.fromEntries(
    Object.entries(sections).map(([name, texts]) => [name, texts.map((text) => linked(text))]),
  );
}

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
