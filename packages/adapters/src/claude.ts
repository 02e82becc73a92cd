// The Claude Agent SDK: `@askwire/adapters/claude`.
import { readFile, stat } from "node:fs/promises";
import { type AskInit, askApproval } from "@askwire/client";
import { FINISHED_THERE, linkQuestion, Unshowable } from "@askwire/client/json-schema";
import { outcomeWords } from "@askwire/protocol";
import { checkOptions, defined, option, randomId } from "@askwire/protocol/internal";
import { askByForm } from "./ask-by-form.js";
import { askKey } from "./ask-key.js";
import type { AskingSession } from "./asking-session.js";
import { ALWAYS, claudeApproval, STOP } from "./claude-approval.js";
import type { ClaudePermissionUpdate } from "./claude-permissions.js";
import { claudeAnswers, claudeQuestions, readClaudeQuestions } from "./claude-questions.js";

export type { AskingSession } from "./asking-session.js";
export type { ClaudePermissionUpdate } from "./claude-permissions.js";
export {
  type ClaudeAnnotation,
  type ClaudeAnswers,
  type ClaudeQuestion,
  claudeAnswers,
  claudeQuestions,
} from "./claude-questions.js";

/** The options of {@link claudeHandlers}. Every member is optional. */
export interface ClaudeOptions {
  /**
   * The name of the run, which no other one has. With the id of a call it names the ask: a process that starts again
   * under the same name finds what it asked. Default: a new UUID.
   */
  readonly run?: string;
  /** The folder of the work, which people see. Default: none. */
  readonly folder?: string;
  /** Withdraws what is open when aborted, as the signal of each call does. Default: none. */
  readonly signal?: AbortSignal;
}

/** The part of the options of `canUseTool` that is read. */
export interface ClaudeToolDetails {
  readonly signal: AbortSignal;
  readonly toolUseID: string;
  readonly suggestions?: readonly ClaudePermissionUpdate[];
  readonly title?: string;
  readonly description?: string;
  readonly decisionReason?: string;
  readonly blockedPath?: string;
  readonly agentID?: string;
  readonly defaultToNo?: boolean;
  readonly suppressAlwaysAllowRule?: boolean;
  readonly matchedAskRule?: unknown;
}

/** A decision as the SDK takes it. `Update` is the SDK's own `PermissionUpdate`. */
export type ClaudeDecision<Update> =
  | {
      behavior: "allow";
      updatedInput?: Record<string, unknown>;
      updatedPermissions?: Update[];
    }
  | { behavior: "deny"; message: string; interrupt?: boolean };

/** The part of a request for input that is read. */
export interface ClaudeElicitation {
  readonly serverName: string;
  readonly message: string;
  readonly mode?: "form" | "url";
  readonly url?: string;
  readonly requestedSchema?: object;
}

/** The reply to a request for input. */
export type ClaudeElicitationReply = {
  action: "accept" | "decline" | "cancel";
  content?: Record<string, string | number | boolean | string[]>;
};

/** The handlers that `query` of the SDK takes. */
export interface ClaudeHandlers {
  /**
   * Puts a call to people: a question of AskUserQuestion with its options and previews, a plan, a command, a
   * difference, any other tool by its arguments. What they changed is what runs. Every end without a yes is a denial
   * with the reason, which the model reads.
   *
   * @throws LocalError and WireError as `session.ask`, and TypeError for a call of AskUserQuestion in a form that is not
   * known; the SDK then denies the call, and the model reads the message.
   */
  canUseTool<Update extends ClaudePermissionUpdate>(
    name: string,
    input: Record<string, unknown>,
    details: ClaudeToolDetails & { readonly suggestions?: readonly Update[] },
  ): Promise<ClaudeDecision<Update>>;
  /**
   * Puts the form or the address of an MCP server to people. `decline` is a person's no; without a person's word the
   * reply is `cancel`.
   *
   * @throws LocalError and WireError as `session.ask`.
   */
  onElicitation(
    asked: ClaudeElicitation,
    details: { readonly signal: AbortSignal; readonly requestId: string },
  ): Promise<ClaudeElicitationReply>;
}

/**
 * The handlers by which an agent of Claude's SDK asks people. `query({prompt, options: {...claudeHandlers(session)}})`.
 *
 * @throws TypeError for options that do not fit.
 */
export function claudeHandlers(session: AskingSession, options: ClaudeOptions = {}): ClaudeHandlers {
  checkOptions<ClaudeOptions>("claudeHandlers", options, {
    run: option.text,
    folder: option.text,
    signal: option.signal,
  });
  const { run = randomId(), folder, signal: own } = options;
  const either = (signal: AbortSignal) => (own === undefined ? signal : AbortSignal.any([own, signal]));
  return {
    async canUseTool(name, input, details) {
      const { toolUseID, agentID, suggestions = [], suppressAlwaysAllowRule = false } = details;
      const place = {
        key: await askKey(run, toolUseID),
        signal: either(details.signal),
        origin: { host: "Claude", tool: name, ...defined({ folder, subagent: agentID }) },
      };
      if (name === "AskUserQuestion") return answerQuestions(session, input, place);
      const { title, description, decisionReason, blockedPath, defaultToNo, matchedAskRule } = details;
      const { ask, edits } = await claudeApproval(
        {
          ...{ name, input, title, description, decisionReason, blockedPath },
          suggestions: suppressAlwaysAllowRule ? [] : suggestions,
          personOnly: defaultToNo === true || matchedAskRule !== undefined,
        },
        textAt,
      );
      const { approved, option: chosen, edited, words } = await askApproval(session, { ...ask, ...place });
      if (!approved)
        return { behavior: "deny", message: words.message, ...(chosen === STOP && { interrupt: true }) };
      const changed = edits === undefined || edited === undefined ? {} : { [edits]: edited };
      return {
        behavior: "allow",
        updatedInput: { ...input, ...changed },
        ...(chosen === ALWAYS && { updatedPermissions: [...suggestions] }),
      };
    },
    async onElicitation(asked, { signal, requestId }) {
      const ids = [run, "elicitation", requestId];
      const put = asked.mode === "url" ? openAddress : fillIn;
      try {
        return await put(session, asked, ids, either(signal));
      } catch (error) {
        if (error instanceof Unshowable) return { action: "cancel" };
        throw error;
      }
    },
  };
}

async function answerQuestions(
  session: AskingSession,
  input: Record<string, unknown>,
  place: Pick<AskInit, "key" | "signal" | "origin">,
) {
  const questions = readClaudeQuestions(input);
  const { outcome, items } = await session.ask({ questions: claudeQuestions(questions), ...place });
  if (outcome.status !== "answered")
    return { behavior: "deny" as const, message: outcomeWords(outcome, "question").message };
  return { behavior: "allow" as const, updatedInput: { ...input, ...claudeAnswers(questions, items) } };
}

async function fillIn(
  session: AskingSession,
  { serverName, message, requestedSchema: schema }: ClaudeElicitation,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ClaudeElicitationReply> {
  const reply = await askByForm(session, { message: `${serverName}: ${message}`, schema, ids, signal });
  if (!reply.answered) return { action: withoutAnswer(reply.status) };
  return { action: "accept", content: { ...(reply.values as object) } };
}

/** Asks a person to open an address, and waits until they say that they are done. */
async function openAddress(
  session: AskingSession,
  { serverName, message, url = "" }: ClaudeElicitation,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ClaudeElicitationReply> {
  const questions = [linkQuestion(`${serverName}: ${message}`, url)];
  const { outcome, items } = await session.ask({ questions, key: await askKey(...ids), signal });
  if (outcome.status !== "answered") return { action: withoutAnswer(outcome.status) };
  return { action: items[0]?.selected[0] === FINISHED_THERE ? "accept" : "decline" };
}

/** A person's no declines. Every other end without an answer is nobody's word. */
const withoutAnswer = (status: string) => (status === "declined" ? "decline" : "cancel");

/** The largest file whose difference is shown, in bytes. */
const MOST_READ = 1_048_576;

/** Reads a file; undefined for one that is not there, null for one that is no text or too large. */
async function textAt(path: string): Promise<string | undefined | null> {
  try {
    if ((await stat(path)).size > MOST_READ) return null;
    const text = await readFile(path, "utf8");
    return text.includes("\u0000") ? null : text;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? undefined : null;
  }
}
