// The params of an ask as a server reads them. A client sends an approval unread, which keeps its bundle small.
import * as z from "../zod.js";
import { addressedAsk } from "./addressees.js";
import { ApprovalEdit, ApprovalOption, ApprovalScope } from "./approval-options.js";
import { DisplayBlock } from "./display.js";
import { askMembers } from "./extended.js";

/** An action of a connected program, for the people of a session to allow (P-XAK-11). */
const AskedApproval = z.looseObject({
  /** The action covered by `approve_for_session`. */
  action: z.string().check(z.minLength(1)),
  /** The action in a sentence. */
  description: z.string(),
  /** The blocks to show with the description. Default: none. */
  display: z.optional(z.array(DisplayBlock)),
  /** The ways to answer it. Default: the three of the base profile (P-XAO-1). */
  options: z.optional(
    z.array(
      z.looseObject({
        id: ApprovalOption.shape.id,
        label: z.optional(z.string()),
        kind: ApprovalOption.shape.kind,
        scope: z.optional(z.looseObject({ ...ApprovalScope.shape, text: z.optional(z.string()) })),
      }),
    ),
  ),
  /** The id of the option that `approve_for_session` stands for, where several last (P-XAO-5). */
  for_session: z.optional(z.string()),
  /** The text that may be changed before approving (P-XAO-3). `max_length` may be absent. */
  edit: z.optional(
    z.looseObject({ ...ApprovalEdit.shape, max_length: z.optional(ApprovalEdit.shape.max_length) }),
  ),
  /** True: no policy may answer it (P-XAO-10). Default: false. */
  person_only: z.optional(z.boolean()),
  /** The part of the program that asks, as people see it. Default: the name of the program. */
  sender: z.optional(z.string().check(z.minLength(1))),
});

const name = z.string().check(z.minLength(1), z.maxLength(128));

/** The origin of an ask (P-XAK-12). */
const AskOrigin = z.looseObject({
  /** The program that the asking one works for, such as an editor or an agent. */
  host: z.optional(name),
  /** The folder that the work is in. */
  folder: z.optional(z.string().check(z.minLength(1), z.maxLength(1_024))),
  /** The tool whose call asks. */
  tool: z.optional(name),
  /** The kind of the sub-agent that asks. */
  subagent: z.optional(name),
});

/**
 * The questions of a connected program, or its approval, or its return for the outcome (P-XAK-1 to P-XAK-6, P-XAK-11,
 * P-XAK-12, P-XTO-1).
 */
export const AskParams = z.looseObject({
  ...askMembers,
  /** In the place of questions (P-XAK-11). */
  approval: z.optional(AskedApproval),
  /** Shown to people beside the name of the program. Default: none. */
  origin: z.optional(AskOrigin),
  ...addressedAsk,
});
export type AskParams = z.output<typeof AskParams>;
