import { tokenProblem } from "@askwire/server";
import { usageFailure } from "./failure.js";
import { readOptionFile } from "./read-file.js";

export interface TokenOptions {
  readonly tokenFile?: string;
}

/**
 * The token of a server, from a file. The environment is not read, since the agent's commands could find it in /proc;
 * arguments are readable by everybody.
 *
 * @throws Failure for a token that could be guessed.
 */
export function serverToken({ tokenFile }: TokenOptions): string | undefined {
  if (tokenFile === undefined) return undefined;
  const token = fromFile(tokenFile);
  const problem = tokenProblem(token);
  if (problem === undefined) return token;
  throw usageFailure(`${tokenFile}: ${problem}; without --token-file a new token is made`);
}

/**
 * The token that a client sends, from the named file or else from the environment. An empty variable counts as unset.
 */
export function clientToken({ tokenFile }: TokenOptions): string | undefined {
  const token = tokenFile === undefined ? process.env.ASKWIRE_TOKEN : fromFile(tokenFile);
  if (token === undefined || (token === "" && tokenFile === undefined)) return undefined;
  if (/^[!-~]+$/.test(token)) return token;
  const where = tokenFile ?? "ASKWIRE_TOKEN";
  throw usageFailure(`${where}: expected the token that the server printed after the #, without spaces`);
}

const fromFile = (file: string) => readOptionFile("--token-file", file).trim();
