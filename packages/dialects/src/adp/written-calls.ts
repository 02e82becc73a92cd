import type { InText, ModelPart } from "@askwire/server";
import { type Catalogue, PARAM_QUERY } from "./catalogue.js";
import type { Query } from "./tags.js";
import type { WrittenCall } from "./text-event.js";

/** Members of the `extras` of a call that was written in the text. */
export interface WrittenExtras extends Record<string, unknown> {
  /** The model's text, word for word. */
  readonly written: string;
  /** Calls next to it that were not run, as `service.action`. */
  readonly not_executed?: readonly string[];
  /** Set for a call that cannot run, and asks for the parameters instead. */
  readonly unread?: true;
  /** The model wrote a result itself, which was taken out. */
  readonly stripped_result?: true;
}

/** A query that is told once the text after it is clear. */
export interface OpenQuery {
  readonly raw: string;
  readonly query: Query | undefined;
  readonly notExecuted: string[];
  stripped: boolean;
  /** White space after it. */
  space: string;
}

/** A call that runs if no query follows. */
export interface HeldCall {
  readonly written: WrittenCall;
  stripped: boolean;
  /** The text after the query's element that belongs to it. */
  after: string;
}

/** Makes tool calls of written calls. */
export interface WrittenCalls {
  query(query: OpenQuery): Generator<ModelPart>;
  /** A call that runs, or asks for its parameters where it cannot. */
  call(held: HeldCall): Generator<ModelPart>;
  runs(call: WrittenCall): boolean;
  /** The name of a call for the model, as far as the catalogue knows it. */
  nameOf(call: Pick<WrittenCall, "service" | "action">): string;
}

/** By the services of a catalogue. */
export function writtenCalls(
  catalogue: Pick<Catalogue, "service" | "find">,
  inText: InText,
  newId: () => string,
): WrittenCalls {
  function* parts(name: string, args: string, extras: WrittenExtras, text: string): Generator<ModelPart> {
    const call = {
      type: "function" as const,
      id: newId(),
      function: { name, arguments: null },
      extras,
    };
    yield { type: "tool_call", call, inText };
    yield { type: "tool_call_part", arguments_part: args };
    yield { type: "written", text };
  }

  function toolOf({ service, action, body }: WrittenCall): string | undefined {
    const found = catalogue.find(service, action);
    return body !== undefined && "action" in found ? found.action.tool.name : undefined;
  }

  function nameOf({ service, action }: Pick<WrittenCall, "service" | "action">): string {
    const found = catalogue.find(service, action);
    const known = "action" in found ? found.action.tool.name : action;
    return `${catalogue.service(service)?.id ?? service}.${known}`;
  }

  return {
    nameOf,
    runs: (call) => toolOf(call) !== undefined,
    query({ raw, query, notExecuted, stripped, space }) {
      const extras: WrittenExtras = {
        written: raw,
        ...(notExecuted.length > 0 && { not_executed: notExecuted }),
        ...(stripped && { stripped_result: true }),
      };
      return parts(PARAM_QUERY, JSON.stringify(query ?? {}), extras, raw + space);
    },
    call({ written, stripped, after }) {
      const text = written.raw + after;
      const extras: WrittenExtras = { written: text.trimEnd(), ...(stripped && { stripped_result: true }) };
      const tool = toolOf(written);
      if (tool !== undefined) return parts(tool, written.body ?? "", extras, text);
      const args = JSON.stringify({ tool_id: written.service, action: written.action });
      const not_executed = [nameOf(written)];
      return parts(PARAM_QUERY, args, { ...extras, not_executed, unread: true }, text);
    },
  };
}
