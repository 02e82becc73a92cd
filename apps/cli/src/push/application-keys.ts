// The pair of keys by which push services know the servers of this person (VAPID, RFC 8292).
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import webPush from "web-push";
import * as z from "zod/mini";
import { CommandFailure } from "../input/failure.js";
import { writeOnce } from "../input/write-once.js";

/** The keys, each in base64url. Browsers subscribe by the public one. */
export interface ApplicationKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

const KeysFile = z.object({
  public_key: z.string().check(z.regex(/^[\w-]{87}$/)),
  private_key: z.string().check(z.regex(/^[\w-]{43}$/)),
});

const NAME = "push-keys.json";

/**
 * The keys of a folder, in a file of mode 0600. They are made once: of several processes that begin at the same time,
 * all get the keys of the first.
 *
 * @throws Failure for a file that is damaged, since other keys would end every subscription; the system's error where
 * it cannot be written.
 */
export function applicationKeys(share: string): ApplicationKeys {
  const file = join(share, NAME);
  return readKeys(file) ?? makeKeys(share, file);
}

function readKeys(file: string): ApplicationKeys | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    const { public_key, private_key } = KeysFile.parse(JSON.parse(text));
    return { publicKey: public_key, privateKey: private_key };
  } catch {
    throw new CommandFailure(
      `${file}: expected the keys of push notifications: restore the file, or remove it and turn them on again on each device`,
    );
  }
}

function makeKeys(share: string, file: string): ApplicationKeys {
  mkdirSync(share, { recursive: true, mode: 0o700 });
  const { publicKey, privateKey } = webPush.generateVAPIDKeys();
  const kept: z.input<typeof KeysFile> = { public_key: publicKey, private_key: privateKey };
  writeOnce(file, `${JSON.stringify(kept)}\n`);
  return readKeys(file) ?? { publicKey, privateKey };
}
