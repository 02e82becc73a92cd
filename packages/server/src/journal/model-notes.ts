import { createHash } from "node:crypto";
import type { ContentPart } from "@askwire/protocol";
import { type BoundedSet, defined, jsonText } from "@askwire/protocol/internal";
import type { KeptMessage } from "../agent/agent-session.js";
import type { ModelGiven } from "../agent/model.js";
import type { KeptRecords } from "./kept-records.js";

/** The records that say what a model was sent (P-JRN-14, P-JRN-15). They are written soon after, and nothing waits. */
export interface ModelNotes {
  /** Records that the model is asked for the step that has begun. */
  modelAsked(given: ModelGiven): void;
  /** Records the model's words of a step as it wrote them, calls in its text among them. */
  modelSaid(content: readonly ContentPart[]): void;
  /** Records that the model knows no more of the conversation than these messages. */
  modelForgot(messages: readonly KeptMessage[]): void;
}

/**
 * Makes these records.
 *
 * @param known the last hashes whose content is recorded; those of new contents are added, and one that was forgotten
 * is written again.
 */
export function modelNotes(records: KeptRecords, known: BoundedSet<string>): ModelNotes {
  /** Names a content by its hash, and records it under a new one. */
  function hashOf(content: string | readonly object[]): string {
    const text = typeof content === "string" ? content : jsonText(content);
    const hash = createHash("sha256").update(text).digest("base64url");
    if (!known.has(hash)) records.note("ModelText", { hash, content });
    known.add(hash);
    return hash;
  }
  return {
    modelAsked({ system, tools }) {
      const told = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
      const hashes = {
        system: system === undefined ? undefined : hashOf(system),
        tools: told.length === 0 ? undefined : hashOf(told),
      };
      records.note("ModelAsked", defined(hashes));
    },
    modelSaid: (content) => records.note("ModelSaid", { content }),
    modelForgot: (messages) =>
      records.note("ModelForgot", { messages: messages.map(({ at: _, ...message }) => message) }),
  };
}
