import type { AgentSession } from "@askwire/server";
import type { OpenLinks } from "../elicitation/ask-link.js";
import { AcpError } from "./acp-error.js";
import type { AllowedChanges } from "./allowed-changes.js";
import type { AnswersRequest } from "./connection.js";
import { answerElicitation } from "./elicitation.js";
import { type FilePlace, readTextFile, writeTextFile } from "./files.js";
import { answerPermission } from "./permission.js";
import { withoutAnswer } from "./permission-reply.js";
import type { Scenes } from "./scenes.js";

/** The surroundings of an agent's requests. */
export interface AcpRequestPlace {
  readonly session: AgentSession;
  readonly scenes: Scenes;
  readonly links: OpenLinks;
  readonly changes: AllowedChanges;
  /** The id of the conversation; undefined before the agent has one. */
  readonly conversation: () => string | undefined;
  /** Adds words of the person, which the agent reads after its prompt. */
  readonly say: (words: string) => void;
}

/** The requests of an agent that are answered, by their methods. Terminals are not among them. */
export function agentRequests(place: AcpRequestPlace): ReadonlyMap<string, AnswersRequest> {
  const { session, scenes, links, changes } = place;
  const files: FilePlace = { session, call: () => scenes.telling.onlyCall(), isAllowed: changes.take };
  const answers: readonly (readonly [string, AnswersRequest])[] = [
    [
      "session/request_permission",
      (params, signal) =>
        answerPermission(params, signal, {
          session,
          telling: scenes.telling,
          turn: scenes.turn,
          allowed: changes.add,
          rejected: (title, words) => place.say(`About "${title}", which was rejected: ${words}`),
        }),
    ],
    [
      "elicitation/create",
      (params, signal) => {
        scenes.telling.show(toolCallIdIn(params));
        return answerElicitation(params, signal, session, links);
      },
    ],
    ["fs/read_text_file", (params) => readTextFile(params, files)],
    ["fs/write_text_file", (params, signal) => writeTextFile(params, signal, files)],
  ];
  return new Map(
    answers.map(([method, answer]) => [
      method,
      (params, signal) => {
        refuseForeign(params, place.conversation());
        // A person is not asked about a turn that was cancelled.
        if (scenes.isMuted) return afterCancel(method);
        return answer(params, signal);
      },
    ]),
  );
}

/** The answers to requests in the rest of a cancelled turn. */
function afterCancel(method: string): object {
  const reply = withoutAnswer(method);
  if (reply === undefined) throw new AcpError("cancelled", "the turn was cancelled");
  return reply;
}

function toolCallIdIn(params: unknown): string {
  const { toolCallId } = Object(params) as { readonly toolCallId?: unknown };
  return typeof toolCallId === "string" ? toolCallId : "";
}

/** An agent may speak for its own conversation alone. */
function refuseForeign(params: unknown, conversation: string | undefined): void {
  const { sessionId } = Object(params) as { readonly sessionId?: unknown };
  if (sessionId == null || sessionId === conversation) return;
  throw new AcpError("invalidParams", "sessionId: expected the conversation of this connection");
}
