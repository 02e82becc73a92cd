import { createHash, randomBytes } from "node:crypto";
import type { Clock, NamedDevice } from "@askwire/server";
import type { Device } from "@askwire/server/websocket";

/** Letters and digits that are not mistaken for another: 32, so that each has five bits. */
const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
/** The characters of a code, which have 50 random bits. */
const LENGTH = 10;

/** The minutes that a code counts for. */
export const CODE_MINUTES = 10;
/** The most codes at a time: a further one takes the place of the oldest. */
const MOST_CODES = 8;

/** The device that a code is for. */
export interface WantedDevice extends Pick<Device, "role"> {
  /** The name of the person who will have it, as the maker of the code gave it. Default: none was given. */
  readonly person?: string | undefined;
}

/** Codes that count once, and for minutes. */
export interface PairingCodes {
  /**
   * Makes a code, such as `K7QMD-X2PFA`.
   *
   * @param over called when it has been used, with the device, or no longer counts.
   */
  make(wanted: WantedDevice, over?: (device?: NamedDevice) => void): string;
  /**
   * Calls `use` for a code that counts, and uses it up unless that throws. Letters may be small, and signs between them
   * are not read.
   *
   * @returns undefined for another text.
   */
  use<T extends NamedDevice>(code: string, use: (wanted: WantedDevice) => T): T | undefined;
  /** Ends a code that still counts. */
  end(code: string): void;
  /** Ends all codes. */
  close(): void;
}

/** A random code, such as `K7QMD-X2PFA`. */
export function newCode(): string {
  const letters = Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]);
  return letters.join("").replace(/^.{5}/, "$&-");
}

/** The digest that a code is looked up by, so that the time of a look-up reveals nothing about a code. */
export const codeKey = (code: string): string =>
  createHash("sha256")
    .update(code.toUpperCase().replace(/[^A-Z0-9]/g, ""))
    .digest("hex");

/** Makes an empty set of codes. */
export function pairingCodes(clock: Clock): PairingCodes {
  const codes = new Map<string, { wanted: WantedDevice; end: (device?: NamedDevice) => void }>();
  return {
    make(wanted, over) {
      const code = newCode();
      const key = codeKey(code);
      const expires = clock.after(CODE_MINUTES * 60_000, () => codes.get(key)?.end());
      const end = (device?: NamedDevice) => {
        codes.delete(key);
        expires();
        over?.(device);
      };
      codes.set(key, { wanted, end });
      const [oldest] = codes.values();
      if (codes.size > MOST_CODES) oldest?.end();
      return code;
    },
    use(code, use) {
      const found = codes.get(codeKey(code));
      if (found === undefined) return undefined;
      const result = use(found.wanted);
      found.end({ id: result.id, name: result.name });
      return result;
    },
    end: (code) => codes.get(codeKey(code))?.end(),
    close() {
      for (const { end } of [...codes.values()]) end();
    },
  };
}
