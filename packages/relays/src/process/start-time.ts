/**
 * The time for an agent to introduce itself, and for one of ACP to open a conversation, in milliseconds: some are
 * downloaded first, and on a busy machine an agent takes minutes.
 */
export const AGENT_START_MS = 180_000;
