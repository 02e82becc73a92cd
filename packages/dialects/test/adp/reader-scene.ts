import type { ModelPart } from "@askwire/server";
import { boundedTime } from "../../../server/src/runtime/bounded-time.js";
import { readCatalogue } from "../../src/adp/catalogue.js";
import { adpTextCalls } from "../../src/adp/text-calls.js";
import { twoServices } from "./adp-scene.js";

export const content = (text: string): ModelPart => ({ type: "content", part: { type: "text", text } });
export const think = (text: string): ModelPart => ({
  type: "content",
  part: { type: "think", think: text, encrypted: null },
});

/** A call in short: its name, its arguments, what was written, and what else its extras say. */
export interface Short {
  readonly name: string;
  args: string;
  readonly written: unknown;
  readonly more?: Record<string, unknown>;
  /** The model's memory of the message. */
  remembered: string;
}
export type Read = string | Short | { written: string } | { other: string };

const catalogue = readCatalogue(twoServices().services, boundedTime(250));

/** A reader of the calls of the two services. */
export const reader = () => adpTextCalls(catalogue, () => []);

/** Reads a stream of these parts, with adjacent texts joined. */
export async function readParts(given: readonly ModelPart[]): Promise<Read[]> {
  const { read } = reader();
  async function* stream() {
    yield* given;
  }
  const out: Read[] = [];
  for await (const part of read(stream())) add(out, part);
  return out;
}

function add(out: Read[], part: ModelPart): void {
  const last = out.at(-1);
  const call = typeof last === "object" && "name" in last ? last : undefined;
  if (part.type === "content" && part.part.type === "text") {
    if (typeof last === "string") out[out.length - 1] = last + part.part.text;
    else out.push(part.part.text);
  } else if (part.type === "tool_call") {
    const { written, ...more } = part.call.extras ?? {};
    const { name } = part.call.function;
    const short = { name, args: "", written, remembered: "" };
    out.push(Object.keys(more).length === 0 ? short : { ...short, more });
  } else if (part.type === "tool_call_part" && call !== undefined) call.args += part.arguments_part ?? "";
  else if (part.type === "written" && call !== undefined && call.remembered === "")
    call.remembered = part.text;
  else if (part.type === "written") {
    if (typeof last === "object" && Object.keys(last).join() === "written") {
      out[out.length - 1] = { written: (last as { written: string }).written + part.text };
    } else out.push({ written: part.text });
  } else out.push({ other: part.type === "content" ? part.part.type : part.type });
}

export const read = (...texts: string[]) => readParts(texts.map(content));

/** The shown text, and the running calls with their arguments. */
export async function shown(text: string) {
  const parts = await readParts([content(text)]);
  return {
    text: parts.filter((part) => typeof part === "string").join(""),
    calls: parts.flatMap((part) =>
      typeof part === "object" && "name" in part ? [{ name: part.name, args: part.args, ...part.more }] : [],
    ),
  };
}
