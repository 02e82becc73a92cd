import type { InText, ModelPart } from "../../agent/model.js";
import { uuid } from "../../runtime/uuid.js";
import { quotedText } from "../quoted-text.js";
import {
  CLOSE,
  FOLLOW_UP,
  findTag,
  followUp,
  OPEN,
  passed,
  QUESTION,
  QUESTION_END,
  TOOL_NAME,
  wholeCharacters,
} from "./call-element.js";
import { decoded } from "./suggestions.js";

/** The limit of a call, in UTF-16 units. A longer call ends there. */
export const MAX_CALL = 256 * 1024;

/** The member of a call's `extras` that says which of its message it is, where it is not the first. */
export const IN_MESSAGE = "in_message";

/** A call that has begun. */
interface Call {
  /** All of it. */
  raw: string;
  /** The part of the call that was not examined yet. */
  pending: string;
  /** The position in the call. Until its question begins it may turn out to be no call. */
  at: "before" | "question" | "after";
}

/**
 * Reads the calls in a model's text (P-KIL-6). Thoughts, comments, CDATA, code and quoting lines have no calls. The
 * question goes out while it is written. Only a possible beginning of a tag is held back.
 *
 * @param newId makes the id of a call. Default: a UUID.
 */
export function textCalls(result: InText["result"], newId: () => string = uuid): InText {
  const inText: InText = {
    result,
    async *read(parts) {
      const text = textReader(inText, newId);
      const last = new Map<ModelPart["type"], ModelPart>();
      for await (const part of parts) {
        // Ids and usage may come at any time, and nothing may come within a call.
        if (part.type === "message_id" || part.type === "usage") last.set(part.type, part);
        else if (part.type === "content" && part.part.type === "text") yield* text.more(part.part.text);
        else {
          yield* text.end();
          yield part;
        }
      }
      yield* text.end();
      yield* last.values();
    },
  };
  return inText;
}

function textReader(inText: InText, newId: () => string) {
  const code = quotedText();
  let held = "";
  /** The end of a passing text, and the last part of that text so far. */
  let passing: { readonly end: string; tail: string } | undefined;
  let call: Call | undefined;
  let calls = 0;

  function* say(text: string): Generator<ModelPart> {
    if (text !== "") yield { type: "content", part: { type: "text", text } };
  }

  /** Reads up to a call. Returns the text after its open tag. */
  function* outside(text: string): Generator<ModelPart, string> {
    const all = held + text;
    held = "";
    for (let from = 0; ; ) {
      const { at, tag } = findTag(all, BEGINNINGS, from);
      code.pass(all.slice(from, at));
      if (at === all.length || !code.inside) {
        yield* say(all.slice(0, at));
        if (tag === undefined) {
          held = all.slice(at);
          return "";
        }
        const end = passed.get(tag);
        if (end === undefined) call = { raw: OPEN, pending: "", at: "before" };
        else {
          code.pass("<");
          yield* say(tag);
          passing = { end, tail: "" };
        }
        return all.slice(at + tag.length);
      }
      code.pass("<");
      from = at + 1;
    }
  }

  /** Reads on in text without calls. Returns the text after it. */
  function* through(
    here: { readonly end: string; tail: string },
    text: string,
  ): Generator<ModelPart, string> {
    const all = here.tail + text;
    const at = all.indexOf(here.end);
    const used = at === -1 ? text.length : at + here.end.length - here.tail.length;
    here.tail = all.slice(1 - here.end.length);
    if (at !== -1) passing = undefined;
    yield* say(text.slice(0, used));
    return text.slice(used);
  }

  /** Reads on in a call. Returns the text after it. */
  function* inside(here: Call, text: string): Generator<ModelPart, string> {
    const piece = text.slice(0, MAX_CALL - here.raw.length);
    const later = text.slice(piece.length);
    here.raw += piece;
    here.pending += piece;
    if (here.at === "before") {
      const { at, tag } = findTag(here.pending, [QUESTION, CLOSE, OPEN]);
      if (tag === OPEN) return `${yield* noCall(here)}${later}`;
      here.pending = here.pending.slice(at);
      if (tag !== undefined) yield begin();
      if (tag === QUESTION) {
        here.pending = here.pending.slice(QUESTION.length);
        here.at = "question";
        yield argumentsPart('{"question": "');
      }
    }
    if (here.at === "question") {
      const { at, tag } = findTag(here.pending, [QUESTION_END, FOLLOW_UP, CLOSE]);
      const end = at === here.pending.length ? wholeCharacters(here.pending) : at;
      yield* question(here.pending.slice(0, end));
      here.pending = here.pending.slice(end);
      if (tag !== undefined) here.at = "after";
    }
    const { at, tag } = findTag(here.pending, here.at === "question" ? [] : [CLOSE]);
    if (tag !== undefined) {
      const rest = here.pending.slice(at + CLOSE.length);
      here.raw = here.raw.slice(0, here.raw.length - rest.length);
      yield* finish(here);
      return rest + later;
    }
    if (here.at === "after") here.pending = here.pending.slice(at);
    return here.raw.length < MAX_CALL ? later : `${yield* giveUp(here)}${later}`;
  }

  function begin(): ModelPart {
    calls += 1;
    const extras = calls === 1 ? null : { [IN_MESSAGE]: calls };
    const toolCall = {
      type: "function" as const,
      id: newId(),
      function: { name: TOOL_NAME, arguments: null },
      extras,
    };
    return { type: "tool_call", call: toolCall, inText };
  }

  function* question(text: string): Generator<ModelPart> {
    if (text !== "") yield argumentsPart(JSON.stringify(decoded(text)).slice(1, -1));
  }

  /** The rest of the arguments, and the text of the call. */
  function* finish({ raw, at }: Call): Generator<ModelPart> {
    call = undefined;
    const follow_up = followUp(raw);
    if (at === "before") yield argumentsPart(JSON.stringify({ follow_up }));
    else {
      const more = follow_up === undefined ? "" : `, "follow_up": ${JSON.stringify(follow_up)}`;
      yield argumentsPart(`"${more}}`);
    }
    yield { type: "written", text: raw };
  }

  /** Passes the tag on as text. Returns the text after it. */
  function* noCall({ raw }: Call): Generator<ModelPart, string> {
    call = undefined;
    code.pass(OPEN);
    yield* say(OPEN);
    return raw.slice(OPEN.length);
  }

  /** Ends an incomplete call, whose parts so far count. Returns the part that turned out to be text. */
  function* giveUp(here: Call): Generator<ModelPart, string> {
    if (here.at === "before") return yield* noCall(here);
    // Half a tag is no text of the question.
    if (here.at === "question" && !/^<./.test(here.pending)) yield* question(here.pending);
    yield* finish(here);
    return "";
  }

  function* more(text: string): Generator<ModelPart> {
    for (const piece of pieces(text)) {
      for (let rest = piece; rest !== ""; ) {
        if (passing !== undefined) rest = yield* through(passing, rest);
        else rest = call === undefined ? yield* outside(rest) : yield* inside(call, rest);
      }
    }
  }

  return {
    more,
    /** Text that is held back goes out. */
    *end(): Generator<ModelPart> {
      while (call !== undefined) yield* more(yield* giveUp(call));
      code.pass(held);
      yield* say(held);
      held = "";
    },
  };
}

const BEGINNINGS = [OPEN, ...passed.keys()];

/** The piece that is read at a time, in UTF-16 units. The text after each call or tag in it is copied. */
const PIECE = 16 * 1024;

/** A text in pieces, none of which ends in half a character. */
function* pieces(text: string): Generator<string> {
  for (let from = 0, end = 0; from < text.length; from = end) {
    end = Math.min(from + PIECE, text.length);
    if (end < text.length && /[\ud800-\udbff]/.test(text[end - 1] as string)) end -= 1;
    yield text.slice(from, end);
  }
}

const argumentsPart = (arguments_part: string): ModelPart => ({ type: "tool_call_part", arguments_part });
