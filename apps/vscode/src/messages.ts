// The messages between the host and the webview: one table for each direction, and the checks at both ends.
import { languages } from "@askwire/client/words";
import { answerLimits } from "@askwire/protocol";
import * as z from "zod/mini";
import { agentKinds } from "./view-state.js";

/** The most characters of a text: more than those of the largest file that is changed. */
const MOST_TEXT = 4 * 1024 * 1024;
/** The most characters of a picture inside an address, and of the type in front of it. */
const MOST_PICTURE = Math.ceil(answerLimits.picture / 3) * 4 + 256;
// Agents choose the ids of requests, questions and options, which have no bound.
const id = z.string().check(z.maxLength(MOST_TEXT));
/** The most characters of a part of a path. */
const MOST_NAME = 1_000;
/** The most questions of an answer, and options of a question. */
const MOST_CHOSEN = 10_000;

const text = z.string().check(z.maxLength(MOST_TEXT));
const strings = z.array(id).check(z.maxLength(MOST_CHOSEN));
const card = { chat: id, card: id };

/** A picture inside an address, as the editor's page reads it from the clipboard. */
const picture = z
  .string()
  .check(z.maxLength(MOST_PICTURE), z.regex(/^data:image\/[^;/,]+(;[^,]*)?;base64,/i));

const attachment = z.looseObject({
  type: z.literal("image_url"),
  image_url: z.looseObject({ url: picture }),
});

const questionReply = z.union([
  z.literal("declined"),
  z.strictObject({ declined: z.literal(["dismissed", "discuss"]), note: z.optional(text) }),
  z.strictObject({
    items: z
      .array(
        z.strictObject({
          question_id: id,
          selected: strings,
          own_text: z.optional(text),
          skipped: z.optional(z.boolean()),
          note: z.optional(text),
          attachments: z.optional(z.array(attachment).check(z.maxLength(MOST_CHOSEN))),
        }),
      )
      .check(z.minLength(1), z.maxLength(MOST_CHOSEN)),
  }),
]);

const words = { feedback: z.optional(text), edited: z.optional(text) };
const approvalKind = z.literal(["approve", "approve_for_session", "reject"]);
const approvalReply = z.union([
  approvalKind,
  z.strictObject({ response: approvalKind, ...words }),
  z.strictObject({ option: id, ...words }),
]);

/**
 * The messages of the webview to the host, by their `type`. Those with `call` are answered by `done`, an answer among
 * them: what is not taken leaves its card open with the reason.
 */
export const toHost = {
  // #region cards
  /** The webview is there, or has missed a message: the host sends the whole state. */
  ready: z.strictObject({}),
  answerQuestion: z.strictObject({ call: z.int(), ...card, reply: questionReply }),
  answerApproval: z.strictObject({ call: z.int(), ...card, reply: approvalReply }),
  /** The person begins with a card, which removes its deadline. */
  begin: z.strictObject(card),
  /** Takes a settled card off the list. */
  dismiss: z.strictObject(card),
  /** Opens the differences of an approval in the diff editor. */
  difference: z.strictObject(card),
  /** Saves the files of an approval that have unsaved edits. */
  saveFirst: z.strictObject(card),
  // #endregion cards
  prompt: z.strictObject({ call: z.int(), chat: id, text }),
  cancel: z.strictObject({ call: z.int(), chat: id }),
  planMode: z.strictObject({ call: z.int(), chat: id, enabled: z.boolean() }),
  doNotAsk: z.strictObject({ call: z.int(), chat: id, enabled: z.boolean() }),
  /** Opens a file that a tool call or a difference names. */
  openFile: z.strictObject({ chat: id, path: text }),
  /** Finds the files of the workspace that a part of a path may mean. `done` has them. */
  findFiles: z.strictObject({ call: z.int(), begun: z.string().check(z.maxLength(MOST_NAME)) }),
  attach: z.strictObject({}),
  detach: z.strictObject({ attachment: id }),
  /** The unsent work in a session as JSON, which the host keeps for a reload of the window. */
  keepDrafts: z.strictObject({ chat: id, drafts: text }),
  paste: z.strictObject({ url: picture }),
  /** Puts a text into the clipboard. */
  copy: z.strictObject({ text }),
  showChat: z.strictObject({ chat: id }),
  /** Runs one of the extension's own commands. */
  command: z.strictObject({
    name: z.literal([
      "start",
      "restart",
      "showLog",
      "openSettings",
      "newSession",
      "openFolder",
      "watch",
      "chooseAgent",
    ]),
  }),
  /** The person wants none of what is offered. */
  putAway: z.strictObject({}),
};

const shownCard = z.looseObject({ kind: z.literal(["question", "approval"]), id });

const parts = {
  /** The language of the texts. */
  language: z.literal(languages),
  /** The session that is shown; empty before the first. */
  chat: z.string(),
  line: z.looseObject({ is: z.literal(["none", "starting", "connected", "lost", "ended", "noFolder"]) }),
  /** The agent of the shown session, or the one that would be started. */
  agent: z.looseObject({
    is: z.literal(agentKinds),
    name: z.string(),
  }),
  /** The session that another window has, while it is offered. */
  held: z.literal(["", "shared", "alone"]),
  chats: z.array(z.looseObject({ id, title: z.string(), open: z.int() })),
  cards: z.array(shownCard),
  talk: z.looseObject({ isRunning: z.boolean(), isComing: z.boolean(), isCut: z.boolean() }),
  said: z.array(z.looseObject({ kind: z.literal("words"), id })),
  commands: z.array(z.looseObject({ name: z.string() })),
  abilities: z.looseObject({}),
  /** The unsent work in the shown session that was kept, as JSON; empty without any. */
  drafts: z.string(),
  attachments: z.array(z.looseObject({ id, name: z.string() })),
};

/** The messages of the host to the webview, by their `type`. */
export const toView = {
  /**
   * Parts of the state that changed; all of them after `ready`. `seq` counts from 0 after `ready`: a webview that
   * misses a number asks anew. `entries` are those that are new or other than before, and `from` and `to`
   * are the keys of the oldest and the newest.
   */
  state: z.looseObject({
    seq: z.int(),
    parts: z.partial(z.looseObject(parts)),
    entries: z.optional(
      z.looseObject({ from: z.int(), to: z.int(), changed: z.array(z.looseObject({ key: z.int() })) }),
    ),
  }),
  /** The end of a call, with the problem where it failed, and the paths that it found. */
  done: z.looseObject({
    call: z.int(),
    problem: z.optional(z.string()),
    files: z.optional(z.array(z.string())),
  }),
  /** Leads the person to a card. */
  lead: z.looseObject({ card: id }),
};

type Table = Record<string, z.ZodMiniType>;
/** A message of a table. */
export type MessageOf<T extends Table> = {
  [K in keyof T & string]: { type: K } & (z.output<T[K]> extends Record<string, never>
    ? unknown
    : z.output<T[K]>);
}[keyof T & string];
export type ToHost = MessageOf<typeof toHost>;

/** Reads a message of a table. Undefined for any other value. */
export function readMessage<T extends Table>(table: T, message: unknown): MessageOf<T> | undefined {
  if (typeof message !== "object" || message === null || !("type" in message)) return undefined;
  const { type, ...rest } = message;
  if (typeof type !== "string" || !Object.hasOwn(table, type)) return undefined;
  const parsed = (table[type] as z.ZodMiniType).safeParse(rest);
  return parsed.success ? ({ type, ...(parsed.data as object) } as MessageOf<T>) : undefined;
}
