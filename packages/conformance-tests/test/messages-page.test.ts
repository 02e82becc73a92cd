import { readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as protocol from "@askwire/protocol";
import { linkedPair } from "@askwire/protocol/testing";
import { createServer, QuestionRequest, wireSend } from "@askwire/server";
import { describe, expect, test } from "vitest";
import * as z from "zod";

interface Line {
  id?: string;
  method?: string;
  params?: { type: string; payload: { id: string } };
  result?: unknown;
  error?: unknown;
}

const root = fileURLToPath(new URL("../../../", import.meta.url));
const page = readFileSync(`${root}docs/messages.md`, "utf8");
const [base = "", extended = ""] = page.split("\n## The extended profile\n");
const published = readFileSync(`${root}packages/protocol/schema/wire.schema.json`, "utf8");

const { allAgentMethods, clientMethods, requests } = protocol;
const schema = JSON.parse(published);
/** The schema, in which an object with named fields has no others. */
const strict = JSON.parse(published, (_, value) =>
  Object.keys(value?.properties ?? {}).length > 0 ? { ...value, additionalProperties: false } : value,
);
const capitalized = (method: string) =>
  method.replaceAll(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase());

const examples = (text: string) =>
  [...text.matchAll(/^```json\n(.*)\n```$/gm)].map(([, line = ""]) => ({ line, message: read(line) }));
const read = (line: string): Line => JSON.parse(line);

/** The definitions that a line has to fit, each by its name and with its value. */
function checked({ id, method, params, result }: Line, all: readonly Line[]): [string, unknown] {
  if (method === "event" || method === "request") return [`${capitalized(method)}Params`, params];
  // Both sides send it, and only the server gives a number.
  if (method === "alive" && !Object.hasOwn(params ?? {}, "seq")) return ["AgentAliveParams", params];
  if (method !== undefined) return [`${capitalized(method)}Params`, params];
  const asked = all.find((message) => message.id === id && message.method !== undefined);
  return asked?.method === "request"
    ? [`${asked.params?.type}Response`, result]
    : [`${capitalized(asked?.method ?? "nothing")}Result`, result];
}

describe("docs/messages.md", () => {
  test("docs/messages.md has the messages of the schema; if this fails, build and run `npm run schema`", async () => {
    const { messagesPage } = await import(pathToFileURL(`${root}scripts/messages-page.mjs`).href);
    expect(messagesPage(page, protocol, schema)).toBe(page);
  });

  test.each([
    ["base", base],
    ["extended", extended],
  ])(
    "docs/messages.md has examples of the %s profile that fit the schema and have no other fields",
    (_profile, text) => {
      const found = examples(text).filter(
        ({ message }) => message.method !== "$/cancelRequest" && !message.error,
      );
      const messages = found.map(({ message }) => message);
      const { $defs } = strict;
      const misfits = found.flatMap(({ line, message }) => {
        const [name, value] = checked(message, messages);
        if (value === undefined && Object.keys($defs[name] ?? { no: 1 }).length === 0) return [];
        const fits = z.fromJSONSchema({ $ref: `#/$defs/${name}`, $defs });
        const { error } = fits.safeParse(value);
        return error === undefined ? [] : [`${name}: ${line}: ${z.prettifyError(error)}`];
      });
      expect(misfits).toEqual([]);
      for (const { line, message } of found) expect(line).toBe(JSON.stringify(message));
    },
  );

  test("docs/messages.md has an example of every method, event, request and response", () => {
    const all = [...examples(base), ...examples(extended)].map(({ message }) => message);
    const types = (method: string) =>
      new Set(all.flatMap((message) => (message.method === method ? [message.params?.type] : [])));
    expect([...types("event")].sort()).toEqual(
      [...Object.keys(clientMethods.event.types), ...Object.keys(protocol.askedEvents)].sort(),
    );
    expect([...types("request")].sort()).toEqual(Object.keys(requests).sort());
    const methods = new Set(all.map(({ method }) => method));
    expect([...methods]).toEqual(
      expect.arrayContaining([...Object.keys(allAgentMethods), ...Object.keys(clientMethods)]),
    );
    const answered = new Set(
      all.flatMap(({ method, id }) => (method === undefined && id !== undefined ? [id] : [])),
    );
    const asked = all.flatMap(({ method, id }) => (method !== undefined && id !== undefined ? [id] : []));
    expect(asked.filter((id) => !answered.has(id))).toEqual([]);
  });

  test("docs/messages.md has a request under its payload's id in every example (P-ID-1)", () => {
    for (const { message } of [...examples(base), ...examples(extended)])
      if (message.method === "request") expect(message.id).toBe(message.params?.payload.id);
  });

  test("docs/messages.md has links only to places that it has", () => {
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, place]) => place);
    const headings = [...page.matchAll(/^#+ (.*)$/gm)].map(([, text = ""]) => text.toLowerCase());
    const anchors = [...page.matchAll(/<a id="([^"]+)">/g)].map(([, place]) => place);
    expect(new Set(anchors).size).toBe(anchors.length);
    const places = [...anchors, ...headings.map((text) => text.replaceAll(" ", "-"))];
    expect(links.filter((link) => !places.includes(link))).toEqual([]);
  });

  test("docs/messages.md has the conversation that our server holds, line by line", async () => {
    const [, text = ""] = /^## A conversation, line by line\n(.*?)^## /ms.exec(page) ?? [];
    const lines = [...text.matchAll(/^([<>]) (.*)$/gm)].map(([, side, line = ""]) => ({ side, line }));
    const server = createServer({
      name: "my-agent",
      version: "0.1.0",
      agent: {
        async run(turn) {
          const question = "Which database?";
          const options = [{ label: "SQLite", description: "One file" }, { label: "PostgreSQL" }];
          const request = new QuestionRequest({ tool_call_id: "call_1", questions: [{ question, options }] });
          wireSend(request);
          turn.say(`I set up ${(await request.wait())[question]}.`);
        },
      },
    });
    const { left, right } = linkedPair();
    server.connect(left);
    const received: string[] = [];
    let heard = () => {};
    const message = (line: string) => {
      received.push(line);
      heard();
    };
    right.listen({ message, oversized() {}, closed() {} });
    let id = "";
    for (const { side, line } of lines) {
      const shown = "090aff11-f495-4023-b58b-4645cd8996bf";
      if (side === ">") right.send(line.replaceAll(shown, id));
      else {
        while (received.length === 0) {
          await new Promise<void>((resolve) => {
            heard = resolve;
          });
        }
        const came = received.shift() ?? "";
        const asked = read(came);
        if (asked.method === "request") id = asked.id ?? "";
        expect(id === "" ? came : came.replaceAll(id, shown)).toBe(line);
      }
    }
    await server.close();
    expect(received).toEqual([]);
  });
});
