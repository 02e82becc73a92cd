/**
 * What a connection may do (P-XRL-2): see what happens, answer questions and reject, approve a call as it is shown, approve
 * beyond that call, change what is to be approved, prompt and set how the agent works, steer, cancel a turn, close a
 * session, list sessions, and ask.
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
] as const;
/** A value of {@link permissions}. */
export type Permission = (typeof permissions)[number];

/** The roles of a connection, each a name for what it may do (P-XRL-2). A connection without a role may do everything. */
export const clientRoles = {
  answer: ["see", "answer", "approve", "list"],
} as const satisfies Record<string, readonly Permission[]>;
/** A key of {@link clientRoles}. */
export type ClientRole = keyof typeof clientRoles;
