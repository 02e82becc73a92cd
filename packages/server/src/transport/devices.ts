import type { ClientRole } from "@askwire/protocol";
import type { MakePairingCode } from "../session/pairing-code.js";

/** A device that may connect with its own token. */
export interface Device {
  /** The name by which it is listed and revoked. */
  readonly id: string;
  /** `answer` for a device that may only answer (P-XRL-1). Default: every method. */
  readonly role?: ClientRole | undefined;
  /** The kind of device, such as "Firefox on Android". Default: not known. */
  readonly name?: string;
  /** The name of the person who has it, whom its outcomes name (P-WHO-3). Default: the name of the device stands for it. */
  readonly person?: string | undefined;
}

/** A device that has just been paired. */
export interface PairedDevice extends Device {
  /** The secret of the device, which is told this once: at least 128 random bits in base64url. */
  readonly token: string;
}

/** The devices that a gateway lets in besides its tokens (P-DEV-1). */
export interface Devices {
  /** The device with this token; undefined for another text. Must take a time that reveals nothing about a secret. */
  match(token: string): Device | undefined;
  /**
   * Exchanges a code for a token. Each code counts once, and for minutes (P-DEV-3).
   *
   * @param name the kind of browser and system, as the device said it: foreign text of at most 60 characters.
   * @throws an error if the device cannot be kept, which the code outlives.
   * @returns undefined for a code that is wrong, used or expired.
   */
  pair(code: string, name: string): PairedDevice | undefined;
  /**
   * Makes a code that {@link Devices.pair} takes, for a client with the gateway's own token (P-DEV-7). Default: clients
   * make none.
   *
   * @returns undefined where no other machine can reach the server.
   */
  readonly invite?: MakePairingCode;
  /** Calls `revoked` with the id of each device that is no longer let in. The returned function ends that. */
  watchRevoked(revoked: (id: string) => void): () => void;
}
