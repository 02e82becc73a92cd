import type { AskwireCapabilities } from "@askwire/protocol";

/** The features that a client may use: those that it declared, as far as its role allows (P-XRL-6). */
export type AllowedFeatures = AskwireCapabilities & {
  /** False for a client whose answers reach no further than the call that asks. */
  readonly scopes: boolean;
};
