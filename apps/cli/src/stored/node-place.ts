import { tokenProblem } from "@askwire/server";
import { usageFailure } from "../input/failure.js";
import { readPrivateFile } from "../input/private-file.js";

/** The options of a server that is one node of several. */
export interface NodeChoice {
  readonly store?: string;
  readonly nodeAddress?: string;
  readonly linkSecretFile?: string;
}

/** This server as a node of several. */
export interface NodePlace {
  /** The address at which the others reach it. */
  readonly address: string;
  readonly linkSecret: string;
}

const ADDRESS = "--node-address";
const SECRET_FILE = "--link-secret-file";

/**
 * Reads how the other nodes reach this one. Undefined for a server alone.
 *
 * @throws Failure for one option without the other or without a database, for an address that does not fit, and for a
 * file that others may read or that has no strong secret.
 */
export function nodePlace({
  store = "disk",
  nodeAddress: address,
  linkSecretFile: file,
}: NodeChoice): NodePlace | undefined {
  if (address === undefined && file === undefined) return undefined;
  if (address === undefined)
    throw usageFailure(
      `${SECRET_FILE}: add ${ADDRESS} ws://HOST:PORT, at which the other nodes reach this one`,
    );
  if (file === undefined)
    throw usageFailure(`${ADDRESS}: add ${SECRET_FILE} FILE with the secret that all nodes have`);
  if (store === "disk")
    throw usageFailure(`${ADDRESS} needs a database: add --store postgres://USER@HOST/DATABASE`);
  if (!/^wss?:\/\/[^/?#@\s]+$/.test(address))
    throw usageFailure(
      `${ADDRESS} ${address}: expected an address such as ws://10.0.0.7:7001, without a path`,
    );
  const linkSecret = readPrivateFile(SECRET_FILE, file).trim();
  const problem = tokenProblem(linkSecret);
  if (problem !== undefined)
    throw usageFailure(`${SECRET_FILE} ${file}: ${problem}, such as "openssl rand -hex 32" makes`);
  return { address, linkSecret };
}
