import type { NamedDevice } from "@askwire/protocol";

/** A code that has been made for a device. It counts until it is used, ended or too old. */
export interface MadeCode {
  readonly code: string;
  /** The origin at which a device takes it, such as `https://ask.example`. */
  readonly address: string;
  /** The time that it counts, in milliseconds. */
  readonly expiresInMs: number;
  /** Resolves once it no longer counts, with the device that used it if one did. */
  readonly over: Promise<NamedDevice | undefined>;
  /** Ends it; again without effect. */
  end(): void;
}

/**
 * Makes a code by which a device comes in, once and for minutes (P-DEV-3, P-DEV-7).
 *
 * @param role `answer` for a device that may only answer; undefined for one that may do everything.
 * @param person the name of the person whose device it will be (P-WHO-3); undefined where none was given.
 * @returns undefined where no other machine can reach the server.
 */
export type MakePairingCode = (
  role: "answer" | undefined,
  person: string | undefined,
) => MadeCode | undefined;

/** The way of a client to codes for devices; `refused` for one that may make none. */
export type Pairing = MakePairingCode | "refused";
