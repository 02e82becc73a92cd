import { usageFailure } from "../input/failure.js";
import { readPrivateFile } from "../input/private-file.js";

/** The options that say where sessions are kept. */
export interface StoreChoice {
  /** `disk`, or the address of a database. Default: `disk`. */
  readonly store?: string;
  readonly storePasswordFile?: string;
  readonly storeSchema?: string;
  readonly allowAsyncStandby?: boolean;
}

/** A database in which sessions are kept. */
export interface StorePlace {
  /** The address, without a password. */
  readonly address: string;
  /** Reads the password anew, for each connection. */
  readonly password?: () => string;
  readonly schema?: string;
  readonly allowAsyncStandby: boolean;
  /** The tenant whose sessions are meant. Default: those of no tenant. */
  readonly tenant?: string;
}

const PASSWORD_FILE = "--store-password-file";

/**
 * Reads where sessions are kept. Undefined for the disk.
 *
 * @throws Failure for an address that does not fit or carries a password, and for options that do not go together. No
 * message has the address, which may hold a secret.
 */
export function storePlace({
  store = "disk",
  storePasswordFile,
  storeSchema,
  allowAsyncStandby,
}: StoreChoice): StorePlace | undefined {
  if (store === "disk") {
    const given = { [PASSWORD_FILE]: storePasswordFile, "--store-schema": storeSchema };
    const other = Object.entries({ ...given, "--allow-async-standby": allowAsyncStandby }).find(
      ([, value]) => value !== undefined,
    );
    if (other === undefined) return undefined;
    throw usageFailure(`${other[0]} needs a database: add --store postgres://USER@HOST/DATABASE`);
  }
  if (storeSchema !== undefined && !/^[a-z_][a-z0-9_]{0,62}$/.test(storeSchema))
    throw usageFailure(
      `--store-schema ${storeSchema}: expected at most 63 small letters, digits and _, such as askwire`,
    );
  return {
    address: checkedAddress(store),
    ...(storePasswordFile !== undefined && { password: passwordIn(storePasswordFile) }),
    ...(storeSchema !== undefined && { schema: storeSchema }),
    allowAsyncStandby: allowAsyncStandby ?? false,
  };
}

/** The words that an address may have in place of its password. */
const secretWords = ["password", "sslpassword"];

function checkedAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !["postgres:", "postgresql:"].includes(url.protocol))
    throw usageFailure(
      "--store: expected disk, or an address such as postgres://askwire@db.example/askwire?sslmode=verify-full",
    );
  if (url.password !== "" || secretWords.some((word) => url.searchParams.has(word)))
    throw usageFailure(
      `--store: the address carries a password, which every user of this machine can see: leave it out, and add ${PASSWORD_FILE} FILE`,
    );
  return address;
}

/** Reads the file at once, so that what is wrong with it is said before anything else is done. */
function passwordIn(file: string): () => string {
  const read = () => {
    const password = readPrivateFile(PASSWORD_FILE, file).replace(/\r?\n$/, "");
    if (password === "" || /[\r\n]/.test(password))
      throw usageFailure(`${PASSWORD_FILE} ${file}: expected the password alone, in one line`);
    return password;
  };
  read();
  return read;
}
