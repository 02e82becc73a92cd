import type { ConnectOptions } from "@askwire/client";

/** The abilities of the cards, as `shows` of a connection takes them (P-XNG-2). */
export const cardAbilities = {
  previews: true,
  notes: true,
  attachments: true,
  skip: true,
  deadline: true,
  fields: true,
  approvalOptions: true,
  edits: true,
  quorum: true,
  presence: true,
} as const satisfies NonNullable<ConnectOptions["shows"]>;
