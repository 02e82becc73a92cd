/**
 * The permissions of a connection (P-XRL-2): to see what happens, to answer questions and reject, to approve a call as
 * shown, to approve beyond that call, to change the text to approve, to prompt and set how the agent works, to steer, to
 * cancel a turn, to close a session, to list sessions, to ask, and to read what was decided.
 */
export const permissions = [
  "see",
  "answer",
  "approve",
  "approve_scope",
  "edit",
  "prompt",
  "steer",
  "cancel",
  "close",
  "list",
  "ask",
  "history",
] as const;
/** A value of {@link permissions}. */
export type Permission = (typeof permissions)[number];

/** The roles of a connection, each a name for what it may do (P-XRL-2). A connection without a role may do everything. */
export const clientRoles = {
  answer: ["see", "answer", "approve", "list"],
} as const satisfies Record<string, readonly Permission[]>;
/** A key of {@link clientRoles}. */
export type ClientRole = keyof typeof clientRoles;
